// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/debugging.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "platform/config/files/exec_notes.h"
#include "platform/debug/dap/program_dap.h"
#include "platform/debug/prompt/program_prompt.h"
#include "platform/machine/interruption.h"

namespace pws::hip {

namespace {

// The user of the debugger has given the program up. Nothing of it goes on, its exit handlers neither.
void end_process(int code) {
  std::cout.flush();
  std::fflush(nullptr);
  platform::note_exec(platform::exec_note::finished);
  if (const int signal = platform::interruption::signal(); signal != 0) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
  _exit(code);
}

platform::debug::program_dap* editor = nullptr;

}  // namespace

void add_debugger(platform::session_options& o) {
  if (platform::debug::program_prompt* const p = platform::debug::program_prompt::of_process(end_process)) p->add_to(o);
  editor = platform::debug::program_dap::of_process(end_process);
  if (editor != nullptr) editor->add_to(o);
}

void end_debugging() {
  if (editor != nullptr) editor->hand_back();
}

}  // namespace pws::hip
