#include "sw/pwscc/split_choice.h"

#include <algorithm>
#include <map>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/cost_graph.h"
#include "sw/cfg/dominators.h"
#include "sw/cfg/natural_loops.h"
#include "sw/cfg/select.h"

namespace pws::pwscc {

namespace {

using cfg::cost_graph;
constexpr size_t no_loop = cfg::natural_loop::none;

// The flow graph's blocks as nodes, each loop folded into one node of the graph around it.
class cost_graph_builder {
 public:
  cost_graph_builder(const cfg::flow_graph& graph, const cfg::loop_forest& loops,
                     const std::vector<split_region>& regions, const std::vector<bool>& candidates,
                     const pass_options& options, const loop_bound_function& loop_bound)
      : graph_(graph),
        loops_(loops),
        regions_(regions),
        candidates_(candidates),
        options_(options),
        loop_bound_(loop_bound) {}

  // Of a loop's body, or of the function outside of all loops.
  cost_graph build(size_t loop) const {
    cost_graph out;
    std::map<size_t, size_t> node_of;  // by block: its own, or that of the loop at this level that it is in
    for (const size_t b : graph_.reverse_postorder()) {
      if (!in_loop(b, loop)) continue;
      const size_t inner = loop_below(b, loop);
      if (inner == no_loop) {
        node_of[b] = out.nodes.size();
        out.nodes.push_back({(graph_[b].end - graph_[b].first) * options_.instruction_cycles, {}, cost_graph::none});
      } else if (b == loops_.loops()[inner].header) {
        out.loops.push_back({build(inner), loop_bound_(b).value_or(options_.default_loop_bound)});
        for (const size_t m : loops_.loops()[inner].blocks) node_of[m] = out.nodes.size();
        out.nodes.push_back({0, {}, out.loops.size() - 1});
      }
    }
    for (const auto& [b, n] : node_of) {
      for (const size_t s : graph_[b].successors) {
        // Back edges and exits belong to the graph around this one.
        const auto to = node_of.find(s);
        if (to == node_of.end() || to->second <= n) continue;
        auto& successors = out.nodes[n].successors;
        if (std::find(successors.begin(), successors.end(), to->second) == successors.end())
          successors.push_back(to->second);
      }
    }
    for (size_t k = 0; k < regions_.size(); ++k) {
      const split_region& r = regions_[k];
      if (r.refused() || loops_.innermost(r.block) != loop) continue;
      cost_graph::serial_branch x;
      x.id = k;
      x.node = node_of.at(r.block);
      x.succ = node_of.at(r.first_side);
      x.bsb = node_of.at(r.bsb);
      x.bsb_succ = node_of.at(r.second_side);
      x.reconv = node_of.at(r.join);
      x.marked = x.splittable = candidates_[k];
      out.branches.push_back(x);
    }
    return out;
  }

 private:
  bool in_loop(size_t block, size_t loop) const { return loop == no_loop || loops_.loops()[loop].contains(block); }
  // The loop directly in `loop` that holds the block, or no_loop.
  size_t loop_below(size_t block, size_t loop) const {
    size_t inner = loops_.innermost(block);
    if (inner == loop) return no_loop;
    while (loops_.loops()[inner].parent != loop) inner = loops_.loops()[inner].parent;
    return inner;
  }

  const cfg::flow_graph& graph_;
  const cfg::loop_forest& loops_;
  const std::vector<split_region>& regions_;
  const std::vector<bool>& candidates_;
  const pass_options& options_;
  const loop_bound_function& loop_bound_;
};

}  // namespace

std::vector<bool> choose_regions(const cfg::flow_graph& graph, const std::vector<split_region>& regions,
                                 const std::vector<bool>& candidates, const pass_options& options,
                                 const loop_bound_function& loop_bound) {
  std::vector<bool> split(regions.size(), false);
  if (std::find(candidates.begin(), candidates.end(), true) == candidates.end()) return split;
  const cfg::dominator_tree dominators(graph, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest loops(graph, dominators);
  const cost_graph costs = cost_graph_builder(graph, loops, regions, candidates, options, loop_bound).build(no_loop);
  cfg::check(costs);
  const cfg::split_set chosen =
      options.choice == split_choice::automatic
          ? cfg::choose_splits(costs, options.swf_contexts, options.split_cycles, options.merge_cycles)
          : cfg::select(costs, options.swf_contexts);
  for (const size_t k : chosen) split[k] = true;
  return split;
}

}  // namespace pws::pwscc
