// SPDX-License-Identifier: Apache-2.0
// The PC-warp LUT (warp formation paper, Fig. 11 b): by PC, the warp of the pool that is being formed there and the
// lanes that it has taken. Two-way set associative: a PC that finds no free way takes that of the PC that was asked for
// longer ago, whose warp stays as it is from then on.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_archive.h"

namespace pws::models {

class pc_warp_lut {
 public:
  static constexpr uint32_t none = ~uint32_t{0};
  static constexpr uint32_t ways = 2;

  // `entries`: twice a power of two.
  explicit pc_warp_lut(uint32_t entries);

  // The warp that work-items at a PC join.
  struct entry {
    uint64_t pc = 0;
    uint32_t warp = none;   // in the pool (the paper's IDX); none: the entry is free
    uint64_t occupied = 0;  // the paper's OCC
    uint64_t requested_at = 0;
  };
  // The entry of that PC, or none.
  uint32_t find(uint64_t pc);
  // What place() gives.
  struct placed {
    uint32_t entry = none;
    uint32_t displaced = none;  // the warp whose entry this was
  };
  // An entry for a PC that has none, with `warp` and no lane taken.
  placed place(uint64_t pc, uint32_t warp);
  void free(uint32_t entry);

  entry& operator[](uint32_t e) { return entries_[e]; }
  const entry& operator[](uint32_t e) const { return entries_[e]; }
  uint32_t in_use() const { return in_use_; }
  // Its state, saved or restored.
  void keep(state_archive& a) {
    for (entry& e : entries_) a(e.pc, e.warp, e.occupied, e.requested_at);
    a(clock_, in_use_);
  }

 private:
  // Instructions lie four or eight bytes apart: the dword's number, its high bits folded in.
  uint32_t set_of(uint64_t pc) const { return static_cast<uint32_t>(pc >> 2 ^ pc >> 9) & (sets_ - 1); }
  const uint32_t sets_;
  std::vector<entry> entries_;
  uint64_t clock_ = 0;
  uint32_t in_use_ = 0;
};

}  // namespace pws::models
