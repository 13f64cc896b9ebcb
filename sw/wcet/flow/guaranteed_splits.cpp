// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/guaranteed_splits.h"

#include <algorithm>

#include "models/isa/predicates.h"
#include "sw/wcet/checked.h"

namespace pws::wcet {

namespace {

// Blocks reachable from `from` without passing `end`.
std::vector<bool> blocks_before(const cfg::flow_graph& graph, size_t from, size_t end) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<size_t> work;
  const auto visit = [&](size_t b) {
    if (b == end || seen[b]) return;
    seen[b] = true;
    work.push_back(b);
  };
  visit(from);
  while (!work.empty()) {
    const size_t b = work.back();
    work.pop_back();
    for (const size_t to : graph[b].successors) visit(to);
  }
  return seen;
}

// Each part has the work-items of one side: of those that were active, EXEC tells which.
bool parts_by_exec(const isa::inst& split) {
  const auto is = [](const isa::operand& o, uint32_t index) {
    return o.kind == isa::operand_kind::scalar && o.index == index;
  };
  return is(split.src[0], isa::exec_lo) && is(split.src[1], isa::exec_hi);
}

class context_counter {
 public:
  context_counter(const cfg::flow_graph& graph, const split_nesting& nesting, std::vector<split_point>& points)
      : graph_(graph), nesting_(nesting), points_(points), children_(points.size()), in_first_(points.size()) {
    for (size_t k = 0; k < points.size(); ++k) {
      if (nesting.parent(k) != split_nesting::none) children_[nesting.parent(k)].push_back(k);
      if (points[k].recognised) in_first_[k] = blocks_before(graph, points[k].first_side, points[k].bsb);
    }
    peaks_.resize(points.size());
    // Splits are in the order of the code and inner ones may come before outer ones: by depth, the deepest first.
    std::vector<size_t> order(points.size());
    for (size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return depth(a) > depth(b); });
    for (const size_t k : order) peaks_[k] = 1 + (points[k].recognised ? beside(k, true) + beside(k, false) : all(k));
  }

  // What must exist for split `k`.
  size_t needed(size_t k) const {
    size_t n = 1;
    for (size_t inner = k, around = nesting_.parent(k); around != split_nesting::none;
         inner = around, around = nesting_.parent(around)) {
      n += 1;
      n += points_[around].recognised ? beside(around, !is_first(around, inner)) : all(around) - peaks_[inner];
    }
    return n;
  }

 private:
  size_t depth(size_t k) const {
    size_t d = 0;
    for (size_t p = nesting_.parent(k); p != split_nesting::none; p = nesting_.parent(p)) ++d;
    return d;
  }
  bool is_first(size_t split, size_t inner) const {
    return in_first_[split][graph_.block_of(points_[inner].instruction)];
  }
  // The most contexts that the splits in one side have open at a time: they follow one another, or exclude one another.
  size_t beside(size_t split, bool first) const {
    size_t most = 0;
    for (const size_t c : children_[split])
      if (is_first(split, c) == first) most = std::max(most, peaks_[c]);
    return most;
  }
  // The sides of this split are not known: all that is in it counts at the same time.
  size_t all(size_t split) const {
    size_t n = 0;
    for (const size_t c : children_[split]) n += peaks_[c];
    return n;
  }

  const cfg::flow_graph& graph_;
  const split_nesting& nesting_;
  std::vector<split_point>& points_;
  std::vector<std::vector<size_t>> children_;
  std::vector<std::vector<bool>> in_first_;
  std::vector<size_t> peaks_;
};

}  // namespace

std::vector<split_point> find_split_points(const cfg::flow_graph& graph, const split_nesting& nesting,
                                           const std::vector<cfg::split_region>& regions, size_t swf_contexts) {
  std::vector<split_point> points;
  for (const size_t k : nesting.splits()) {
    split_point p;
    p.instruction = k;
    p.block = graph.block_of(k);
    for (size_t n = 0; n < regions.size(); ++n) {
      const cfg::split_region& r = regions[n];
      // The split stands between the EXEC write and the skip; both skips are in the code, so that a part whose mask is
      // empty does jump.
      const bool here = !r.refused() && !r.branch.skip.missing && !r.branch.bsb.missing && r.branch.skip.narrow < k &&
                        k < r.branch.skip.after && graph.block_of(r.branch.skip.after) == p.block &&
                        parts_by_exec(graph.code().instructions[k]);
      if (!here) continue;
      p.recognised = true;
      p.region = n;
      p.first_side = r.first_side;
      p.bsb = r.bsb;
      p.second_side = r.second_side;
      p.join = r.join;
      p.first_empty = r.first_side == r.bsb;
      p.second_empty = r.second_side == r.join;
    }
    points.push_back(p);
  }
  const context_counter contexts(graph, nesting, points);
  for (size_t k = 0; k < points.size(); ++k) {
    points[k].contexts_needed = contexts.needed(k);
    points[k].guaranteed = points[k].recognised && points[k].contexts_needed <= swf_contexts;
  }
  return points;
}

size_t swfs_at_most(const std::vector<split_point>& points, size_t swf_contexts) {
  size_t most = 0;
  for (const split_point& p : points) most = std::max(most, p.contexts_needed);
  return std::min(most, swf_contexts);
}

std::vector<uint64_t> executing_parts(const cfg::flow_graph& graph, const split_nesting& nesting,
                                      const std::vector<split_point>& points) {
  std::vector<std::vector<bool>> in_side(points.size());
  for (size_t s = 0; s < points.size(); ++s) {
    const split_point& p = points[s];
    in_side[s].assign(graph.size(), false);
    if (!p.recognised) continue;
    const std::vector<bool> first = blocks_before(graph, p.first_side, p.bsb);
    const std::vector<bool> second = blocks_before(graph, p.second_side, p.join);
    for (size_t b = 0; b < graph.size(); ++b) in_side[s][b] = first[b] || second[b];
  }
  std::vector<uint64_t> parts(graph.code().instructions.size(), 1);
  for (size_t k = 0; k < parts.size(); ++k)
    for (size_t s = nesting.innermost(k); s != split_nesting::none; s = nesting.parent(s))
      if (!in_side[s][graph.block_of(k)]) parts[k] = checked_product(parts[k], 2, "the number of parts");
  return parts;
}

}  // namespace pws::wcet
