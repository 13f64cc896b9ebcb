#include "sw/pwscc/split_choice.h"

#include <algorithm>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/select.h"
#include "sw/pwscc/region_costs.h"

namespace pws::pwscc {

std::vector<bool> choose_regions(const cfg::flow_graph& graph, const std::vector<split_region>& regions,
                                 const std::vector<bool>& candidates, const pass_options& options,
                                 const loop_bound_function& loop_bound) {
  std::vector<bool> split(regions.size(), false);
  if (std::find(candidates.begin(), candidates.end(), true) == candidates.end()) return split;
  std::vector<uint64_t> cycles;
  for (size_t b = 0; b < graph.size(); ++b)
    cycles.push_back((graph[b].end - graph[b].first) * options.instruction_cycles);
  const cfg::cost_graph costs = cost_graph_of(graph, regions, candidates, cycles, [&](size_t header) {
                                  return loop_bound(header).value_or(options.default_loop_bound);
                                }).graph;
  const cfg::split_set chosen =
      options.choice == split_choice::automatic
          ? cfg::choose_splits(costs, options.swf_contexts, options.split_cycles, options.merge_cycles)
          : cfg::select(costs, options.swf_contexts);
  for (const size_t k : chosen) split[k] = true;
  return split;
}

}  // namespace pws::pwscc
