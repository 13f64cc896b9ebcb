// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/exec_tracking.h"

#include <map>

#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"

namespace pws::cfg {

namespace {

// Adds work-items at most.
bool widens(const isa::inst& i) {
  return is_saveexec(i, isa::operation::bit_or) ||
         (is_on_masks(i, isa::operation::bit_or) && is_exec(i.dst) && (is_exec(i.src[0]) || is_exec(i.src[1])));
}

}  // namespace

size_t exec_tracking::restore_of(const flow_graph& graph, const divergent_branch& b) {
  const auto& code = graph.code().instructions;
  if (b.restored_from == no_pair) return code.size();
  const size_t target = b.what == divergent_branch::kind::if_else ? b.bsb.target : b.skip.target;
  for (size_t k = target; k < graph[graph.block_of(target)].end; ++k) {
    if (restores_exec(code[k], b.restored_from)) return k;
    if (code[k].writes_exec && !widens(code[k])) break;
  }
  return code.size();
}

exec_tracking::exec_tracking(const flow_graph& graph, const std::vector<divergent_branch>& branches)
    : active_(graph.code().instructions.size(), true) {
  const auto& code = graph.code().instructions;
  std::map<size_t, size_t> narrowed_at;  // by the restoring instruction
  for (const divergent_branch& b : branches)
    if (const size_t r = restore_of(graph, b); r < code.size()) narrowed_at[r] = b.skip.narrow;

  std::vector<bool> out(graph.size(), true);
  const auto along_edge = [&](size_t from, size_t to) {
    const isa::inst& last = code[graph[from].last()];
    const bool taken = graph[to].first != graph[from].end;
    const isa::branch_condition c = branch_condition_of(last);
    if (c == isa::branch_condition::exec_zero) return !taken;
    if (c == isa::branch_condition::exec_nonzero) return taken;
    return static_cast<bool>(out[from]);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const size_t b : graph.reverse_postorder()) {
      bool active = true;
      for (const size_t p : graph[b].predecessors)
        if (graph.reachable(p)) active = active && along_edge(p, b);
      for (size_t k = graph[b].first; k < graph[b].end; ++k) {
        active_[k] = active;
        if (!code[k].writes_exec) continue;
        const auto narrow = narrowed_at.find(k);
        if (narrow != narrowed_at.end()) {
          active = active_[narrow->second];
        } else if (!widens(code[k])) {
          active = false;
        }
      }
      if (out[b] != active) {
        out[b] = active;
        changed = true;
      }
    }
  }
}

}  // namespace pws::cfg
