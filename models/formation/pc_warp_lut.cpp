// SPDX-License-Identifier: Apache-2.0
#include "models/formation/pc_warp_lut.h"

namespace pws::models {

pc_warp_lut::pc_warp_lut(uint32_t entries) : sets_(entries / ways), entries_(entries) {}

uint32_t pc_warp_lut::find(uint64_t pc) {
  const uint32_t first = set_of(pc) * ways;
  for (uint32_t e = first; e < first + ways; ++e)
    if (entries_[e].warp != none && entries_[e].pc == pc) {
      entries_[e].requested_at = ++clock_;
      return e;
    }
  return none;
}

pc_warp_lut::placed pc_warp_lut::place(uint64_t pc, uint32_t warp) {
  const uint32_t first = set_of(pc) * ways;
  uint32_t best = first;
  for (uint32_t e = first; e < first + ways; ++e) {
    if (entries_[e].warp == none) {
      best = e;
      break;
    }
    if (entries_[e].requested_at < entries_[best].requested_at) best = e;
  }
  const placed p{best, entries_[best].warp};
  in_use_ += p.displaced == none;
  entries_[best] = {pc, warp, 0, ++clock_};
  return p;
}

void pc_warp_lut::free(uint32_t e) {
  entries_[e].warp = none;
  --in_use_;
}

}  // namespace pws::models
