// SPDX-License-Identifier: Apache-2.0
// Points from what users write. All throw input_error, which says what is wrong.
#pragma once

#include <string>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

// A place as places::find takes it, or *ADDRESS, an expression. `near` gives the file of a line without one.
places::found place_in(const debugger& d, const std::string& text, const scene& here, uint64_t near);
// A breakpoint at such a place, which it is found at again when code has come or gone. `line`: that it has got. Throws
// unknown_place where code that is not there yet may have it.
point break_at(const debugger& d, const std::string& text, const scene& here, uint64_t near, code_line& line);
// WHAT or WHAT@COUNT: memory, which is watched for accesses of that kind, or a value, for changes alone. It knows what
// is there now, and is not in the table yet.
point watch_on(const debugger& d, const std::string& text, point_kind kind, const scene& here);
// An event by its name. It is refused where it cannot come.
point catch_on(const debugger& d, const std::string& name);
// "Breakpoint 1: block_c", "Catchpoint, split 2".
std::string title_of(const point& p);

}  // namespace pws::platform::debug
