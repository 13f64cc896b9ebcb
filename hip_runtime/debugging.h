// SPDX-License-Identifier: Apache-2.0
// The debugger that this process may have: a prompt (`pwsvp debug`), or an editor's (`pwsvp dap`).
#pragma once

#include "platform/run/session/instrument.h"

namespace pws::hip {

// The session's machine is debugged, if the process was started for that.
void add_debugger(platform::session_options& o);
// The process ends: whoever has started it goes on with the client.
void end_debugging();

}  // namespace pws::hip
