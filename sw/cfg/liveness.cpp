// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/liveness.h"

#include <utility>

#include "models/isa/predicates.h"

namespace pws::cfg {

namespace {

bool reads_everything(const isa::inst& i) {
  return touches_unknown_scalars(i) || is_indirect_jump(i);
}

}  // namespace

scalar_liveness::scalar_liveness(const flow_graph& graph, std::vector<scalar_set> undefined)
    : graph_(&graph), undefined_(std::move(undefined)), out_(graph.size()) {
  std::vector<scalar_set> in(graph.size());
  const auto& order = graph.reverse_postorder();
  for (bool changed = true; changed;) {
    changed = false;
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      const basic_block& block = graph[*b];
      scalar_set live;
      for (const size_t s : block.successors) live |= in[s];
      out_[*b] = live;
      for (size_t k = block.end; k-- > block.first;) step_back(k, live);
      if (live != in[*b]) {
        in[*b] = live;
        changed = true;
      }
    }
  }
}

// live: after the instruction; becomes: before it.
void scalar_liveness::step_back(size_t instruction, scalar_set& live) const {
  const isa::inst& i = graph_->code().instructions[instruction];
  if (reads_everything(i)) {
    live.set();
  } else {
    live &= ~scalars_written(i);
    live |= scalars_read(i);
  }
  if (!undefined_.empty()) live &= ~undefined_[instruction];
}

scalar_set scalar_liveness::after(size_t instruction) const {
  const size_t b = graph_->block_of(instruction);
  scalar_set live = out_[b];
  for (size_t k = (*graph_)[b].end; k-- > instruction + 1;) step_back(k, live);
  return live;
}

scalar_set scalar_liveness::before(size_t instruction) const {
  scalar_set live = after(instruction);
  step_back(instruction, live);
  return live;
}

}  // namespace pws::cfg
