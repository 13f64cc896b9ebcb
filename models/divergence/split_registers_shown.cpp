// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/split_registers_shown.h"

namespace pws::models {

std::vector<shown_register> shown_split_registers(uint32_t child_stack_entries) {
  std::vector<shown_register> list{{"parent", 32, split_record::parent, 4},
                                   {"children.depth", 32, split_record::child_depth, 4}};
  for (uint32_t k = 0; k < child_stack_entries; ++k)
    list.push_back({"children.entry" + std::to_string(k), k < listed_in_waveform ? 32u : 0u,
                    split_record::children + uint64_t{split_record::child_bytes} * k, split_record::child_bytes});
  return list;
}

void show_split_registers(const context_map& contexts, const wf_context& c, uint64_t* values) {
  const child_stack_block& children = contexts.of(c).child_stacks;
  const uint32_t depth = children.depth(c.slot);
  *values++ = c.tree.parent.value();
  *values++ = depth;
  for (uint32_t k = 0; k < children.capacity(); ++k) *values++ = k < depth ? children.at(c.slot, k).value() : 0;
}

}  // namespace pws::models
