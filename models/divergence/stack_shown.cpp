// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/stack_shown.h"

#include <algorithm>

namespace pws::models {

std::vector<shown_register> shown_stack(uint32_t limit) {
  std::vector<shown_register> list{{"stack.path", 32, stack_record::path, 4},
                                   {"stack.depth", 32, stack_record::depth, 4}};
  for (uint32_t k = 0; k < std::min(limit, stack_record::entries_shown); ++k) {
    const std::string entry = "stack.entry" + std::to_string(k) + ".";
    const uint64_t at = stack_record::entries + k * stack_record::entry_bytes;
    const unsigned bits = k < listed_in_waveform ? 64 : 0;
    list.push_back({entry + "left_pc", bits, at + stack_record::left_pc, 8});
    list.push_back({entry + "left_mask", bits, at + stack_record::left_mask, 8});
    list.push_back({entry + "right_pc", bits, at + stack_record::right_pc, 8});
    list.push_back({entry + "right_mask", bits, at + stack_record::right_mask, 8});
    list.push_back({entry + "rpc", bits, at + stack_record::rpc, 8});
  }
  return list;
}

stack_values::stack_values(uint32_t limit, uint32_t depth, uint64_t* values)
    : shown_(std::min(limit, stack_record::entries_shown)), values_(values) {
  std::fill_n(values, 2 + 5 * shown_, 0);
  values[1] = depth;
}

void stack_values::entry(uint32_t k, const stack_side& left, const stack_side& right, uint64_t rpc) {
  if (k >= shown_) return;
  uint64_t* const to = values_ + 2 + 5 * k;
  to[0] = left.pc;
  to[1] = left.mask;
  to[2] = right.pc;
  to[3] = right.mask;
  to[4] = rpc;
}

}  // namespace pws::models
