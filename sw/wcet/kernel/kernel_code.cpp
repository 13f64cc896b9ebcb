// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/kernel_code.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/flow/dominators.h"
#include "models/isa/code/decode.h"
#include "models/isa/predicates.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/loops/loop_place.h"

namespace pws::wcet {

code_flow find_flow(const cfg::function_code& code) {
  for (const isa::inst& i : code.instructions)
    if (is_indirect_jump(i))
      throw input_error(
          fmt::format("{}+0x{:x}: {}: the analysis does not follow this jump: no path that it knows of leads here",
                      code.name, i.pc - code.begin(), isa::disassemble(i)));
  std::vector<cfg::divergent_branch> branches = cfg::find_divergent_branches(code);
  cfg::flow_graph graph(code, cfg::missing_skips(branches));
  return {std::move(branches), std::move(graph)};
}

cfg::loop_forest find_forest(const cfg::flow_graph& graph, const code_facts& facts) {
  cfg::loop_forest forest(graph, cfg::dominator_tree(graph, cfg::dominator_tree::direction::dominators));
  const cfg::function_code& code = graph.code();
  if (!forest.reducible()) {
    const size_t block = *forest.irreducible_block();
    const cfg::source_place at = place_near(graph, block, facts.place);
    throw input_error(fmt::format("{}{}+0x{:x}: a loop with two entries, which no bound can be given for",
                                  at.line != 0 ? fmt::format("{}:{}: ", at.file, at.line) : "", code.name,
                                  code.instructions[graph[block].first].pc - code.begin()));
  }
  return forest;
}

std::vector<bounded_loop> find_loops(const cfg::flow_graph& graph, const cfg::loop_forest& forest,
                                     const code_facts& facts, const unmarked_bounds& unmarked) {
  std::vector<bounded_loop> loops = bound_loops(graph, forest, facts.marked, unmarked);
  for (size_t l = 0; l < loops.size(); ++l)
    loops[l].place = loops[l].marks.size() == 1 && facts.marked[loops[l].marks.front()].place.line != 0
                         ? facts.marked[loops[l].marks.front()].place
                         : place_of_loop(graph, forest.loops()[l], facts.place);
  return loops;
}

code_splits find_splits(const code_flow& flow, size_t swf_contexts) {
  const split_nesting nesting(flow.graph);
  code_splits s;
  s.regions = cfg::find_regions(flow.graph, flow.branches);
  s.points = find_split_points(flow.graph, nesting, s.regions, swf_contexts);
  s.parts = executing_parts(flow.graph, nesting, s.points);
  for (size_t k = 0; k < flow.graph.code().instructions.size(); ++k) {
    bool known = true;
    for (size_t p = nesting.innermost(k); p != split_nesting::none; p = nesting.parent(p))
      known = known && s.points[p].recognised;
    s.sides_known.push_back(known);
  }
  return s;
}

analysed_kernel::analysed_kernel(const cfg::function_code& code, const code_facts& facts, const launch_facts& launch,
                                 const memory_shape& memory, size_t swf_contexts)
    : facts_(facts),
      swf_contexts_(swf_contexts),
      flow_(find_flow(code)),
      forest_(find_forest(flow_.graph, facts_)),
      ranges_(flow_.graph, forest_),
      accesses_(bound_accesses(flow_.graph, launch, memory, &ranges_)),
      unmarked_(find_unmarked(launch)),
      loops_(find_loops(flow_.graph, forest_, facts_, unmarked_)),
      splits_(find_splits(flow_, swf_contexts)),
      barriers_(flow_.graph, launch) {}

unmarked_bounds analysed_kernel::find_unmarked(const launch_facts& launch) const {
  if (!launch.splits_by_code) return {};
  unmarked_bounds out;
  if (accesses_.paths) out.launched = accesses_.paths->passes;
  out.counted = count_loops(flow_.graph, forest_, ranges_, out.launched);
  return out;
}

std::vector<bounded_loop> analysed_kernel::loops_with(const std::vector<marked_loop>& marked) const {
  return find_loops(flow_.graph, forest_, {facts_.place, marked}, unmarked_);
}

void analysed_kernel::assume(assumed what) {
  facts_.marked = std::move(what.marked);
  loops_ = std::move(what.loops);
  accesses_.bounds = std::move(what.accesses);
}

std::string analysed_kernel::offset_of(size_t block) const {
  const cfg::function_code& code = graph().code();
  return fmt::format("+0x{:x}", code.instructions[graph()[block].first].pc - code.begin());
}

std::string analysed_kernel::name_of(const bounded_loop& l) const {
  return "loop at " + (l.place.line != 0 ? fmt::format("{}:{}", l.place.file, l.place.line)
                                         : graph().code().name + offset_of(l.header));
}

}  // namespace pws::wcet
