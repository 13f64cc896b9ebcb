// SPDX-License-Identifier: Apache-2.0
// A register that a divergence scheme keeps for a context, as waveform and debug window show it.
#pragma once

#include <cstdint>
#include <string>

namespace pws::models {

// The waveform has this many of a list's registers, the first ones; the debug window has room for more.
constexpr uint32_t listed_in_waveform = 8;

struct shown_register {
  std::string name;            // below the context's scope in the waveform
  unsigned bits = 0;           // in the waveform; 0: not there
  uint64_t record_offset = 0;  // in the context's record of the debug window (models/dispatch/debug_window.h)
  unsigned record_bytes = 0;
};

}  // namespace pws::models
