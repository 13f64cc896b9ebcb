// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/shown_registers.h"

#include <algorithm>

namespace pws::models {

std::vector<shown_register> shown_paths() {
  std::vector<shown_register> list{{"paths.count", 32, paths_record::count, 4}};
  for (uint32_t k = 0; k < paths_record::entries_shown; ++k) {
    const std::string path = "paths.path" + std::to_string(k) + ".";
    const unsigned bits = k < listed_in_waveform ? 64 : 0;
    const uint64_t at = paths_record::entries + k * paths_record::entry_bytes;
    list.push_back({path + "pc", bits, at + paths_record::pc, 8});
    list.push_back({path + "mask", bits, at + paths_record::mask, 8});
  }
  return list;
}

void show_paths(const wf_context& root, uint64_t* values) {
  std::fill_n(values, 1 + 2 * paths_record::entries_shown, 0);
  if (root.status == wf_status::idle) return;
  const auto show = [&](const wf_context& path) {
    if (path.status == wf_status::ended) return;
    if (values[0] < paths_record::entries_shown) {
      values[1 + 2 * values[0]] = path.state.pc;
      values[2 + 2 * values[0]] = path.state.split_mask;
    }
    ++values[0];
  };
  show(root);
  for (const wf_context* swf : root.group->swfs)
    if (swf->tree.root == &root) show(*swf);
}

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
