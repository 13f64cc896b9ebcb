// SPDX-License-Identifier: Apache-2.0
// The state of a session's machine, with its runtime and its time.
#pragma once

#include "base/state_archive.h"
#include "platform/run/session/session.h"

namespace pws::platform {

// Restoring: the session has its program and its buffers, as the one had that was saved, and nothing has run. Throws
// bad_state.
void keep_session(state_archive& a, session& s);

}  // namespace pws::platform
