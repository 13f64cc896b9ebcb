// SPDX-License-Identifier: Apache-2.0
// Work-items of an access, one after the other.
#pragma once

#include <cstdint>

namespace pws::check {

// Calls f(lane) for each bit of the mask, the lowest first.
template <class F>
void for_each_lane(uint64_t mask, F&& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(__builtin_ctzll(mask)));
}

}  // namespace pws::check
