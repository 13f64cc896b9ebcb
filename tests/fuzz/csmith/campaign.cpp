// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/csmith/campaign.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "models/isa/code/opcode_table.h"
#include "sw/loader/hip_compiler.h"
#include "tests/fuzz/csmith/coverage.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr unsigned progress_every = 50;
constexpr unsigned max_reported = 10;  // unusual reasons for which programs were discarded, quoted in full

class temporary_folder {
 public:
  temporary_folder() {
    std::string name = (fs::temp_directory_path() / "fuzz-csmith-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~temporary_folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  std::string fresh() const {
    const fs::path p = fs::path(path_) / "work";
    fs::remove_all(p);
    fs::create_directories(p);
    return p.string();
  }

 private:
  std::string path_;
};

// The next program that no worker has taken, shared by all of them.
class shared_counter {
 public:
  shared_counter() {
    void* page =
        mmap(nullptr, sizeof(std::atomic<uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::runtime_error("no shared memory");
    next_ = new (page) std::atomic<uint64_t>(0);
  }
  ~shared_counter() { munmap(next_, sizeof(std::atomic<uint64_t>)); }
  shared_counter(const shared_counter&) = delete;
  shared_counter& operator=(const shared_counter&) = delete;
  uint64_t take() { return next_->fetch_add(1); }
  void stop() { next_->store(uint64_t{1} << 63); }

 private:
  std::atomic<uint64_t>* next_;
};

json to_json(const outcome& o) {
  json counts = json::array();  // most are 0
  for (size_t k = 0; k < o.counts.size(); ++k)
    if (o.counts[k] != 0) counts.push_back({k, o.counts[k]});
  return {{"seed", o.seed},
          {"verdict", o.verdict},
          {"reason", o.reason},
          {"detail", o.detail},
          {"passed_over", o.passed_over},
          {"launches", o.launches},
          {"timing_launches", o.timing_launches},
          {"instructions", o.instructions},
          {"state", o.state},
          {"split_points", o.split_points},
          {"refused_branches", o.refused_branches},
          {"carried_masks", o.carried_masks},
          {"checks", o.checks},
          {"checks_kept", o.checks_kept},
          {"refused", o.refused},
          {"counts", counts}};
}

// Each worker has a pipe of its own: a result is longer than what a pipe takes at once, and lines would be mixed up.
struct worker {
  pid_t process = 0;
  int from = -1;
  std::string unread;
};

void send(int to, const std::string& line) {
  for (size_t done = 0; done < line.size();) {
    const ssize_t n = write(to, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) _exit(125);  // the parent is gone
    done += static_cast<size_t>(n);
  }
}

void work(const campaign_options& options, const toolchain& tools, shared_counter& counter, int to) {
  const temporary_folder folder;
  for (uint64_t k = counter.take(); k < options.programs; k = counter.take()) {
    const uint64_t seed = options.first_seed + k;
    json line;
    try {
      const std::string here = folder.fresh();
      line =
          to_json(options.source.empty() ? check_seed(seed, tools, options.check, here)
                                         : check_source(options.source, recipe_of(seed), tools, options.check, here));
    } catch (const std::exception& e) {
      line = {{"seed", seed}, {"failure", e.what()}};
    }
    send(to, line.dump(-1, ' ', true, json::error_handler_t::replace) + "\n");
  }
}

class summary {
 public:
  explicit summary(const campaign_options& options) : options_(options) {}

  void take(const json& line) {
    const auto seed = line.at("seed").get<uint64_t>();
    if (line.contains("failure")) {
      failures_[seed] = line.at("failure");
    } else {
      take_outcome(seed, line);
    }
    ++received_;
    std::fflush(stdout);
    if (received_ % progress_every == 0) fmt::print(stderr, "{} of {} programs\n", received_, options_.programs);
  }

  // True if the campaign has succeeded.
  bool print(double seconds) const {
    const uint64_t compared = agreed_ + differing_;
    for (const auto& [seed, why] : failures_) fmt::print("seed {}: the harness failed: {}\n", seed, why);
    for (const auto& [seed, detail] : quoted_) fmt::print("seed {} discarded: {}\n", seed, detail);
    fmt::print("programs        {} (seeds {} to {}), {} compared, {} discarded, {} passed over for their size\n",
               received_, options_.first_seed, options_.first_seed + std::max<uint64_t>(options_.programs, 1) - 1,
               compared, received_ - compared - failures_.size(), passed_over_);
    for (const auto& [reason, n] : discarded_) fmt::print("  discarded     {}: {}\n", reason, n);
    for (const auto& [state, n] : by_state_) fmt::print("  state in      {}: {}\n", state, n);
    fmt::print("launches        {} functional, {} timing; {} lanes each\n", launches_, timing_launches_,
               recipe{}.lanes);
    for (const auto& [instruction, n] : refused_)
      fmt::print("  refused       {}: {} launches, on machines that never join paths\n", instruction, n);
    fmt::print("instructions    {} of wavefronts\n", instructions_);
    if (options_.check.split != pwscc::split_choice::none)
      fmt::print(
          "splitting       {} split points, {} branches refused, {} lane masks carried; {} splits and {} merges "
          "executed\n",
          split_points_, refused_branches_, carried_masks_, coverage_.of_mnemonic("split"),
          coverage_.of_mnemonic("merge"));
    if (pwscc::predicates(options_.check.divergence))
      fmt::print("predication     {}: {} of {} run-time checks kept\n", pws::name_of(options_.check.divergence),
                 checks_kept_, checks_);
    fmt::print(stderr, "{:.0f} s\n", seconds);  // not with the results: they are the same every time
    fmt::print("opcode rows     {} of {} executed\n", coverage_.rows_seen(), isa::all_rows().size());
    if (options_.list_executed) fmt::print("{}", coverage_.executed_table());
    fmt::print("never executed:");
    for (const std::string& name : coverage_.rows_never_seen()) fmt::print(" {}", name);
    fmt::print("\ndifferences     {}\n", differing_);
    if (received_ != options_.programs) fmt::print("{} programs were not run\n", options_.programs - received_);
    if (compared == 0) fmt::print("nothing was compared\n");
    const bool good = differing_ == 0 && failures_.empty() && received_ == options_.programs && compared != 0;
    fmt::print("{}\n", good ? "PASS" : "FAIL");
    return good;
  }

 private:
  void take_outcome(uint64_t seed, const json& line) {
    passed_over_ += line.at("passed_over").get<uint64_t>();
    launches_ += line.at("launches").get<uint64_t>();
    timing_launches_ += line.at("timing_launches").get<uint64_t>();
    instructions_ += line.at("instructions").get<uint64_t>();
    split_points_ += line.at("split_points").get<uint64_t>();
    refused_branches_ += line.at("refused_branches").get<uint64_t>();
    carried_masks_ += line.at("carried_masks").get<uint64_t>();
    checks_ += line.at("checks").get<uint64_t>();
    checks_kept_ += line.at("checks_kept").get<uint64_t>();
    std::vector<uint64_t> counts(isa::all_rows().size() * coverage::n_variants);
    for (const json& pair : line.at("counts")) counts.at(pair.at(0).get<size_t>()) = pair.at(1).get<uint64_t>();
    coverage_.add(counts);
    for (const auto& [instruction, n] : line.at("refused").items()) refused_[instruction] += n.get<uint64_t>();
    const auto v = line.at("verdict").get<verdict>();
    if (v == verdict::discarded) {
      ++discarded_[line.at("reason")];
      if (line.at("reason") != "undefined behaviour" && line.at("reason") != "runs too long") {
        quoted_[seed] = line.at("detail");
        if (quoted_.size() > max_reported) quoted_.erase(std::prev(quoted_.end()));  // not the ones that came first
      }
      return;
    }
    ++by_state_[name_of(line.at("state").get<state_memory>())];
    ++(v == verdict::agrees ? agreed_ : differing_);
    if (v == verdict::differs) fmt::print("DIFFERENCE seed {}: {}\n", seed, line.at("detail").get<std::string>());
  }

  const campaign_options& options_;
  uint64_t received_ = 0, agreed_ = 0, differing_ = 0, passed_over_ = 0, launches_ = 0, timing_launches_ = 0,
           instructions_ = 0, split_points_ = 0, refused_branches_ = 0, carried_masks_ = 0, checks_ = 0,
           checks_kept_ = 0;
  std::map<std::string, uint64_t> discarded_, by_state_, refused_;
  std::map<uint64_t, std::string> failures_, quoted_;
  coverage coverage_;
};

std::vector<worker> start_workers(const campaign_options& options, const toolchain& tools, shared_counter& counter) {
  std::vector<worker> workers;
  for (unsigned k = 0; k < std::max(1u, options.jobs); ++k) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no process");
    if (process == 0) {
      close(ends[0]);
      std::signal(SIGINT, SIG_IGN);  // a terminal's interrupt reaches the whole group; the parent decides
      work(options, tools, counter, ends[1]);
      _exit(0);
    }
    close(ends[1]);
    workers.push_back({process, ends[0], {}});
  }
  return workers;
}

volatile std::sig_atomic_t interrupted = 0;

// Hands every line to `s` as it arrives, until all workers are gone. An interrupt lets them finish what they have
// begun.
void collect(std::vector<worker>& workers, shared_counter& counter, summary& s) {
  for (size_t open = workers.size(); open != 0;) {
    if (interrupted != 0) counter.stop();
    std::vector<pollfd> waiting;
    for (const worker& w : workers) waiting.push_back({w.from, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), 1000) < 0 && errno != EINTR) throw std::runtime_error("poll");
    for (size_t k = 0; k < workers.size(); ++k) {
      worker& w = workers[k];
      if (w.from < 0 || waiting[k].revents == 0) continue;
      std::array<char, 1 << 16> block;
      const ssize_t n = read(w.from, block.data(), block.size());
      if (n > 0) w.unread.append(block.data(), static_cast<size_t>(n));
      for (size_t end; (end = w.unread.find('\n')) != std::string::npos; w.unread.erase(0, end + 1))
        s.take(json::parse(w.unread.substr(0, end)));
      if (n > 0 || (n < 0 && errno == EINTR)) continue;
      close(w.from);
      w.from = -1;
      --open;
      int status = 0;
      waitpid(w.process, &status, 0);
      if (status != 0) fmt::print("a worker died: {}\n", describe_status(status));
    }
  }
}

}  // namespace

bool run_campaign(const campaign_options& options) {
  check_machines(options.check);
  const auto began = std::chrono::steady_clock::now();
  const toolchain tools{loader::hip_compiler().path().string(), PWS_FUZZ_CSMITH_DEVICE_DIR};
  shared_counter counter;
  summary s(options);
  std::vector<worker> workers = start_workers(options, tools, counter);
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  collect(workers, counter, s);
  return s.print(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
}

}  // namespace pws::test
