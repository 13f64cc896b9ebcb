// SPDX-License-Identifier: Apache-2.0
// Home lanes (warp formation paper, 4.1): the lane whose register bank has a work-item's registers. A wavefront's
// work-items are placed as if it were static warps of `warp_size` each, in order; with swizzling, even and odd lanes
// change places in every other static warp of a workgroup, so that a branch on the parity of the work-item's number
// does not need the same lanes in all of them.
#pragma once

#include <cstdint>

#include "models/isa/wave_state.h"

namespace pws::models {

// The home lanes of a path, whose work-items all belong to one static warp.
class home_lanes {
 public:
  // A warp of one lane has nothing to exchange.
  home_lanes(uint32_t warp_size, bool swizzle) : warp_size_(warp_size), swizzle_(swizzle && warp_size > 1) {}

  // The lanes of `work_items`, bits of their wavefront, which is number `wave` of its workgroup; at least one.
  uint64_t of(uint64_t work_items, uint32_t wave) const {
    const uint32_t warp = warp_of(work_items);
    return swizzled(wave, warp, work_items >> warp * warp_size_);
  }
  // Those of `work_items` whose home lanes are among `lanes`.
  uint64_t work_items_in(uint64_t lanes, uint64_t work_items, uint32_t wave) const {
    const uint32_t warp = warp_of(work_items);
    return swizzled(wave, warp, lanes) << warp * warp_size_ & work_items;
  }
  // Whether even and odd ones have changed places in their static warp.
  bool are_exchanged(uint64_t work_items, uint32_t wave) const { return are_exchanged_in(wave, warp_of(work_items)); }
  // Each lane of a pair in the place of the other; its own inverse.
  static uint64_t exchanged(uint64_t lanes) {
    constexpr uint64_t even = 0x5555555555555555;
    return (lanes & even) << 1 | (lanes >> 1 & even);
  }

 private:
  uint32_t warp_of(uint64_t work_items) const {
    return static_cast<uint32_t>(__builtin_ctzll(work_items)) / warp_size_;
  }
  bool are_exchanged_in(uint32_t wave, uint32_t warp) const {
    return swizzle_ && (wave * (isa::wave_size / warp_size_) + warp) % 2 != 0;
  }
  uint64_t swizzled(uint32_t wave, uint32_t warp, uint64_t lanes) const {
    return are_exchanged_in(wave, warp) ? exchanged(lanes) : lanes;
  }
  const uint32_t warp_size_;
  const bool swizzle_;
};

}  // namespace pws::models
