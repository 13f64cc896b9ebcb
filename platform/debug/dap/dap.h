// SPDX-License-Identifier: Apache-2.0
// `pwsvp dap`: the debugger for editors.
#pragma once

#include "platform/debug/snapshots.h"

namespace pws::platform::debug {

// Serves a client of the Debug Adapter Protocol on standard input and output, until it goes. The exit code: 0; 128 + N
// if signal N has ended a run; 2 if what came was another protocol.
int serve_dap(snapshot_options snapshots = {});

}  // namespace pws::platform::debug
