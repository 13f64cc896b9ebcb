#include "sw/wcet/machine_loop.h"

#include "sw/cfg/dominators.h"
#include "sw/cfg/natural_loops.h"

namespace pws::wcet {

std::optional<pwscc::marked_loop> machine_loop_at(const cfg::flow_graph& graph, uint64_t offset, uint64_t bound) {
  const cfg::function_code& code = graph.code();
  const size_t instruction = code.at(code.begin() + offset);
  if (instruction == code.instructions.size()) return std::nullopt;
  const cfg::dominator_tree dominators(graph, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest forest(graph, dominators);
  const size_t innermost = forest.innermost(graph.block_of(instruction));
  if (innermost == cfg::natural_loop::none) return std::nullopt;
  pwscc::marked_loop out;
  out.bound = bound;
  out.from = "wcet.loops";
  out.iterations = {instruction};
  out.in_loop.assign(code.instructions.size(), false);
  for (const size_t b : forest.loops()[innermost].blocks)
    for (size_t k = graph[b].first; k < graph[b].end; ++k) out.in_loop[k] = true;
  return out;
}

}  // namespace pws::wcet
