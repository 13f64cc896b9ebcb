// SPDX-License-Identifier: Apache-2.0
// Waiting for what is typed, without missing a signal.
#pragma once

namespace pws::platform::debug {

enum class waited {
  input,     // standard input can be read, or has ended
  signal,    // one that somebody handles
  must_end,  // one that ends the run: interruption::signal()
};

// A signal that ends the run and came before the call is found as well as one that comes during it: between a look at
// interruption::signal() and a wait there is no gap.
waited wait_for_input();

}  // namespace pws::platform::debug
