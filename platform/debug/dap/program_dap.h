// SPDX-License-Identifier: Apache-2.0
// The editor's debugger in the process of a HIP program, whose runtime has the machine: it speaks with the client in
// place of `pwsvp dap`, which has started the program, from the first launch to the program's end.
#pragma once

#include <unistd.h>

#include <functional>
#include <string>

#include "platform/debug/dap/connection.h"
#include "platform/debug/dap/handover_page.h"
#include "platform/debug/dap/session.h"
#include "platform/run/session/instrument.h"

namespace pws::platform::debug {

// The variable of the environment. Its value has the numbers of file descriptors.
inline constexpr const char* dap_variable = "PWSVP_DAP";
std::string text_for_program(const dap::lent_streams& s, const dap::handover_page& page);

class program_dap {
 public:
  // That of this process, which stays as long as the process does; nullptr: no editor has started it, or another
  // process below the same `pwsvp` has it. `end` ends the process with an exit code.
  static program_dap* of_process(const std::function<void(int)>& end);

  // The session's machine is debugged. One session at a time.
  void add_to(session_options& o) { session_.add_to(o); }
  // The program ends: `pwsvp dap` goes on with the client.
  void hand_back();

 private:
  program_dap(const dap::lent_streams& s, int page, const std::function<void(int)>& end);

  const pid_t owner_ = getpid();
  const dap::handover_page page_;
  dap::connection client_;
  dap::session session_;
};

}  // namespace pws::platform::debug
