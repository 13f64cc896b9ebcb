// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/csmith/check.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "platform/config/machine_schema.h"
#include "platform/config/overrides.h"
#include "sw/pwscc/device_compiler.h"
#include "tests/fuzz/csmith/device_run.h"
#include "tests/fuzz/csmith/transform.h"
#include "tests/integration/child_process.h"

namespace pws::test {

namespace fs = std::filesystem;

namespace {

constexpr unsigned compile_seconds = 300;
constexpr unsigned reference_seconds = 60;
constexpr int step_limit_status = 3;  // program_end.h

// What program_end.h's main() prints.
struct reference_run {
  uint64_t state_bytes = 0;
  std::vector<uint64_t> inputs, checksums;
};

std::optional<reference_run> parse(const std::string& text, uint32_t lanes) {
  reference_run r;
  std::istringstream in(text);
  std::string word;
  if (!(in >> word >> r.state_bytes) || word != "bytes" || r.state_bytes == 0) return std::nullopt;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint64_t input = 0, sum = 0;
    if (!(in >> std::hex >> input >> sum)) return std::nullopt;
    r.inputs.push_back(input);
    r.checksums.push_back(sum);
  }
  return r;
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

models::machine_config machine_of(const check_options& options, models::fidelity fidelity,
                                  const std::string& settings) {
  models::machine_config c = fuzz_machine(fidelity);
  if (options.split != pwscc::split_choice::none) {
    c.spsimd_per_simd = options.swf_contexts;
    c.check.split_isolation = true;
  }
  if (options.checks)
    for (bool* on : {&c.check.waits, &c.check.races, &c.check.init, &c.check.coherence, &c.check.sync}) *on = true;
  platform::issue_list issues("");
  platform::reader read(issues);
  platform::yaml_node root;
  root.type = platform::yaml_node::kind::mapping;
  std::vector<std::string> list;
  std::istringstream text(settings);
  for (std::string one; std::getline(text, one, ',');) list.push_back(one);
  platform::apply_overrides(root, list, issues);
  platform::machine_schema().read(root, "", c, read);
  issues.throw_if_any();
  return c;
}

// The instruction, if that is why the machine stopped: it moves data between work-items that the machine parts for
// good. clang makes them of functions without lanes too, where it keeps scalar registers in lanes of a vector register.
std::string refused_instruction(const std::string& error) {
  if (error.find("never joins paths") == std::string::npos) return "";
  const std::string before = "): ";
  const size_t at = error.find(before);
  if (at == std::string::npos) return "";
  return error.substr(at + before.size(), error.find(' ', at + before.size()) - at - before.size());
}

class checker {
 public:
  checker(std::string source, const recipe& r, const toolchain& tools, const check_options& options, fs::path folder)
      : source_(std::move(source)), recipe_(r), tools_(tools), options_(options), folder_(std::move(folder)) {}

  outcome run() {
    result_.seed = recipe_.seed;
    if (run_reference()) {
      place_state(recipe_, reference_.state_bytes);
      result_.state = recipe_.state;
      if (compile_for_device()) {
        launch_under_each(models::fidelity::functional);
        const uint64_t every = options_.timing_every;
        if (result_.verdict == verdict::agrees && every != 0 && recipe_.seed % every == 0 &&
            result_.instructions <= options_.timing_instructions)
          launch_under_each(models::fidelity::timing);
      }
    }
    return std::move(result_);
  }

 private:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  void discard(const std::string& reason, const std::string& detail) {
    result_.verdict = verdict::discarded;
    result_.reason = reason;
    result_.detail = detail;
  }

  bool run_reference() {
    const program_result compiled =
        run_program(reference_command(tools_, recipe_, source_, file("reference")), compile_seconds);
    if (compiled.exit_code != 0) {
      discard("not accepted by the host compiler", compiled.err);
      return false;
    }
    const program_result ran = run_program({file("reference")}, reference_seconds);
    if (ran.exit_code == step_limit_status || ran.exit_code == 128 + SIGALRM) {
      discard("runs too long", ran.err);
      return false;
    }
    if (ran.exit_code != 0) {
      const bool undefined =
          ran.err.find("runtime error:") != std::string::npos || ran.err.find("AddressSanitizer") != std::string::npos;
      discard(undefined ? "undefined behaviour" : "crashes on the host", ran.err);
      return false;
    }
    const auto parsed = parse(ran.out, recipe_.lanes);
    if (!parsed) throw std::runtime_error("the reference printed something else than results:\n" + ran.out);
    reference_ = *parsed;
    return true;
  }

  std::vector<std::string> device_compilation(const std::string& level, const std::string& source,
                                              const std::string& output) const {
    std::vector<std::string> command = device_command(tools_, recipe_, level, source, output);
    // As pwscc does: copies of the code behind a branch leave it without one place where its sides meet.
    if (options_.split != pwscc::split_choice::none)
      command.insert(command.end(), {"-S", "-mllvm", "-tail-dup-placement=0"});
    if (predicated()) {
      const std::vector<std::string> flags = pwscc::predication_flags(options_.divergence);
      command.insert(command.end(), flags.begin(), flags.end());
      command.push_back("-S");
    }
    if (options_.break_lane) command.push_back(fmt::format("-DFUZZ_BREAK_LANE={}", *options_.break_lane));
    return command;
  }

  bool compile_for_device() {
    for (const std::string& level : options_.levels) {
      const std::string object = file("O" + level + ".hsaco");
      const bool edited = options_.split != pwscc::split_choice::none || predicated();
      const std::string compiled_to = edited ? file("O" + level + ".s") : object;
      const program_result compiled = run_program(device_compilation(level, source_, compiled_to), compile_seconds);
      if (compiled.exit_code != 0) {
        discard("not accepted by the GPU's compiler", compiled.err);
        return false;
      }
      if (edited) run_pass(compiled_to, object);
      programs_.push_back({object, kernel_name(level)});
    }
    return true;
  }

  // The pass, from the compiler's assembly to a code object.
  void run_pass(const std::string& assembly, const std::string& object) {
    std::ifstream in(assembly);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string edited = assembly + ".split.s";
    write_file(edited, predicated() ? remove_checks(text, assembly) : place_splits(text, assembly));
    const program_result assembled = run_program(
        {tools_.clang, "-x", "assembler", "--target=amdgcn-amd-amdhsa", "-mcpu=gfx803", edited, "-o", object},
        compile_seconds);
    if (assembled.exit_code != 0) throw std::runtime_error("the pass's output cannot be assembled:\n" + assembled.err);
  }

  bool predicated() const { return pwscc::predicates(options_.divergence); }

  std::string remove_checks(const std::string& text, const std::string& name) {
    pwscc::predicated p = pwscc::remove_checks(text, name, options_.divergence);
    for (const pwscc::check_report& c : p.checks) {
      ++result_.checks;
      result_.checks_kept += c.kept;
    }
    return std::move(p.assembly);
  }

  std::string place_splits(const std::string& text, const std::string& name) {
    pwscc::pass_options options;
    options.choice = options_.split;
    options.swf_contexts = options_.swf_contexts;
    pwscc::pass_result placed = pwscc::place_splits(text, name, options);
    for (const pwscc::branch_report& b : placed.report.branches) {
      result_.split_points += b.split;
      result_.refused_branches += !b.split && b.reason.find("one side only") == std::string::npos;
      result_.carried_masks += b.carried_masks;
    }
    return std::move(placed.assembly);
  }

  void launch_under_each(models::fidelity fidelity) {
    const bool split = options_.split != pwscc::split_choice::none;
    if (options_.machines.empty()) return launch(fidelity, split ? "divergence=pws" : "");
    for (const std::string& settings : options_.machines)
      if (result_.verdict == verdict::agrees) launch(fidelity, settings);
  }

  // The programs from the `first` one on.
  void launch(models::fidelity fidelity, const std::string& settings, size_t first = 0) {
    const bool timing = fidelity == models::fidelity::timing;
    std::string name = timing ? "timing" : "functional";
    if (!settings.empty()) name += ", " + settings;
    const models::machine_config machine = machine_of(options_, fidelity, settings);
    const std::vector<device_program> programs(programs_.begin() + static_cast<std::ptrdiff_t>(first), programs_.end());
    device_result d = run_on_device(programs, recipe_, reference_.inputs, reference_.state_bytes, machine);
    if (!d.crash.empty()) return differs(name + ": the platform died: " + d.crash);
    if (result_.counts.empty()) result_.counts.resize(d.counts.size());
    for (size_t k = 0; k < d.counts.size(); ++k) result_.counts[k] += d.counts[k];
    for (size_t k = 0; k < d.launches.size(); ++k) {
      const device_launch& l = d.launches[k];
      const std::string where = fmt::format("-O{}, {}", options_.levels[first + k], name);
      result_.instructions += l.instructions;
      if (const std::string by = refused_instruction(l.error); !by.empty()) {
        ++result_.refused[by];
        if (first + k + 1 < programs_.size()) launch(fidelity, settings, first + k + 1);
        return;
      }
      ++(timing ? result_.timing_launches : result_.launches);
      if (!l.error.empty()) return differs(where + ": " + l.error);
      for (uint32_t lane = 0; lane < recipe_.lanes; ++lane)
        if (l.checksums[lane] != reference_.checksums[lane]) return compare(where, l.checksums);
    }
    if (!d.findings.empty()) differs(name + ": the machine's checks find\n" + d.findings);
  }

  void compare(const std::string& where, const std::vector<uint64_t>& checksums) {
    std::string detail = where + ": checksums differ\n";
    for (uint32_t lane = 0; lane < recipe_.lanes; ++lane)
      if (checksums[lane] != reference_.checksums[lane])
        detail += fmt::format("  lane {} (input {:#018x}): GPU {:#018x}, host {:#018x}\n", lane,
                              reference_.inputs[lane], checksums[lane], reference_.checksums[lane]);
    // A program that does not mean the same to one host compiler at two levels proves nothing.
    for (const char* level : {"0", "3"}) {
      const std::string plain = file(std::string("plain") + level);
      if (run_program(plain_host_command(tools_, recipe_, level, source_, plain), compile_seconds).exit_code != 0)
        throw std::runtime_error(std::string("the host compiler fails at -O") + level);
      const program_result ran = run_program({plain}, reference_seconds);
      const auto parsed = parse(ran.out, recipe_.lanes);
      if (!parsed || parsed->checksums != reference_.checksums)
        return discard("differs on the host too", detail + "  the host at -O" + level + " differs as well\n");
    }
    differs(detail);
  }

  void differs(std::string detail) {
    result_.verdict = verdict::differs;
    const fs::path kept = fs::absolute(fs::path(options_.keep) / fmt::format("seed-{}", recipe_.seed));
    fs::create_directories(kept);
    const std::string source = (kept / "program.cpp").string();
    if (!fs::exists(source) || !fs::equivalent(source, source_))
      fs::copy_file(source_, source, fs::copy_options::overwrite_existing);
    std::string commands = "# the reference\n" +
                           shell_line(reference_command(tools_, recipe_, source, (kept / "reference").string())) +
                           "\n# the GPU's code\n";
    for (size_t k = 0; k < programs_.size(); ++k) {
      const std::string object = (kept / fs::path(programs_[k].file).filename()).string();
      fs::copy_file(programs_[k].file, object, fs::copy_options::overwrite_existing);
      for (const char* text : {".s", ".s.split.s"})
        if (const fs::path from = file("O" + options_.levels[k] + text); fs::exists(from))
          fs::copy_file(from, kept / from.filename(), fs::copy_options::overwrite_existing);
      commands += shell_line(device_compilation(options_.levels[k], source, object)) + "\n";
    }
    std::string levels;
    for (const std::string& level : options_.levels) levels += (levels.empty() ? "" : ",") + level;
    std::string again =
        fmt::format("fuzz_csmith --programs 1 --seed {} --opt {} --timing-every 1", recipe_.seed, levels);
    if (options_.split != pwscc::split_choice::none) {
      again += fmt::format(" --split {} -S {}", pws::name_of(options_.split), options_.swf_contexts);
    }
    if (predicated()) again += fmt::format(" --divergence {}", pws::name_of(options_.divergence));
    if (options_.checks) again += " --checks";
    for (const std::string& settings : options_.machines) again += " --machine " + settings;
    if (options_.break_lane) again += fmt::format(" --break-lane {}", *options_.break_lane);
    commands +=
        "# both, compared\n" + again + "\n# the same for an edited program\n" + again + " --source " + source + "\n";
    write_file(kept / "commands", commands);
    result_.detail = fmt::format("{}\n  state in {}, {} lanes in workgroups of {}\n  kept: {}\n  again: {}", detail,
                                 name_of(recipe_.state), recipe_.lanes, recipe_.workgroup, kept.string(), again);
  }

  std::string source_;
  recipe recipe_;
  const toolchain& tools_;
  const check_options& options_;
  fs::path folder_;
  reference_run reference_;
  std::vector<device_program> programs_;
  outcome result_;
};

}  // namespace

void check_machines(const check_options& options) {
  for (const std::string& settings : options.machines) machine_of(options, models::fidelity::timing, settings);
}

outcome check_source(const std::string& source, const recipe& r, const toolchain& tools, const check_options& options,
                     const std::string& folder) {
  return checker(source, r, tools, options, folder).run();
}

outcome check_seed(uint64_t seed, const toolchain& tools, const check_options& options, const std::string& folder) {
  const recipe r = recipe_of(seed);
  const generated_program p = generate(r, options.size);
  const std::string source = (fs::path(folder) / "program.cpp").string();
  write_file(source, lane_program(p.text));
  outcome o = check_source(source, r, tools, options, folder);
  o.passed_over = p.passed_over;
  return o;
}

}  // namespace pws::test
