#include "platform/run_session.h"

#include <fmt/format.h>

#include "models/isa/error.h"
#include "platform/config/buffer.h"
#include "platform/config/check.h"

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

}  // namespace

run_report run(const run_config& config, const run_outputs& outputs) {
  const program_config& p = config.program;
  loader::load_options options;
  options.compile.flags = p.flags;
  const loader::program_image program =
      blaming(p.where, "program.source", [&] { return loader::load_program(p.source, options); });
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
  if (report.completed) report.checks = check(config, k.arguments);
  if (!outputs.report.empty()) write_json(outputs.report, report);
  return report;
}

}  // namespace pws::platform
