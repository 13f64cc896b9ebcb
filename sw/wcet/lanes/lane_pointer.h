// SPDX-License-Identifier: Apache-2.0
// What is known of registers as addresses: one domain of what is known of a wavefront (lane_state.h). Neither part has
// a widening, since each is a lattice of finite height.
#pragma once

#include <cstdint>

#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

// Half of an address that lies at a known distance from something whose own address is not known.
struct relative_word {
  enum class origin : uint8_t { none, kernarg, packet };
  origin from = origin::none;
  bool upper = false;
  uint32_t distance = 0;  // upper half: of the lower half that it goes with
};
inline bool operator==(const relative_word& a, const relative_word& b) {
  return a.from == b.from &&
         (a.from == relative_word::origin::none || (a.upper == b.upper && a.distance == b.distance));
}

// One that is at that place in both; else it is at none that is known.
inline relative_word join(const relative_word& a, const relative_word& b) {
  return a == b ? a : relative_word{};
}
// Into which buffers an address leads, one of these; 0: it is not known to be such an address. One of either's.
inline buffer_set join_buffers(buffer_set a, buffer_set b) {
  return a != 0 && b != 0 ? a | b : 0;
}

}  // namespace pws::wcet
