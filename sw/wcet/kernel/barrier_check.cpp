// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/barrier_check.h"

#include <algorithm>

#include "models/flow/dominators.h"
#include "models/isa/inst.h"
#include "models/machine/occupancy.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/kernel/kernel_bound.h"

namespace pws::wcet {

namespace {

constexpr size_t no_key = static_cast<size_t>(-1), several = static_cast<size_t>(-2);

// A limit's nodes and edges, as sets.
struct counted {
  std::vector<bool> nodes, edges, per_nodes, per_edges;
  counted(const flow_problem& p, const flow_problem::limit& l)
      : nodes(p.cycles.size(), false), edges(p.edges.size(), false), per_nodes(nodes), per_edges(edges) {
    for (const size_t n : l.nodes) nodes[n] = true;
    for (const size_t e : l.edges) edges[e] = true;
    for (const size_t n : l.per_nodes) per_nodes[n] = true;
    for (const size_t e : l.per_edges) per_edges[e] = true;
  }
};

// A flow problem with the edges out of each node, and what each limit counts.
class counted_flow {
 public:
  explicit counted_flow(const flow_problem& p) : p_(p), out_(p.cycles.size()) {
    for (size_t e = 0; e < p.edges.size(); ++e) out_[p.edges[e].from].push_back(e);
    for (const flow_problem::limit& l : p.limits) limits_.emplace_back(p, l);
  }

  const std::vector<size_t>& out(size_t node) const { return out_[node]; }
  // Whether something that the limit counts can come behind node `from` without what it is counted for in between.
  // `whole`: the node itself is part of what comes; else the part of it that lies behind a barrier.
  bool counts_behind(size_t limit, size_t from, bool whole) const {
    const counted& l = limits_[limit];
    std::vector<bool> seen(out_.size(), false);
    std::vector<size_t> open;
    const auto enter = [&](size_t n) {
      if (l.nodes[n]) return true;
      if (!l.per_nodes[n] && !seen[n]) open.push_back(n);
      seen[n] = true;
      return false;
    };
    if (whole ? enter(from) : l.nodes[from]) return true;
    if (!whole) open.push_back(from);
    while (!open.empty()) {
      const size_t n = open.back();
      open.pop_back();
      for (const size_t e : out_[n]) {
        if (l.edges[e]) return true;
        if (!l.per_edges[e] && enter(p_.edges[e].to)) return true;
      }
    }
    return false;
  }

 private:
  const flow_problem& p_;
  std::vector<std::vector<size_t>> out_;
  std::vector<counted> limits_;
};

// Limits that match go.
template <class F>
void erase_limits(flow_problem& p, F matches) {
  p.limits.erase(std::remove_if(p.limits.begin(), p.limits.end(), matches), p.limits.end());
}

}  // namespace

// Key blocks, and which of them can be next from each block.
class barrier_check::key_blocks {
 public:
  key_blocks(const cfg::flow_graph& graph, std::vector<bool> first) : graph_(graph), key_(std::move(first)) {
    do find_next();
    while (add_deciding());
  }

  bool is_key(size_t b) const { return key_[b]; }
  // The key block that comes next, the block itself if it is one; none: there is none any more.
  size_t next(size_t b) const { return next_[b]; }
  // Ways out of the block that lead to a key block.
  std::vector<size_t> ways_on(size_t b) const {
    std::vector<size_t> ways;
    for (const size_t s : graph_[b].successors)
      if (next_[s] != no_key) ways.push_back(s);
    return ways;
  }
  // Whether which key block comes next depends on the way.
  bool decides(size_t b) const {
    const std::vector<size_t> ways = ways_on(b);
    return std::any_of(ways.begin(), ways.end(), [&](size_t w) { return next_[w] != next_[ways.front()]; });
  }

 private:
  void find_next() {
    next_.assign(graph_.size(), no_key);
    for (bool changed = true; changed;) {
      changed = false;
      const auto& order = graph_.reverse_postorder();
      for (auto b = order.rbegin(); b != order.rend(); ++b) {
        size_t found = key_[*b] ? *b : no_key;
        for (const size_t s : graph_[*b].successors) {
          if (key_[*b] || next_[s] == no_key || next_[s] == found) continue;
          found = found == no_key ? next_[s] : several;
        }
        changed = changed || next_[*b] != found;
        next_[*b] = found;
      }
    }
  }
  // Branches whose ways lead to different ones; if all that is left goes around in circles, those too that may lead to
  // several.
  bool add_deciding() {
    for (const bool strict : {true, false}) {
      bool added = false;
      for (const size_t b : graph_.reverse_postorder()) {
        if (next_[b] != several) continue;
        const std::vector<size_t> ways = ways_on(b);
        for (const size_t w : ways) {
          const bool sure = next_[w] != several && next_[ways.front()] != several;
          if (ways.size() < 2 || key_[b] || (strict && (!sure || next_[w] == next_[ways.front()]))) continue;
          key_[b] = added = true;
        }
      }
      if (added) return true;
    }
    return false;
  }

  const cfg::flow_graph& graph_;
  std::vector<bool> key_;
  std::vector<size_t> next_;
};

barrier_check::barrier_check(const cfg::flow_graph& graph, const launch_facts& launch)
    : graph_(graph), barriers_(graph.size(), 0) {
  wavefronts_ = models::wavefronts_of(work_items_of(launch.workgroup));
  bool any = false;
  for (const size_t b : graph.reverse_postorder())
    for (size_t k = graph[b].first; k < graph[b].end; ++k)
      if (graph.code().instructions[k].unit == isa::unit::barrier) {
        ++barriers_[b];
        any = true;
      }
  if (!any) wavefronts_ = 1;
  if (wavefronts_ > 1) decisions_.emplace(graph, launch);
}

// Where wavefronts may part on their way to the next key block.
std::vector<workgroup_decisions::parting> barrier_check::partings_between(const key_blocks& keys) const {
  const cfg::dominator_tree behind(graph_, cfg::dominator_tree::direction::post_dominators);
  std::vector<workgroup_decisions::parting> partings;
  for (const size_t b : graph_.reverse_postorder()) {
    const std::vector<size_t> ways = keys.ways_on(b);
    if (ways.size() < 2) continue;
    workgroup_decisions::parting parting;
    parting.from = b;
    std::vector<bool> seen(graph_.size(), false);
    std::vector<size_t> open = ways;
    while (!open.empty()) {
      const size_t n = open.back();
      open.pop_back();
      if (seen[n] || keys.next(n) == no_key) continue;
      seen[n] = true;
      if (keys.is_key(n) || n == behind.immediate(b)) {
        parting.meets.push_back(n);
        continue;
      }
      parting.between.push_back(n);
      open.insert(open.end(), graph_[n].successors.begin(), graph_[n].successors.end());
    }
    partings.push_back(std::move(parting));
  }
  return partings;
}

// Blocks with a barrier, and what limits count across one.
barrier_check::counted_blocks barrier_check::find_counted(const flow_problem& p) const {
  const counted_flow flow(p);
  std::vector<size_t> block(p.cycles.size());  // that a node is, or that its edge leaves
  for (size_t n = 0; n < block.size(); ++n) block[n] = n;
  for (const flow_problem::edge& e : p.edges)
    if (e.to >= graph_.size()) block[e.to] = e.from;
  counted_blocks c{std::vector<bool>(graph_.size(), false), std::vector<bool>(graph_.size(), false)};
  for (size_t b = 0; b < graph_.size(); ++b) c.blocks[b] = barriers_[b] != 0;
  for (size_t k = 0; k < p.limits.size(); ++k) {
    const flow_problem::limit& l = p.limits[k];
    if (l.bound == 0 || l.through) continue;  // never, in no piece; in each piece
    bool across = false;
    for (size_t b = 0; b < graph_.size() && !across; ++b) across = barriers_[b] != 0 && flow.counts_behind(k, b, false);
    if (!across) continue;
    for (const auto* nodes : {&l.nodes, &l.per_nodes})
      for (const size_t n : *nodes) c.blocks[block[n]] = true;
    for (const auto* edges : {&l.edges, &l.per_edges})
      for (const size_t e : *edges) c.blocks[block[p.edges[e].from]] = c.ways[block[p.edges[e].from]] = true;
  }
  return c;
}

// Adds to the key blocks those that wavefronts leave from: only there the way that the others have gone is known to be
// the leaving one's too. Returns which blocks' branches are decided alike.
std::vector<bool> barrier_check::find_leaving(std::optional<key_blocks>& keys, std::vector<bool> first) const {
  for (;;) {
    keys.emplace(graph_, first);
    std::vector<bool> alike = decisions_->decide(partings_between(*keys));
    bool more = false;
    for (const size_t b : graph_.reverse_postorder()) {
      const size_t ways = keys->ways_on(b).size();
      if (alike[b] || keys->is_key(b) || ways == 0 || ways == graph_[b].successors.size()) continue;
      first[b] = more = true;
    }
    if (!more) return alike;
  }
}

// So many pieces at most: those of all wavefronts, or one more than there are releases on a path.
uint64_t barrier_check::pieces_at_most(flow_problem count) const {
  std::fill(count.cycles.begin(), count.cycles.end(), 0);
  std::fill(count.charges.begin(), count.charges.end(), 0);
  std::copy(barriers_.begin(), barriers_.end(), count.cycles.begin());
  const uint64_t releases = solve_ipet(count).cycles;
  return std::min(wavefronts_, checked_sum(releases, 1, "the number of barriers"));
}

// The longest way to its end of a wavefront that leaves from each of those blocks.
std::vector<early_end> barrier_check::find_ends(const flow_problem& p, const key_blocks& keys,
                                                const std::vector<bool>& alike, const longest_function& longest) const {
  const counted_flow flow(p);
  std::vector<early_end> ends;
  for (const size_t b : graph_.reverse_postorder()) {
    if (alike[b] || keys.ways_on(b).empty()) continue;
    std::optional<uint64_t> cycles;
    for (const size_t e : flow.out(b)) {
      const size_t node = p.edges[e].to;
      const size_t to = node < graph_.size() ? node : p.edges[flow.out(node).front()].to;
      if (keys.next(to) != no_key) continue;
      flow_problem rest = p;
      rest.entry = node;
      // A loop that it is in already may have some iterations left.
      for (size_t k = 0; k < rest.limits.size(); ++k) rest.limits[k].per_run = flow.counts_behind(k, node, true);
      erase_limits(rest, [](const auto& l) { return l.from_entry; });
      try {
        cycles = std::max(cycles.value_or(0), longest(rest));
      } catch (const infeasible_flow&) {  // no way on from there that a wavefront may take: none leaves so
      }
    }
    if (cycles) ends.push_back({b, *cycles});
  }
  return ends;
}

barrier_effect barrier_check::apply(flow_problem& p, const longest_function& longest) const {
  barrier_effect effect;
  if (wavefronts_ <= 1) return effect;
  const counted_blocks counts = find_counted(p);
  std::optional<key_blocks> keys;
  const std::vector<bool> alike = find_leaving(keys, counts.blocks);
  for (const size_t b : graph_.reverse_postorder())
    if (!alike[b] && !effect.undecided && (keys->decides(b) || (counts.ways[b] && keys->ways_on(b).size() > 1)))
      effect.undecided = b;
  if (effect.undecided) {
    effect.factor = pieces_at_most(p);
    return effect;
  }
  // There one wavefront's piece ends and another one's begins, which may have come by another way.
  erase_limits(p, [&](const auto& l) { return l.through && keys->is_key(*l.through); });
  effect.ends = find_ends(p, *keys, alike, longest);
  for (const early_end& e : effect.ends)
    p.cycles[e.block] = checked_sum(p.cycles[e.block], e.cycles, "a basic block's time");
  return effect;
}

}  // namespace pws::wcet
