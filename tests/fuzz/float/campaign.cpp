// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <stdexcept>

#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"
#include "tests/fuzz/csmith/coverage.h"
#include "tests/fuzz/float/device_batch.h"

namespace pws::test {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t batch_size = 8;          // programs on one machine
constexpr unsigned max_lanes_reported = 3;  // differing lanes quoted of one kernel

struct outcome {
  tally found;
  std::vector<uint64_t> counts;
  std::string differences;  // "" if all agreed
  uint64_t kernels = 0, differing = 0;
};

std::string inputs_text(const kernel_case& c, const uint64_t* in) {
  std::string text;
  for (size_t k = 0; k < c.inputs.size(); ++k)
    text += fmt::format("    input {}: {} {}\n", k, name_of(c.inputs[k]), to_text(c.inputs[k], in[k]));
  return text;
}

std::string judge_case(const kernel_case& c, const case_result& r, tally& found) {
  if (!r.error.empty()) return fmt::format("  {}: the machine stopped: {}\n", c.name, r.error);
  std::string text;
  unsigned wrong = 0;
  for (uint32_t lane = 0; lane < c.lanes(); ++lane) {
    const uint64_t* in = c.slots.data() + lane * c.inputs.size();
    const std::string problem = c.judge(in, r.outputs.data() + lane * c.outputs.size(), found);
    if (!problem.empty() && ++wrong <= max_lanes_reported)
      text += fmt::format("  {} lane {}: {}\n{}", c.name, lane, problem, inputs_text(c, in));
  }
  if (wrong > max_lanes_reported) text += fmt::format("  {}: {} lanes differ in all\n", c.name, wrong);
  return text;
}

std::string rerun_command(uint64_t seed, const campaign_settings& s) {
  std::string command = fmt::format("fuzz_float --programs 1 --seed {}", seed);
  if (!s.program.only.empty()) command += " --only " + s.program.only;
  return command;
}

class batch {
 public:
  batch(const campaign_settings& s, const fs::path& folder) : settings_(s), folder_(folder) {}

  outcome run(uint64_t first, uint64_t end) {
    std::vector<float_program> programs;
    for (uint64_t seed = first; seed < end; ++seed) programs.push_back(make_program(seed, settings_.program));
    std::vector<compiled_program> compiled;
    for (const float_program& p : programs) compiled.push_back({&p, compile(p)});
    // One machine for all; what a stopped machine has left over runs on another.
    for (size_t done = 0; done < compiled.size();) {
      const std::vector<compiled_program> rest(compiled.begin() + static_cast<std::ptrdiff_t>(done), compiled.end());
      batch_result r = run_batch(rest);
      if (!r.crash.empty() || r.cases.empty())
        throw std::runtime_error(fmt::format("seeds {} to {}: the platform's process ended with {}",
                                             rest.front().program->seed, end - 1, r.crash));
      for (size_t k = 0; k < r.cases.size(); ++k) judge(*rest[k].program, r.cases[k]);
      add_counts(r.counts);
      done += r.cases.size();
    }
    return std::move(outcome_);
  }

 private:
  std::vector<uint8_t> compile(const float_program& p) const {
    loader::compile_options o;
    o.optimisation = p.flags.front();
    o.flags.assign(p.flags.begin() + 1, p.flags.end());
    o.include_dirs = {PWS_FUZZ_FLOAT_DEVICE_DIR};
    o.use_cache = !settings_.cache.empty();
    o.cache_dir = settings_.cache;
    const fs::path file = folder_ / fmt::format("float_{}.hip", p.seed);
    std::ofstream(file) << p.source();
    const loader::hip_compiler compiler(o);
    std::vector<uint8_t> code = compiler.compile(file).code_object;
    fs::remove(file);
    return code;
  }

  void judge(const float_program& p, std::vector<case_result>& results) {
    std::string text;
    for (size_t k = 0; k < results.size(); ++k) {
      const kernel_case& c = p.cases[k];
      if (settings_.break_lane && results[k].error.empty() && *settings_.break_lane < c.lanes())
        results[k].outputs[*settings_.break_lane * c.outputs.size()] ^= 1;
      text += judge_case(c, results[k], outcome_.found);
      ++outcome_.kernels;
    }
    if (text.empty()) return;
    ++outcome_.differing;
    fs::create_directories(settings_.keep);
    const fs::path kept =
        fs::path(settings_.keep) /
        fmt::format("float_{}_{}.hip", p.cases.front().name.substr(0, p.cases.front().name.find('_')), p.seed);
    std::ofstream(kept) << fmt::format("// {}\n", fmt::join(p.flags, " ")) << p.source();
    outcome_.differences += fmt::format("seed {} ({}) differs\n{}  source kept: {} (include folder: {})\n  again: {}\n",
                                        p.seed, fmt::join(p.flags, " "), text, kept.string(), PWS_FUZZ_FLOAT_DEVICE_DIR,
                                        rerun_command(p.seed, settings_));
  }
  void add_counts(const std::vector<uint64_t>& counts) {
    outcome_.counts.resize(counts.size());
    for (size_t k = 0; k < counts.size(); ++k) outcome_.counts[k] += counts[k];
  }

  const campaign_settings& settings_;
  const fs::path& folder_;
  outcome outcome_;
};

void print_functions(const tally& t) {
  if (t.functions.empty()) return;
  fmt::print("{:<22}{:>12}{:>12}{:>12}  worst at; source of the bound\n", "function", "compared", "worst", "bound");
  for (const auto& [name, a] : t.functions)
    fmt::print("{:<22}{:>12}{:>12.4g}{:>12.4g}  {}; {}\n", name, a.comparisons, a.worst, a.bound,
               a.at.empty() ? "-" : a.at, a.source);
}

void print_totals(const campaign_settings& s, const outcome& total, double seconds) {
  coverage seen;
  if (!total.counts.empty()) seen.add(total.counts);
  print_functions(total.found);
  if (s.list) fmt::print("never executed: {}\n", fmt::join(seen.rows_never_seen(), " "));
  fmt::print("programs       {} (seeds {} to {}), {} kernels, {} programs differ\n", s.programs, s.first_seed,
             s.first_seed + s.programs - 1, total.kernels, total.differing);
  fmt::print("comparisons    {}, {} of them with several permitted results; {} not decided\n", total.found.comparisons,
             total.found.several, total.found.undecided);
  fmt::print("instructions   {}\n", seen.instructions());
  fmt::print("opcode rows    {} executed, {} never\n", seen.rows_seen(), seen.rows_never_seen().size());
  fmt::print("time           {:.1f} s\n", seconds);
}

}  // namespace

bool run_float_campaign(const campaign_settings& s) {
  if (s.programs == 0) throw std::runtime_error("no programs");
  const auto start = std::chrono::steady_clock::now();
  const loader::temporary_directory folder;
  make_program(s.first_seed, s.program);  // what is wrong with the options is said here, once
  const uint64_t end = s.first_seed + s.programs;
  outcome total;
  for (uint64_t next = s.first_seed; next < end;) {
    // As many batches at once as jobs; results are taken in the seeds' order.
    std::vector<std::future<outcome>> running;
    for (unsigned job = 0; job < s.jobs && next < end; ++job) {
      const uint64_t last = std::min(next + batch_size, end);
      running.push_back(std::async(std::launch::async,
                                   [&s, &folder, next, last] { return batch(s, folder.path()).run(next, last); }));
      next = last;
    }
    for (std::future<outcome>& f : running) {
      const outcome o = f.get();
      fmt::print("{}", o.differences);
      std::fflush(stdout);
      total.found.add(o.found);
      total.kernels += o.kernels;
      total.differing += o.differing;
      total.counts.resize(o.counts.size());
      for (size_t k = 0; k < o.counts.size(); ++k) total.counts[k] += o.counts[k];
    }
  }
  print_totals(s, total, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return total.differing == 0;
}

}  // namespace pws::test
