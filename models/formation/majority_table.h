// SPDX-License-Identifier: Apache-2.0
// How many work-items of the warp pool stand at each PC (warp formation paper, 4.3, the Majority issue logic). The
// table has a fixed number of entries. A PC for which there is none is not counted: its work-items issue when none that
// is counted can, and get an entry when one becomes free, the oldest first.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_archive.h"

namespace pws::models {

class majority_table {
 public:
  static constexpr uint32_t none = ~uint32_t{0};

  explicit majority_table(uint32_t entries) : entries_(entries) {}

  // The entry that counts `work_items` more at this PC from now on, or none.
  uint32_t enter(uint64_t pc, uint32_t work_items);
  // They have left. True if the entry is free now.
  bool leave(uint32_t entry, uint32_t work_items) {
    entries_[entry].work_items -= work_items;
    if (entries_[entry].work_items != 0) return false;
    --in_use_;
    return true;
  }

  // Whether work-items are counted at this PC.
  bool has(uint64_t pc) const;
  uint64_t pc(uint32_t entry) const { return entries_[entry].pc; }
  uint32_t work_items(uint32_t entry) const { return entries_[entry].work_items; }
  uint32_t size() const { return static_cast<uint32_t>(entries_.size()); }
  uint32_t in_use() const { return in_use_; }
  // The entry of the PC at which most work-items stand; among equals, the one with the lowest PC. none: the table is
  // empty.
  uint32_t most_common() const;
  // Its state, saved or restored.
  void keep(state_archive& a) {
    for (counter& c : entries_) a(c.pc, c.work_items);
    a(in_use_);
  }

 private:
  struct counter {
    uint64_t pc = 0;
    uint32_t work_items = 0;  // 0: the entry is free
  };
  std::vector<counter> entries_;
  uint32_t in_use_ = 0;
};

}  // namespace pws::models
