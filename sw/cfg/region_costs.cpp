// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/region_costs.h"

#include <algorithm>
#include <map>

#include "models/flow/dominators.h"
#include "sw/cfg/natural_loops.h"

namespace pws::cfg {

namespace {

constexpr size_t no_loop = natural_loop::none;

// The flow graph's blocks as nodes, each loop folded into one node of the graph around it.
class cost_graph_builder {
 public:
  cost_graph_builder(const flow_graph& graph, const loop_forest& loops, const std::vector<split_region>& regions,
                     const std::vector<bool>& candidates, const code_costs& costs,
                     const std::function<loop_count(size_t)>& loop_bound)
      : graph_(graph),
        loops_(loops),
        regions_(regions),
        candidates_(candidates),
        costs_(costs),
        loop_bound_(loop_bound) {}

  // The cost graph of a loop's body, or of the function outside all loops.
  // `node_of`: by block, its own node, or that of the loop at this level that it is in.
  cost_graph build(size_t loop, std::map<size_t, size_t>& node_of) const {
    cost_graph out;
    for (const size_t b : graph_.reverse_postorder()) {
      if (!in_loop(b, loop)) continue;
      const size_t inner = loop_below(b, loop);
      if (inner == no_loop) {
        node_of[b] = out.nodes.size();
        const code_costs::block& own = costs_.blocks[b];
        const bool leaves = std::any_of(graph_[b].successors.begin(), graph_[b].successors.end(),
                                        [&](size_t s) { return !in_loop(s, loop); });
        out.nodes.push_back({own.cycles, {}, cost_graph::none, own.most_slots, leaves});
      } else if (b == loops_.loops()[inner].header) {
        std::map<size_t, size_t> node_in_body;
        const loop_count count = loop_bound_(b);
        out.loops.push_back({build(inner, node_in_body), count.bound, count.known});
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
      x.overhead = costs_.overhead.empty() ? 0 : costs_.overhead[k];
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

  const flow_graph& graph_;
  const loop_forest& loops_;
  const std::vector<split_region>& regions_;
  const std::vector<bool>& candidates_;
  const code_costs& costs_;
  const std::function<loop_count(size_t)>& loop_bound_;
};

}  // namespace

region_costs cost_graph_of(const flow_graph& graph, const std::vector<split_region>& regions,
                           const std::vector<bool>& candidates, const code_costs& costs,
                           const std::function<loop_count(size_t header)>& loop_bound) {
  const dominator_tree dominators(graph, dominator_tree::direction::dominators);
  const loop_forest loops(graph, dominators);
  std::map<size_t, size_t> node_of;
  region_costs out;
  out.graph = cost_graph_builder(graph, loops, regions, candidates, costs, loop_bound).build(no_loop, node_of);
  check(out.graph);
  out.node_of.assign(graph.size(), cost_graph::none);
  for (const auto& [block, node] : node_of) out.node_of[block] = node;
  return out;
}

region_costs cost_graph_of(const flow_graph& graph, const std::vector<split_region>& regions,
                           const std::vector<bool>& candidates, const std::vector<uint64_t>& block_cycles,
                           const std::function<uint64_t(size_t header)>& loop_bound) {
  code_costs costs;
  for (const uint64_t cycles : block_cycles) costs.blocks.push_back({cycles, 0});
  return cost_graph_of(graph, regions, candidates, costs, [&](size_t header) {
    return loop_count{loop_bound(header), true};
  });
}

}  // namespace pws::cfg
