// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/debug_run.h"

#include <fmt/ostream.h>
#include <signal.h>

#include <ostream>

#include "platform/debug/prompt/prompt.h"
#include "platform/machine/interruption.h"
#include "platform/machine/virtual_platform.h"
#include "platform/report/run_report.h"
#include "platform/run/run_session.h"

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

debug_outcome debug_run(const run_config& config, const prompt_commands& given, std::ostream& out,
                        std::ostream& problems) {
  const bool writes = !config.save.empty() || !config.to_write.empty();
  if (writes) fmt::print(out, "What the run file saves and writes (save, outputs) is not written here.\n");
  run_config watched = config;
  watched.save.clear();
  watched.to_write = {};
  debugged_run about;
  about.launches = config.launches.size();
  for (const argument_config& a : config.arguments)
    if (const buffer_argument* const b = a.buffer()) about.types[a.name] = b->type;

  command_input input(given.files, given.commands);
  prompt face(out, problems, input);
  debugger core(face, about);
  face.attach(core);
  const interrupt_handler handler(core);
  session_options options;
  options.one_more = [&core](virtual_platform& board) { return core.instrument_of(board); };

  debug_outcome outcome;
  for (bool is_first = true;; is_first = false) {
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
    outcome.wrong_commands = face.wrong_commands();
    return outcome;
  }
}

}  // namespace pws::platform::debug
