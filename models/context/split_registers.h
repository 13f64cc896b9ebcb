// The registers that predictable wavefront splitting adds to a SIMD or SpSIMD unit (PWS paper, Fig. 4): one block of
// split masks and one of child stacks per unit, each with the entries of all its contexts. Passive: a divergence scheme
// writes them, waveform and debug window read them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/context/swf_number.h"

namespace pws::models {

class split_mask_block {
 public:
  explicit split_mask_block(uint32_t contexts) : masks_(contexts) {}

  // SpM of a context: bit per work-item.
  uint64_t read(uint32_t context) const { return masks_[context]; }
  void write(uint32_t context, uint64_t mask) { masks_[context] = mask; }

 private:
  std::vector<uint64_t> masks_;
};

class child_stack_block {
 public:
  child_stack_block(uint32_t contexts, uint32_t capacity)
      : capacity_(capacity), entries_(size_t{contexts} * capacity), depths_(contexts) {}

  uint32_t capacity() const { return capacity_; }
  uint32_t depth(uint32_t context) const { return depths_[context]; }
  bool empty(uint32_t context) const { return depths_[context] == 0; }
  bool full(uint32_t context) const { return depths_[context] == capacity_; }
  // Entry 0 is the oldest.
  swf_number at(uint32_t context, uint32_t entry) const { return row(context)[entry]; }
  swf_number top(uint32_t context) const { return row(context)[depths_[context] - 1]; }

  void push(uint32_t context, swf_number n) {
    row(context)[depths_[context]] = n;
    ++depths_[context];
  }
  void pop(uint32_t context) { --depths_[context]; }
  void set(uint32_t context, uint32_t entry, swf_number n) { row(context)[entry] = n; }
  void clear(uint32_t context) { depths_[context] = 0; }

 private:
  const swf_number* row(uint32_t context) const { return &entries_[size_t{context} * capacity_]; }
  swf_number* row(uint32_t context) { return &entries_[size_t{context} * capacity_]; }
  uint32_t capacity_;
  std::vector<swf_number> entries_;
  std::vector<uint32_t> depths_;
};

}  // namespace pws::models
