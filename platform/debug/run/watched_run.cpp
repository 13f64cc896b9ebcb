// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/run/watched_run.h"

#include "base/error.h"
#include "platform/config/files/exec_config.h"
#include "platform/machine/interruption.h"
#include "platform/machine/virtual_platform.h"
#include "platform/report/run_report.h"
#include "platform/run/run_session.h"

namespace pws::platform::debug {

debugged_run run_to_debug(const run_config& config) {
  debugged_run about;
  about.launches = config.launches.size();
  for (const argument_config& a : config.arguments) {
    if (const buffer_argument* const b = a.buffer()) about.arguments.buffers[a.name] = b->type;
    if (const auto* const n = std::get_if<scalar_argument>(&a.value))
      about.arguments.numbers[a.name] = {n->type, n->bits};
  }
  return about;
}

void check_program_to_debug(const std::string& config, const std::vector<std::string>& sets) {
  if (load_exec(config, sets).devices != 1)
    throw input_error("exec.devices: the debugger is for programs with one GPU");
}

std::string idle_note(const run_config& config) {
  std::string note;
  if (!config.save.empty() || !config.to_write.empty())
    note += "What the run file saves and writes (save, outputs) is not written here.\n";
  const models::machine_config& m = config.machine;
  if (m.threads > 1 && m.fidelity == models::fidelity::functional)
    note += "machine.threads has no effect here: the debugger follows instructions one after the other.\n";
  return note;
}

run_outcome watched_run(const run_config& config, debugger& core, std::ostream& out, bool is_first) {
  run_config watched = config;
  watched.save.clear();
  watched.to_write = {};
  session_options options;
  core.add_to(options);
  run_outcome outcome;
  for (;; is_first = false) {
    if (!is_first) new_simulation();
    try {
      const run_report report = run(watched, options);
      outcome.ended = true;
      outcome.passed = report.pass();
      outcome.signal = report.signal;
      print(out, report);
    } catch (const run_given_up&) {
      if (core.next_run()) continue;
      outcome.signal = interruption::signal();
    }
    return outcome;
  }
}

}  // namespace pws::platform::debug
