// SPDX-License-Identifier: Apache-2.0
// The registers that predictable wavefront splitting adds to a SIMD or SpSIMD unit (PWS paper, Fig. 4): one block of
// split masks and one of child stacks per unit, each with the entries of all its contexts. Passive: a divergence scheme
// writes them, waveform and debug window read them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "models/machine/ids.h"

namespace pws::models {

// SpM of each context of a unit.
class split_mask_block {
 public:
  explicit split_mask_block(uint32_t contexts) : masks_(contexts) {}

  // SpM of a context: bit per work-item.
  uint64_t read(slot_id context) const { return masks_[context.value]; }
  void write(slot_id context, uint64_t mask) { masks_[context.value] = mask; }
  // Its state, saved or restored.
  void keep(state_archive& a) { a.bytes(masks_.data(), masks_.size()); }

 private:
  std::vector<uint64_t> masks_;
};

// The child stack of each context of a unit.
class child_stack_block {
 public:
  child_stack_block(uint32_t contexts, uint32_t capacity)
      : capacity_(capacity), entries_(size_t{contexts} * capacity), depths_(contexts) {}

  uint32_t capacity() const { return capacity_; }
  uint32_t depth(slot_id context) const { return depths_[context.value]; }
  bool empty(slot_id context) const { return depth(context) == 0; }
  bool full(slot_id context) const { return depth(context) == capacity_; }
  // Entry 0 is the oldest.
  swf_number at(slot_id context, uint32_t entry) const { return row(context)[entry]; }
  swf_number top(slot_id context) const { return row(context)[depth(context) - 1]; }

  void push(slot_id context, swf_number n) {
    row(context)[depth(context)] = n;
    ++depths_[context.value];
  }
  void pop(slot_id context) { --depths_[context.value]; }
  void set(slot_id context, uint32_t entry, swf_number n) { row(context)[entry] = n; }
  void clear(slot_id context) { depths_[context.value] = 0; }
  // Its state, saved or restored.
  void keep(state_archive& a) {
    a.bytes(entries_.data(), entries_.size());
    for (uint32_t& d : depths_) a.index(d, uint64_t{capacity_} + 1);
  }

 private:
  const swf_number* row(slot_id context) const { return &entries_[size_t{context.value} * capacity_]; }
  swf_number* row(slot_id context) { return &entries_[size_t{context.value} * capacity_]; }
  uint32_t capacity_;
  std::vector<swf_number> entries_;
  std::vector<uint32_t> depths_;
};

}  // namespace pws::models
