// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/debug_run.h"

#include <signal.h>

#include <ostream>

#include "platform/debug/prompt/prompt.h"

namespace pws::platform::debug {

namespace {

std::atomic<debugger*> to_interrupt{nullptr};
static_assert(std::atomic<debugger*>::is_always_lock_free);

void on_interrupt(int) {
  if (debugger* const d = to_interrupt) d->interrupt();
}

// SIGINT stops the machine and leads to the prompt, for as long as this lives.
class interrupt_handler {
 public:
  explicit interrupt_handler(debugger& d) {
    to_interrupt = &d;
    struct sigaction ours {};
    ours.sa_handler = on_interrupt;
    ours.sa_flags = SA_RESTART;
    sigaction(SIGINT, &ours, &before_);
  }
  ~interrupt_handler() {
    sigaction(SIGINT, &before_, nullptr);
    to_interrupt = nullptr;
  }
  interrupt_handler(const interrupt_handler&) = delete;
  interrupt_handler& operator=(const interrupt_handler&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace

debug_outcome debug_run(const run_config& config, const prompt_commands& given, snapshot_options snapshots,
                        std::ostream& out, std::ostream& problems) {
  out << unwritten_note(config);
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
