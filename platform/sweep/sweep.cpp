#include "platform/sweep/sweep.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ostream.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "platform/config/values/text.h"
#include "platform/sweep/child_process.h"
#include "platform/sweep/measures.h"
#include "platform/sweep/point_command.h"
#include "sw/loader/bytes.h"

namespace pws::platform::sweep {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// FNV-1a: tells whether a finished point was made of the same things.
class fingerprint {
 public:
  void add(const void* data, size_t bytes) {
    for (size_t k = 0; k < bytes; ++k) hash_ = (hash_ ^ static_cast<const uint8_t*>(data)[k]) * 0x100000001b3;
  }
  void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
  void add_file(const fs::path& file) {
    const std::vector<uint8_t> bytes = loader::read_file(file);
    add(bytes.data(), bytes.size());
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  uint64_t hash_ = 0xcbf29ce484222325;
};

// Two sweeps in one folder would write over each other. Released when the process ends, however it does.
class folder_lock {
 public:
  explicit folder_lock(const fs::path& folder) {
    fd_ = open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) throw input_error(folder.string() + ": cannot be written");
    if (flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    close(fd_);
    throw input_error(folder.string() + ": another sweep is running there");
  }
  ~folder_lock() { close(fd_); }
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;

 private:
  int fd_ = -1;
};

std::string text_of(const fs::path& file) {
  const std::vector<uint8_t> bytes = loader::read_file(file);
  return {bytes.begin(), bytes.end()};
}

// What a command said; bytes that are no UTF-8 are replaced.
std::string printable_text(const fs::path& log) {
  return json::parse(json(text_of(log)).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

// The first line that says what went wrong, or the last one. A program's FAIL stands below what differs.
std::string reason_in(const std::string& log) {
  std::string last;
  for (size_t begin = 0; begin < log.size();) {
    const size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    const size_t text = line.find_first_not_of(" \t");
    if (text == std::string::npos || line == "FAIL") continue;
    last = line.substr(text);
    if (line.find("error:") != std::string::npos || line.find("FAIL") != std::string::npos) break;
  }
  return last;
}

// The first line with these words; empty: there is none.
std::string line_with(const std::string& log, const std::string& words) {
  const size_t at = log.find(words);
  if (at == std::string::npos) return "";
  const size_t before = log.rfind('\n', at), begin = before == std::string::npos ? 0 : before + 1;
  return log.substr(begin, log.find('\n', at) - begin);
}

std::string now() {
  return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::chrono::system_clock::now()));
}

// Whether a measure is of pwscc's report, which is `compiler` in the point's.
bool of_compiler(const experiment& e) {
  return std::any_of(e.measures.begin(), e.measures.end(), is_of_compiler);
}
fs::path compiler_report(const fs::path& program) {
  return program.string() + ".json";
}

// By point: how each that runs is run.
std::map<size_t, point_command> commands_of(const experiment& e, const tools& all) {
  check_measures(e);
  std::map<size_t, point_command> commands;
  for (size_t n = 0; n < e.n_points(); ++n)
    if (e.runs(e.point(n))) commands.emplace(n, command_at(e, e.point(n), all));
  return commands;
}

class running_sweep {
 public:
  running_sweep(const experiment& e, const sweep_options& o, std::ostream& out)
      : e_(e), o_(o), out_(out), tools_(tools::beside_this_program()), commands_(commands_of(e, tools_)) {
    for (const auto& c : commands_) order_.push_back(c.first);
    fingerprint f;
    f.add_file(tools_.pwsvp);
    for (const fs::path& plugin : tools_.plugins) f.add_file(plugin);
    if (e.command == command::exec) f.add_file(tools_.library);
    tools_fingerprint_ = f.text();
  }

  sweep_outcome run() {
    results_.points.resize(e_.n_points());
    for (const auto& [name, text] : configuration_files()) results_.files.emplace_back(name, text);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const auto jobs = static_cast<unsigned>(std::min<size_t>(o_.jobs == 0 ? cores : o_.jobs, commands_.size()));
    began_ = std::chrono::steady_clock::now();
    std::vector<std::thread> workers;
    for (unsigned k = 0; k < jobs; ++k) workers.emplace_back([this] { work(); });
    for (std::thread& w : workers) w.join();
    if (broken_) std::rethrow_exception(broken_);
    refuse_unknown_measures();
    results_.command = o_.command;
    results_.finished = now();
    write_whole(o_.folder / "experiment.yaml", e_.text);
    for (const std::string& f : e_.files) write_whole(o_.folder / fs::path(f).filename(), text_of(f));
    write_whole(o_.folder / "table.csv", to_csv(e_, results_));
    write_whole(o_.folder / "sweep.json", to_json(e_, results_).dump(2) + "\n");
    return outcome_;
  }

 private:
  // A measure that no report has is a mistake in the experiment.
  void refuse_unknown_measures() const {
    if (e_.small) return;  // may leave out the points that have it
    std::string problems;
    for (size_t k = 0; k < e_.measures.size(); ++k) {
      const auto has = [k](const point_result& p) { return k < p.values.size() && !p.values[k].is_null(); };
      const auto done = [](const point_result& p) { return p.finished && !p.failed && !p.refused; };
      if (std::any_of(results_.points.begin(), results_.points.end(), has) ||
          std::none_of(results_.points.begin(), results_.points.end(), done))
        continue;
      problems += fmt::format("{}{}: measures.{}: no point's report has {}{}", problems.empty() ? "" : "\n", e_.file,
                              e_.measures[k].name, e_.measures[k].path, suggestion(e_.measures[k].path));
    }
    if (!problems.empty()) throw input_error(problems);
  }
  std::string suggestion(const std::string& path) const {
    for (const size_t n : order_) {
      std::ifstream in(o_.folder / "points" / std::to_string(n + 1) / "report.json");
      const json j = in ? json::parse(in, nullptr, false) : json();
      if (!j.is_object()) continue;
      if (const std::string near = did_you_mean(path, paths_in(j)); !near.empty()) return near;
    }
    return "";
  }

  // Said as soon as it is known: a long sweep can be stopped then. Called with the lock held.
  void warn_of_missing_measures(size_t n, const point_result& r) {
    if (r.failed || r.refused || warned_) return;
    warned_ = true;  // with the first point
    for (size_t k = 0; k < e_.measures.size(); ++k)
      if (k < r.values.size() && r.values[k].is_null())
        out_ << fmt::format("measure {}: the report of {} has no {}{}", e_.measures[k].name,
                            point_text(e_, e_.point(n)), e_.measures[k].path, suggestion(e_.measures[k].path))
             << std::endl;
  }

  std::map<std::string, std::string> configuration_files() const {
    std::map<std::string, std::string> files;
    for (const auto& [n, c] : commands_)
      for (const std::string& f : c.inputs)
        if (fs::path(f).extension() == ".yaml" && files.count(f) == 0) files[f] = text_of(f);
    return files;
  }

  void work() {
    try {
      for (size_t k = next_++; k < order_.size() && !broken(); k = next_++) point(order_[k]);
    } catch (...) {
      const std::lock_guard<std::mutex> hold(lock_);
      if (!broken_) broken_ = std::current_exception();
    }
  }
  bool broken() {
    const std::lock_guard<std::mutex> hold(lock_);
    return broken_ != nullptr;
  }

  void point(size_t n) {
    const point_command& c = commands_.at(n);
    const fs::path folder = o_.folder / "points" / std::to_string(n + 1), result = folder / "result.json";
    point_result r;
    r.finished = true;
    std::string print;
    bool kept = false, beside = false;
    try {
      std::string program;
      if (!c.compile.empty()) program = compiled(c);
      print = fingerprint_of(c, program);
      kept = !o_.anew && reuse(result, print, r);
      if (!kept && !o_.anew) kept = beside = reuse_beside(n, print, r);
      if (!kept) run_point(c, program, folder, r);
    } catch (const input_error& error) {  // the program does not compile
      r.failed = true;
      r.message = error.what();
      fs::create_directories(folder);
      if (!c.compile.empty() && fs::exists(compiler_log(c)))
        fs::copy_file(compiler_log(c), folder / "log.txt", fs::copy_options::overwrite_existing);
    }
    if (!kept || beside) {
      fs::create_directories(folder);
      nlohmann::ordered_json j = to_json(r);
      j["fingerprint"] = print;
      write_whole(result, j.dump(2) + "\n");
    }
    const std::lock_guard<std::mutex> hold(lock_);
    say(n, r, kept);
    warn_of_missing_measures(n, r);
    results_.points[n] = std::move(r);
  }

  std::string fingerprint_of(const point_command& c, const std::string& program) {
    fingerprint f;
    f.add(tools_fingerprint_);
    for (size_t k = 1; k < c.pwsvp.size(); ++k) f.add(c.pwsvp[k]);
    for (const std::string& a : c.arguments) f.add(a);
    for (const std::string& i : c.inputs) f.add(contents_of(i));
    for (const measure& m : e_.measures) f.add(m.name + "=" + m.path);
    for (const bound_rule& r : e_.rules) f.add(r.smaller + "<=" + r.larger);
    if (!program.empty()) f.add_file(program);
    return f.text();
  }

  // The hash of a file, which many points may be made of.
  std::string contents_of(const std::string& file) {
    {
      const std::lock_guard<std::mutex> hold(lock_);
      const auto known = contents_.find(file);
      if (known != contents_.end()) return known->second;
    }
    fingerprint f;
    f.add_file(file);
    const std::lock_guard<std::mutex> hold(lock_);
    return contents_[file] = f.text();
  }

  bool reuse(const fs::path& file, const std::string& print, point_result& r) const {
    std::ifstream in(file);
    if (!in) return false;
    try {
      const json j = json::parse(in);
      if (j.at("fingerprint") != print || j.at("failed")) return false;
      r = point_from_json(j, e_.measures.size());
      return true;
    } catch (const json::exception&) {
      return false;
    }
  }

  // The same point of another experiment's sweep.
  bool reuse_beside(size_t n, const std::string& print, point_result& r) const {
    const fs::path all = fs::canonical(o_.folder).parent_path();
    return std::any_of(e_.reuse.begin(), e_.reuse.end(), [&](const std::string& name) {
      return reuse(all / (name + (e_.small ? "-small" : "")) / "points" / std::to_string(n + 1) / "result.json", print,
                   r);
    });
  }

  fs::path executable_of(const point_command& c) const {
    fingerprint f;
    for (const std::string& a : c.compile) f.add(a);
    return o_.folder / "programs" / (fs::path(c.compile.back()).stem().string() + "-" + f.text());
  }
  fs::path compiler_log(const point_command& c) const { return executable_of(c).string() + ".log"; }

  // The executable that pwscc makes, once for all points that want the same.
  std::string compiled(const point_command& c) {
    const fs::path file = executable_of(c);
    compilation* mine = nullptr;
    {
      const std::lock_guard<std::mutex> hold(lock_);
      mine = &programs_[file.string()];
    }
    const std::lock_guard<std::mutex> hold(mine->lock);
    if (mine->done) {
      if (!mine->error.empty()) throw input_error(mine->error);
      return file.string();
    }
    mine->done = true;
    fs::create_directories(file.parent_path());
    std::vector<std::string> command = c.compile;
    command.insert(command.end(), {"-o", file.string()});
    if (of_compiler(e_)) command.push_back("--report=" + compiler_report(file).string());
    const fs::path log = compiler_log(c);
    if (run_child(command, log) != 0) {
      mine->error = "pwscc: " + reason_in(text_of(log));
      throw input_error(mine->error);
    }
    return file.string();
  }

  void run_point(const point_command& c, const std::string& program, const fs::path& folder, point_result& r) const {
    fs::remove_all(folder);
    fs::create_directories(folder);
    const fs::path report = folder / "report.json", log = folder / "log.txt";
    std::vector<std::string> command = c.pwsvp;
    command.insert(command.begin() + static_cast<std::ptrdiff_t>(c.report_at), {"--report", report.string()});
    if (!program.empty()) command.push_back(fs::absolute(program).string());
    command.insert(command.end(), c.arguments.begin(), c.arguments.end());
    const auto began = std::chrono::steady_clock::now();
    const int code = run_child(command, log);
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (std::ifstream in(report); in) {
      json j = json::parse(in, nullptr, false);
      if (!j.is_discarded()) {
        if (std::ifstream compiler(compiler_report(program)); of_compiler(e_) && compiler)
          j["compiler"] = json::parse(compiler, nullptr, false);
        take_measures(e_, j, r);
      }
    }
    if (code == 0) {
      if (r.values.empty()) throw input_error(report.string() + ": not there, although the command succeeded");
      return;
    }
    r.failed = true;
    if (r.message.empty())
      r.message = code > 128 ? fmt::format("ended by signal {}", code - 128)
                             : fmt::format("exit code {}: {}", code, reason_in(text_of(log)));
    const std::string refusal = e_.refusal.empty() ? "" : line_with(text_of(log), e_.refusal);
    if (refusal.empty()) return;
    r.message = refusal;  // the program's own last words follow from it
    r.refused = true;
    r.failed = r.stopped = false;
    r.values.assign(e_.measures.size(), nullptr);  // of a run that was stopped
    r.units.assign(e_.measures.size(), "");
  }

  // Called with the lock held.
  void say(size_t n, const point_result& r, bool kept) {
    ++outcome_.points;
    outcome_.failed += r.failed;
    outcome_.refused += r.refused;
    outcome_.kept += kept;
    std::string text = fmt::format("[{}/{}] {}: ", outcome_.points, commands_.size(), point_text(e_, e_.point(n)));
    if (r.failed)
      text += "FAILED: " + r.message;
    else if (r.refused)
      text += "refused: " + r.message;
    else if (kept)
      text += "kept";
    else
      text += fmt::format("{:.1f} s", r.seconds);
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    const size_t fresh = outcome_.points - outcome_.kept, left = commands_.size() - outcome_.points;
    if (fresh != 0 && left != 0)
      text += fmt::format(" (about {:.0f} s left)", elapsed / static_cast<double>(fresh) * static_cast<double>(left));
    out_ << text << std::endl;
  }

  struct compilation {
    std::mutex lock;
    bool done = false;
    std::string error;
  };

  const experiment& e_;
  const sweep_options& o_;
  std::ostream& out_;
  tools tools_;
  std::string tools_fingerprint_;
  std::map<size_t, point_command> commands_;  // by the point's number
  std::vector<size_t> order_;                 // their numbers
  sweep_results results_;
  sweep_outcome outcome_;
  std::atomic<size_t> next_{0};
  std::chrono::steady_clock::time_point began_;
  std::mutex lock_;  // of what follows, out_, results_ and outcome_
  bool warned_ = false;
  std::exception_ptr broken_;
  std::map<std::string, compilation> programs_;
  std::map<std::string, std::string> contents_;  // hashes by file
};

}  // namespace

sweep_outcome run_sweep(const experiment& e, const sweep_options& options, std::ostream& out) {
  running_sweep sweep(e, options, out);
  std::error_code error;
  fs::create_directories(options.folder, error);
  if (error) throw input_error(options.folder.string() + ": cannot be made: " + error.message());
  const folder_lock lock(options.folder);
  return sweep.run();
}

size_t check_points(const experiment& e) {
  return commands_of(e, tools::beside_this_program()).size();
}

kept_sweep load_sweep(const fs::path& folder) {
  const fs::path file = folder / "sweep.json", yaml = folder / "experiment.yaml";
  if (!fs::exists(file)) throw input_error(file.string() + ": not there; is the sweep finished?");
  kept_sweep kept;
  try {
    const json j = json::parse(text_of(file));
    kept.what = load_experiment(yaml.string(), j.at("form") == "small");
    kept.what.name = j.at("experiment");
    if (j.at("points").size() != kept.what.n_points())
      throw input_error(fmt::format("{}: {} points, and experiment.yaml has {}", file.string(), j.at("points").size(),
                                    kept.what.n_points()));
    for (const json& p : j.at("points")) {
      point_result r;
      r.finished = p.at("status") != "left out";
      r.stopped = p.at("status") == "stopped";
      r.failed = r.stopped || p.at("status") == "failed";
      r.refused = p.at("status") == "refused";
      r.message = p.value("message", "");
      const fs::path log = folder / "points" / std::to_string(kept.results.points.size() + 1) / "log.txt";
      if (r.failed && fs::exists(log)) r.output = printable_text(log);
      for (const measure& m : kept.what.measures) r.values.push_back(p.at("values").at(m.name));
      for (const json& m : j.at("measures")) r.units.push_back(m.at("unit"));
      kept.results.points.push_back(std::move(r));
    }
    for (const json& f : j.at("files")) kept.results.files.emplace_back(f.at("name"), f.at("text"));
    kept.results.command = j.at("host").at("command");
    kept.results.finished = j.at("host").at("finished");
  } catch (const json::exception& e) {
    throw input_error(file.string() + ": " + e.what());
  }
  return kept;
}

}  // namespace pws::platform::sweep
