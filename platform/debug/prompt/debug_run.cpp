// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/debug_run.h"

#include <ostream>

#include "platform/debug/prompt/interrupt_handler.h"
#include "platform/debug/prompt/prompt.h"

namespace pws::platform::debug {

debug_outcome debug_run(const run_config& config, const prompt_commands& given, snapshot_options snapshots,
                        std::ostream& out, std::ostream& problems) {
  out << idle_note(config);
  command_input input(given.files, given.commands);
  prompt face(out, problems, input);
  debugger core(face, run_to_debug(config), snapshots);
  face.attach(core);
  const interrupt_handler handler(core);
  debug_outcome outcome;
  outcome.run = watched_run(config, core, out);
  outcome.wrong_commands = face.wrong_commands();
  return outcome;
}

}  // namespace pws::platform::debug
