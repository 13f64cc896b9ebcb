// SPDX-License-Identifier: Apache-2.0
// The calls that a path is in.
#pragma once

#include <vector>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

struct call_frame {
  uint64_t pc = 0;           // of the instruction, or of the call
  bool inlined = false;      // the code of a function that was inlined
  loader::source_line line;  // line 0: not known
  std::string inlined_name;  // of that function; "": not known
  frame_choice names;        // where its variables are
};

// The innermost first: the functions that were inlined at `pc`, and the function itself.
std::vector<call_frame> frames_at(const debugger& d, uint64_t pc);
// The same, and then its caller if that is known. A function that the kernel has called has its return address in
// s[30:31] until it calls another one.
std::vector<call_frame> frames_of(const debugger& d, const path& p, uint64_t pc);

}  // namespace pws::platform::debug
