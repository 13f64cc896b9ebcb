// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/split_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/region_costs.h"
#include "sw/cfg/select.h"
#include "sw/cfg/split_risk.h"
#include "sw/pwscc/machine_costs.h"

namespace pws::pwscc {

namespace {

cfg::code_costs counted_instructions(const cfg::flow_graph& graph, const pass_options& options) {
  cfg::code_costs costs;
  for (size_t b = 0; b < graph.size(); ++b)
    costs.blocks.push_back({(graph[b].end - graph[b].first) * options.instruction_cycles, 0});
  return costs;
}

cfg::code_costs on_machine(const cfg::flow_graph& graph, const std::vector<cfg::split_region>& regions,
                           const std::vector<carried_scalars>& carried, const pass_options& options) {
  wcet::machine_timing machine = *options.machine;
  machine.split = options.split_cycles;
  machine.merge = options.merge_cycles;
  return machine_costs(graph, regions, carried, machine);
}

std::string why_not(const cfg::split_risk& risk, const pass_options& options) {
  if (risk.costs > risk.saves)
    return fmt::format("split and merge cost more than the shorter side takes for sure: {} > {} cycles", risk.costs,
                       risk.saves);
  return fmt::format("with S = {} the worst case is not shorter with it", options.swf_contexts);
}

}  // namespace

std::vector<region_choice> choose_regions(const cfg::flow_graph& graph, const std::vector<cfg::split_region>& regions,
                                          const std::vector<carried_scalars>& carried,
                                          const std::vector<bool>& candidates, const pass_options& options,
                                          const loop_bound_function& loop_bound) {
  std::vector<region_choice> out(regions.size());
  if (std::find(candidates.begin(), candidates.end(), true) == candidates.end()) return out;
  const bool automatic = options.choice == split_choice::automatic;
  const bool weighs = automatic && options.machine.has_value();
  const cfg::code_costs costs =
      weighs ? on_machine(graph, regions, carried, options) : counted_instructions(graph, options);
  const cfg::cost_graph weighed =
      cfg::cost_graph_of(graph, regions, candidates, costs, [&](size_t header) {
        const std::optional<uint64_t> bound = loop_bound(header);
        return cfg::loop_count{bound.value_or(options.default_loop_bound), bound.has_value() || !weighs};
      }).graph;
  cfg::split_set chosen;
  if (!automatic)
    chosen = cfg::select(weighed, options.swf_contexts);
  else if (weighs)
    chosen = cfg::choose_splits(weighed, options.swf_contexts, 0, 0);
  else
    chosen = cfg::choose_splits(weighed, options.swf_contexts, options.split_cycles, options.merge_cycles);
  for (const size_t k : chosen) out[k].split = true;
  if (!weighs) return out;
  for (const auto& [k, risk] : cfg::split_risks(weighed, 0))
    if (!out[k].split) out[k].reason = why_not(risk, options);
  return out;
}

}  // namespace pws::pwscc
