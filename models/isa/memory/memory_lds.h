// SPDX-License-Identifier: Apache-2.0
// LDS as DS instructions address it: base VGPR plus the instruction's byte offset, modulo 2^32 (GCN3 ISA 10.3 "LDS
// Access"). An access beyond the workgroup's LDS, beyond M0 (which bounds DS accesses on GCN3) or not naturally aligned
// is a program_error.
#pragma once

#include "models/isa/inst.h"
#include "models/isa/memory/memory_lanes.h"

namespace pws::isa {

// One checked access per active lane; `offset` has 64 valid entries.
struct lds_window {
  uint8_t* base;
  const uint32_t* offset;
  lane_range range;
};

class lds_lanes {
 public:
  // Checks accesses of `bytes` at address + offset0 (and at address + offset1, if `two`). step: see range_of().
  lds_lanes(wave_state& s, const inst& i, uint32_t offset0, uint32_t offset1, bool two, uint32_t bytes, uint32_t align,
            uint32_t step);

  bool empty() const { return mask == 0; }

  uint64_t mask;
  lds_window first, second;

 private:
  void exact(const wave_state& s, const uint32_t* row, uint32_t offset, uint32_t bytes, uint32_t align,
             uint32_t* buffer, lds_window& w) const;
  alignas(64) uint32_t buffer_[2][wave_size];
};

inline lds_lanes::lds_lanes(wave_state& s, const inst& i, uint32_t offset0, uint32_t offset1, bool two, uint32_t bytes,
                            uint32_t align, uint32_t step)
    : mask(s.active()) {
  if (mask == 0) return;
  const uint32_t* row = s.vgpr[i.src[0].index].lane;
  const uint32_t* offset = active_offsets(row, mask, buffer_[0]);
  const lane_range range = range_of(offset, mask, step);
  const uint32_t limit = s.lds_bytes < s.scalar[m0] ? s.lds_bytes : s.scalar[m0];
  const uint32_t highest = two && offset1 > offset0 ? offset1 : offset0;
  // All at once: no lane needs its own sum if none wraps or exceeds the limit.
  if (uint64_t{range.high} + highest + bytes <= limit && ((range.bits | offset0 | offset1) & (align - 1)) == 0) {
    first = {s.lds + offset0, offset, range};
    second = {s.lds + offset1, offset, range};
    return;
  }
  if (two) exact(s, row, offset1, bytes, align, buffer_[1], second);
  exact(s, row, offset0, bytes, align, buffer_[0], first);
}

// The check of one lane's access. Throws program_error.
void check_lds(const wave_state& s, uint32_t offset, uint32_t bytes, uint32_t align, int lane);

// Fills state.access for an LDS instruction. Not called unless someone times accesses.
void record_lds(memory_access& a, const uint8_t* lds, const lds_lanes& lanes, bool two, uint32_t bytes, bool is_store,
                bool is_atomic, bool returns);

}  // namespace pws::isa
