// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/branch_classes.h"

#include <set>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"
#include "sw/cfg/natural_loops.h"

namespace pws::cfg {

namespace {

using isa::inst;
using isa::operand;

// To a header of a loop around the branch, or out of one.
bool is_loop_branch(const flow_graph& graph, const loop_forest& loops, size_t block) {
  for (size_t l = loops.innermost(block); l != natural_loop::none; l = loops.loops()[l].parent) {
    const natural_loop& loop = loops.loops()[l];
    for (const size_t to : graph[block].successors)
      if (to == loop.header || !loop.contains(to)) return true;
  }
  return false;
}

bool is_sgpr_pair(const operand& o) {
  return o.kind == isa::operand_kind::scalar && o.dwords == 2 && o.index < isa::sgpr_limit;
}

}  // namespace

std::vector<classified_branch> classify_branches(const flow_graph& graph) {
  const dominator_tree dominators(graph, dominator_tree::direction::dominators);
  const loop_forest loops(graph, dominators);
  std::vector<classified_branch> out;
  for (size_t b = 0; b < graph.size(); ++b) {
    const inst& last = graph.code().instructions[graph[b].last()];
    if (!is_conditional_branch(last)) continue;
    classified_branch c;
    c.instruction = graph[b].last();
    if (branch_condition_of(last) == isa::branch_condition::debugger)
      c.what = branch_class::other;
    else if (is_loop_branch(graph, loops, b))
      c.what = branch_class::loop;
    else
      c.what = tests_exec(last) ? branch_class::run_time_check : branch_class::uniform;
    out.push_back(c);
  }
  return out;
}

size_t count_mask_pairs(const function_code& code) {
  std::set<unsigned> masks;
  const auto add = [&](const operand& o) { return is_sgpr_pair(o) && masks.insert(o.index).second; };
  for (const inst& i : code.instructions) {
    const isa::operand_list list = isa::operands_of(i);
    for (const isa::input_operand& in : list.sources)
      if (in.role == isa::operand_role::flag || is_saveexec(i)) add(in.from);
    for (const isa::output_operand& out : list.results)
      if (out.role == isa::operand_role::flag || is_saveexec(i)) add(out.to);
  }
  // What meets EXEC or a mask in a logical instruction is one.
  for (bool changed = true; changed;) {
    changed = false;
    for (const inst& i : code.instructions) {
      if (!is_mask_logic(i)) continue;
      const auto is_mask = [&](const operand& o) {
        return is_exec(o) || (is_sgpr_pair(o) && masks.count(o.index) != 0);
      };
      if (!is_mask(i.dst) && !is_mask(i.src[0]) && !is_mask(i.src[1])) continue;
      for (const operand* o : {&i.dst, &i.src[0], &i.src[1]}) changed = add(*o) || changed;
    }
  }
  return masks.size();
}

}  // namespace pws::cfg
