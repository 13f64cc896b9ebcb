#include "platform/run_session.h"

#include <fmt/format.h>

#include "models/isa/error.h"
#include "platform/config/buffer.h"
#include "platform/config/check.h"
#include "sw/loader/names.h"
#include "sw/pwscc/device_compiler.h"

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

std::vector<check_outcome> check(const run_config& config, const std::vector<kernel_argument>& arguments) {
  std::vector<const uint8_t*> actual;
  for (const kernel_argument& a : arguments) actual.push_back(a.bytes.data());
  std::vector<check_outcome> outcomes;
  for (const check_result& c : check_run(config, actual)) outcomes.push_back({c.buffer, c.passed(), c.summary()});
  return outcomes;
}

// With split points: through pwscc, which is told of the machine that it compiles for.
loader::program_image load(const run_config& config, run_report::split_points& placed) {
  const program_config& p = config.program;
  if (p.split == pwscc::split_choice::none) {
    loader::load_options options;
    options.compile.flags = p.flags;
    return loader::load_program(p.source, options);
  }
  pwscc::device_options options;
  if (std::filesystem::path(p.source).extension() != ".s") options.flags = {"-std=c++17", "-O3"};
  options.flags.insert(options.flags.end(), p.flags.begin(), p.flags.end());
  options.pass.choice = p.split;
  options.pass.swf_contexts = config.machine.spsimd_per_simd;
  options.pass.split_cycles = config.machine.split_cycles;
  options.pass.merge_cycles = config.machine.merge_cycles;
  const pwscc::device_result device = pwscc::compile_device(p.source, options);
  placed.choice = pwscc::name_of(p.split);
  for (const pwscc::branch_report& b : device.report.branches) {
    if (b.function != p.kernel && loader::without_parameters(loader::demangle(b.function)) != p.kernel) continue;
    ++placed.branches;
    placed.splits += b.split;
    placed.carried_masks += b.carried_masks;
  }
  return loader::read_program(device.code_object, p.source);
}

}  // namespace

run_report run(const run_config& config, const run_outputs& outputs) {
  const program_config& p = config.program;
  run_report::split_points placed;
  const loader::program_image program = blaming(p.where, "program.source", [&] { return load(config, placed); });
  blaming(p.kernel_where, "program.kernel", [&] { return program.find_kernel(p.kernel); });

  kernel_run k;
  k.machine = config.machine;
  k.program = &program;
  k.kernel = p.kernel;
  k.launch = config.launch;
  for (const argument_config& a : config.arguments)
    k.arguments.push_back({a.name, a.buffer() != nullptr, initial_contents(a)});
  run_report report = execute(k, outputs);
  report.file = config.file;
  report.source = p.source;
  report.split = placed;
  if (report.completed) report.checks = check(config, k.arguments);
  if (!outputs.report.empty()) write_json(outputs.report, report);
  return report;
}

}  // namespace pws::platform
