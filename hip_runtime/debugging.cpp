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
  note_exec(exec_note::finished);
  if (const int signal = interruption::signal(); signal != 0) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
  _exit(code);
}

debug::program_dap* editor = nullptr;

}  // namespace

void add_debugger(session_options& o) {
  if (debug::program_prompt* const p = debug::program_prompt::of_process(end_process)) p->add_to(o);
  editor = debug::program_dap::of_process(end_process);
  if (editor != nullptr) editor->add_to(o);
}

void end_debugging() {
  if (editor != nullptr) editor->hand_back();
}

}  // namespace pws::hip
