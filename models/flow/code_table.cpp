// SPDX-License-Identifier: Apache-2.0
#include "models/flow/code_table.h"

#include "models/flow/dominators.h"
#include "models/isa/predicates.h"

namespace pws::cfg {

code_table::code_table(isa::program& code) : begin_(code.begin()) {
  const uint64_t dwords = (code.end() - code.begin()) / 4;
  block_of_.assign(dwords, none);
  post_dominator_.assign(dwords, false);
  const function_code region = decode_region(code);
  const flow_graph graph = flow_graph::of_region(region);
  const dominator_tree post(graph, dominator_tree::direction::post_dominators);
  for (size_t b = 0; b < graph.size(); ++b) {
    const isa::inst &first = region.instructions[graph[b].first], &last = region.instructions[graph[b].last()];
    const size_t meet = post.immediate(b);
    block made;
    made.begin = first.pc;
    made.last = last.pc;
    made.end = last.pc + last.bytes();
    made.instructions = static_cast<uint32_t>(graph[b].end - graph[b].first);
    if (meet != dominator_tree::none) made.post_dominator = static_cast<uint32_t>(meet);
    made.successors.assign(graph[b].successors.begin(), graph[b].successors.end());
    blocks_.push_back(std::move(made));
    for (size_t k = graph[b].first; k < graph[b].end; ++k)
      block_of_[dword(region.instructions[k].pc)] = static_cast<uint32_t>(b);
    if (isa::is_conditional_branch(last) && meet != dominator_tree::none)
      post_dominator_[dword(region.instructions[graph[meet].first].pc)] = true;
  }
}

}  // namespace pws::cfg
