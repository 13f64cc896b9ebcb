// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/natural_loops.h"

#include <algorithm>
#include <map>

namespace pws::cfg {

bool natural_loop::contains(size_t block) const {
  return std::binary_search(blocks.begin(), blocks.end(), block);
}

loop_forest::loop_forest(const flow_graph& graph, const dominator_tree& dominators)
    : innermost_(graph.size(), natural_loop::none) {
  std::vector<size_t> position(graph.size(), 0);
  for (size_t k = 0; k < graph.reverse_postorder().size(); ++k) position[graph.reverse_postorder()[k]] = k;
  std::map<size_t, std::vector<size_t>> latches;  // by header
  for (const size_t b : graph.reverse_postorder()) {
    for (const size_t s : graph[b].successors) {
      if (dominators.dominates(s, b)) {
        latches[s].push_back(b);
      } else if (position[s] <= position[b]) {
        if (!irreducible_block_) irreducible_block_ = s;
      }
    }
  }
  for (const auto& [header, ends] : latches) {
    natural_loop loop;
    loop.header = header;
    loop.latches = ends;
    std::vector<bool> in(graph.size(), false);
    in[header] = true;
    std::vector<size_t> work = ends;
    while (!work.empty()) {
      const size_t b = work.back();
      work.pop_back();
      if (in[b]) continue;
      in[b] = true;
      for (const size_t p : graph[b].predecessors)
        if (graph.reachable(p)) work.push_back(p);
    }
    for (size_t b = 0; b < graph.size(); ++b)
      if (in[b]) loop.blocks.push_back(b);
    loops_.push_back(std::move(loop));
  }
  std::stable_sort(loops_.begin(), loops_.end(),
                   [](const natural_loop& a, const natural_loop& b) { return a.blocks.size() > b.blocks.size(); });
  for (size_t k = 0; k < loops_.size(); ++k) {
    for (size_t outer = 0; outer < k; ++outer) {
      if (!loops_[outer].contains(loops_[k].header)) continue;
      loops_[k].parent = outer;
      loops_[k].depth = loops_[outer].depth + 1;
    }
    for (const size_t b : loops_[k].blocks) innermost_[b] = k;
  }
}

}  // namespace pws::cfg
