// SPDX-License-Identifier: Apache-2.0
#include "platform/run/program/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "platform/run/program/machine_timing.h"
#include "sw/loader/names.h"
#include "sw/pwscc/cached_device.h"

namespace pws::platform {

namespace {

// Runs `f`; what it throws as input_error is said to come from a place in the configuration.
template <class F>
auto blaming(const origin& where, const char* key, F&& f) {
  try {
    return f();
  } catch (const input_error& e) {
    throw input_error(fmt::format("{}: {}: {}", where.text(), key, e.what()));
  }
}

bool is_source_for_pwscc(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".hip" || extension == ".s" || extension == ".cpp" || extension == ".cu";
}

// Through pwscc, which is told of the machine that it compiles for.
compiled_program compile(const run_config& config) {
  const program_config& p = config.program;
  pwscc::device_options options;
  if (std::filesystem::path(p.source).extension() != ".s") options.flags = {"-std=c++17", "-O3"};
  options.flags.insert(options.flags.end(), p.flags.begin(), p.flags.end());
  options.pass.choice = p.split;
  options.divergence = p.divergence;
  options.pass.swf_contexts = models::swfs_to_compile_for(config.machine);
  options.pass.split_cycles = config.machine.split_cycles;
  options.pass.merge_cycles = config.machine.merge_cycles;
  for (const loop_bound_config& l : config.wcet.loops)
    if (l.line != 0) options.loop_bounds.push_back({l.file, l.line, l.bound});
  options.pass.machine = timing_to_compile_for(config.machine);
  const pwscc::cached_device device =
      pwscc::compile_cached(p.source, options, loader::compile_cache(loader::compile_cache::default_directory()));
  compiled_program out{loader::read_program(device.code_object, p.source), {}};
  if (p.split == pwscc::split_choice::none) return out;
  out.placed.choice = name_of(p.split);
  for (const pwscc::placed_branch& b : device.branches) {
    const auto runs = [&b](const run_launch& l) {
      return b.function == l.kernel || loader::without_parameters(loader::demangle(b.function)) == l.kernel;
    };
    if (std::none_of(config.launches.begin(), config.launches.end(), runs)) continue;
    ++out.placed.branches;
    out.placed.splits += b.split;
    out.placed.carried_masks += b.carried_masks;
  }
  return out;
}

bool mentions_marks(const std::string& source) {
  std::ifstream in(source, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return text.find("pws.h") != std::string::npos;
}

compiled_program load(const run_config& config, assembly_text assembly) {
  const program_config& p = config.program;
  const bool for_pwscc = is_source_for_pwscc(p.source);
  const auto by_line = std::find_if(config.wcet.loops.begin(), config.wcet.loops.end(),
                                    [](const loop_bound_config& l) { return l.line != 0; });
  const bool has_lines = by_line != config.wcet.loops.end();
  if (has_lines && (!for_pwscc || std::filesystem::path(p.source).extension() == ".s"))
    throw input_error(
        fmt::format("{}: wcet.loops: a bound by line needs a HIP source; here a label or an offset says "
                    "which loop it is",
                    by_line->where.text()));
  // Bounds of loops are in the code, so a run has the code that its analysis has.
  const bool bounded = for_pwscc && (has_lines || mentions_marks(p.source));
  const bool by_pwscc = p.split != pwscc::split_choice::none || p.divergence != pwscc::divergence_code::none;
  if (by_pwscc || (assembly == assembly_text::wanted && for_pwscc) || bounded) return compile(config);
  loader::load_options options;
  options.compile.flags = p.flags;
  return {loader::load_program(p.source, options), {}};
}

}  // namespace

compiled_program compile_program(const run_config& config, assembly_text assembly) {
  compiled_program program = blaming(config.program.where, "program.source", [&] { return load(config, assembly); });
  for (const run_launch& l : config.launches) {
    const std::string key = (l.below.empty() ? "program." : l.below) + "kernel";
    blaming(l.kernel_where, key.c_str(), [&] { return program.image.find_kernel(l.kernel); });
  }
  return program;
}

}  // namespace pws::platform
