// SPDX-License-Identifier: Apache-2.0
#include "sw/cfg/split_region.h"

#include <algorithm>

#include "sw/cfg/exec_tracking.h"
#include "sw/cfg/natural_loops.h"

namespace pws::cfg {

namespace {

using kind = divergent_branch::kind;

std::string shape_refusal(kind what) {
  switch (what) {
    case kind::if_else:
      return "";
    case kind::if_only:
      return "one side only: the other work-items have nothing to do meanwhile";
    case kind::loop_exit:
      return "a loop's exit: the work-items that left it have nothing to do meanwhile";
    case kind::unknown:
      break;
  }
  return "no branch serialization block found: EXEC is not narrowed and inverted in a form known here (as in code of "
         "-O0)";
}

// Blocks on paths from `from` to `join`.
std::vector<size_t> blocks_between(const flow_graph& graph, size_t from, size_t join) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<size_t> work(graph[from].successors);
  std::vector<size_t> blocks;
  while (!work.empty()) {
    const size_t b = work.back();
    work.pop_back();
    if (b == join || seen[b]) continue;
    seen[b] = true;
    blocks.push_back(b);
    work.insert(work.end(), graph[b].successors.begin(), graph[b].successors.end());
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

// The block that a branch leads to if it does not skip.
size_t not_skipped(const flow_graph& graph, const exec_skip& skip) {
  const size_t skipped_to = graph.block_of(skip.target);
  for (const size_t s : graph[graph.block_of(skip.after)].successors)
    if (s != skipped_to) return s;
  return skipped_to;
}

// Finds the sides; why they are not two that follow each other, or empty.
std::string sides_refusal(const flow_graph& graph, const dominator_tree& post_dominators, const loop_forest& loops,
                          split_region& region) {
  region.bsb = graph.block_of(region.branch.bsb.after);
  region.first_side = not_skipped(graph, region.branch.skip);
  region.second_side = not_skipped(graph, region.branch.bsb);
  if (!loops.reducible()) return "the kernel has a loop with two entries";
  const std::vector<size_t> second = blocks_between(graph, region.bsb, region.join);
  if (!post_dominators.dominates(region.bsb, region.block) || graph.block_of(region.branch.skip.target) != region.bsb)
    return "its first side does not lead to its branch serialization block (the compiler duplicated code)";
  if (std::binary_search(second.begin(), second.end(), region.bsb) ||
      loops.innermost(region.bsb) != loops.innermost(region.block))
    return "its branch serialization block is in a loop of its own";
  if (graph.block_of(region.branch.bsb.target) != region.join)
    return "its second side does not lead to where its branch serialization block does (the compiler duplicated code)";
  return "";
}

void place_merge(const flow_graph& graph, split_region& region) {
  const basic_block& join = graph[region.join];
  const size_t restore = exec_tracking::restore_of(graph, region.branch);
  if (restore < join.first || restore >= join.end) return;
  if (std::any_of(join.predecessors.begin(), join.predecessors.end(),
                  [&](size_t p) { return graph.reachable(p) && !region.contains(p) && p != region.block; }))
    return;
  region.joins_in_place = true;
  region.merge_after = restore;
  region.exec_restored = true;
}

// If regions end in the same block, the inner one's merge comes first.
void order_merges(std::vector<split_region>& regions) {
  std::vector<size_t> by_size;
  for (size_t k = 0; k < regions.size(); ++k)
    if (!regions[k].refused()) by_size.push_back(k);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](size_t a, size_t b) { return regions[a].blocks.size() < regions[b].blocks.size(); });
  for (const size_t inner : by_size) {
    for (size_t p = regions[inner].parent; p != split_region::none; p = regions[p].parent) {
      split_region& outer = regions[p];
      if (outer.join != regions[inner].join || !regions[inner].joins_in_place) continue;
      if (!outer.joins_in_place) {
        outer.joins_in_place = true;
        outer.merge_after = regions[inner].merge_after;
      } else if (outer.merge_after < regions[inner].merge_after) {
        regions[inner].refusal = "EXEC is restored for it after it is restored for the branch around it";
      }
    }
  }
}

}  // namespace

bool split_region::contains(size_t b) const {
  return std::binary_search(blocks.begin(), blocks.end(), b);
}

std::vector<split_region> find_regions(const flow_graph& graph, const std::vector<divergent_branch>& branches) {
  const dominator_tree dominators(graph, dominator_tree::direction::dominators);
  const dominator_tree post_dominators(graph, dominator_tree::direction::post_dominators);
  const loop_forest loops(graph, dominators);
  std::vector<split_region> regions;
  for (const divergent_branch& branch : branches) {
    split_region r;
    r.branch = branch;
    r.block = graph.block_of(branch.skip.after);
    r.refusal = shape_refusal(branch.what);
    regions.push_back(std::move(r));
    split_region& region = regions.back();
    if (region.refused()) continue;
    if (!graph.reachable(region.block)) {
      region.refusal = "the code is never reached";
      continue;
    }
    // All paths lead through the BSB; the sides are through where what it skips ends.
    region.join = post_dominators.immediate(graph.block_of(branch.bsb.after));
    while (region.join != dominator_tree::none && !post_dominators.dominates(region.join, region.block))
      region.join = post_dominators.immediate(region.join);
    if (region.join != dominator_tree::none) region.blocks = blocks_between(graph, region.block, region.join);
    const bool meet = region.join != dominator_tree::none &&
                      std::all_of(region.blocks.begin(), region.blocks.end(),
                                  [&](size_t b) { return post_dominators.dominates(region.join, b); });
    if (!meet) {
      region.refusal = "its sides do not meet again: one of them ends the wavefront or never ends";
      continue;
    }
    if (region.contains(region.block) || dominators.dominates(region.join, region.block)) {
      region.refusal = "one of its sides goes back to before the branch (continue)";
      continue;
    }
    const bool one_entry = std::all_of(region.blocks.begin(), region.blocks.end(),
                                       [&](size_t b) { return dominators.dominates(region.block, b); });
    if (!one_entry) {
      region.refusal = "other code enters one of its sides (goto, break or a shared tail)";
      continue;
    }
    if (region.refusal = sides_refusal(graph, post_dominators, loops, region); region.refused()) continue;
    place_merge(graph, region);
  }
  for (size_t k = 0; k < regions.size(); ++k) {
    size_t& parent = regions[k].parent;
    for (size_t outer = 0; outer < regions.size(); ++outer) {
      if (outer == k || regions[outer].refused() || regions[k].refused()) continue;
      if (!regions[outer].contains(regions[k].block)) continue;
      if (parent == split_region::none || regions[outer].blocks.size() < regions[parent].blocks.size()) parent = outer;
    }
  }
  order_merges(regions);
  return regions;
}

}  // namespace pws::cfg
