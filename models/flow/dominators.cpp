// SPDX-License-Identifier: Apache-2.0
#include "models/flow/dominators.h"

#include <algorithm>

namespace pws::cfg {

namespace {

constexpr size_t none = dominator_tree::none;

// The graph as the algorithm walks it: forward from the entry, or backward from a virtual exit.
struct view {
  std::vector<std::vector<size_t>> successors, predecessors;
  size_t root = 0;
};

view view_of(const flow_graph& graph, bool backward) {
  view v;
  const size_t n = graph.size();
  v.successors.resize(n + 1);
  v.predecessors.resize(n + 1);
  v.root = backward ? n : 0;
  const auto connect = [&](size_t from, size_t to) {
    if (backward) std::swap(from, to);
    v.successors[from].push_back(to);
    v.predecessors[to].push_back(from);
  };
  for (size_t b = 0; b < n; ++b) {
    if (!graph.reachable(b)) continue;
    for (const size_t s : graph[b].successors) connect(b, s);
    if (graph[b].leaves) connect(b, n);
  }
  return v;
}

std::vector<size_t> postorder(const view& v) {
  std::vector<size_t> order;
  std::vector<bool> seen(v.successors.size(), false);
  std::vector<std::pair<size_t, size_t>> stack{{v.root, 0}};
  seen[v.root] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == v.successors[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const size_t s = v.successors[node][next++];
    if (seen[s]) continue;
    seen[s] = true;
    stack.emplace_back(s, 0);
  }
  return order;
}

}  // namespace

dominator_tree::dominator_tree(const flow_graph& graph, direction d) : virtual_(graph.size()) {
  const view v = view_of(graph, d == direction::post_dominators);
  const std::vector<size_t> order = postorder(v);
  std::vector<size_t> number(v.successors.size(), none);
  for (size_t k = 0; k < order.size(); ++k) number[order[k]] = k;

  immediate_.assign(v.successors.size(), none);
  immediate_[v.root] = v.root;
  const auto intersect = [&](size_t a, size_t b) {
    while (a != b) {
      while (number[a] < number[b]) a = immediate_[a];
      while (number[b] < number[a]) b = immediate_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (*node == v.root) continue;
      size_t meet = none;
      for (const size_t p : v.predecessors[*node]) {
        if (immediate_[p] == none) continue;
        meet = meet == none ? p : intersect(meet, p);
      }
      if (immediate_[*node] != meet) {
        immediate_[*node] = meet;
        changed = true;
      }
    }
  }
  depth_.assign(v.successors.size(), 0);
  for (auto node = order.rbegin(); node != order.rend(); ++node)
    if (*node != v.root) depth_[*node] = depth_[immediate_[*node]] + 1;
  immediate_[v.root] = none;
}

bool dominator_tree::dominates(size_t a, size_t b) const {
  if (a == b) return true;
  while (b != none && depth_[b] > depth_[a]) b = immediate_[b];
  return b == a;
}

}  // namespace pws::cfg
