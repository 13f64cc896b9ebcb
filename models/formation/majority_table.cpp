// SPDX-License-Identifier: Apache-2.0
#include "models/formation/majority_table.h"

namespace pws::models {

uint32_t majority_table::enter(uint64_t pc, uint32_t work_items) {
  uint32_t free = none;
  for (uint32_t e = 0; e < size(); ++e) {
    counter& c = entries_[e];
    if (c.work_items == 0) {
      if (free == none) free = e;
    } else if (c.pc == pc) {
      c.work_items += work_items;
      return e;
    }
  }
  if (free == none) return none;
  entries_[free] = {pc, work_items};
  ++in_use_;
  return free;
}

bool majority_table::has(uint64_t pc) const {
  for (const counter& c : entries_)
    if (c.work_items != 0 && c.pc == pc) return true;
  return false;
}

uint32_t majority_table::most_common() const {
  uint32_t best = none;
  for (uint32_t e = 0; e < size(); ++e) {
    const counter& c = entries_[e];
    if (c.work_items == 0) continue;
    if (best == none || c.work_items > entries_[best].work_items ||
        (c.work_items == entries_[best].work_items && c.pc < entries_[best].pc))
      best = e;
  }
  return best;
}

}  // namespace pws::models
