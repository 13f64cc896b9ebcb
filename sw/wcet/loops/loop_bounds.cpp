// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/loops/loop_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "models/flow/dominators.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/scalar_set.h"
#include "sw/wcet/flow/ipet.h"
#include "sw/wcet/lanes/lane_walk.h"

namespace pws::wcet {

namespace {

std::vector<size_t> blocks_of(const cfg::flow_graph& graph, const std::vector<size_t>& instructions) {
  std::vector<size_t> out;
  out.reserve(instructions.size());
  for (const size_t k : instructions) out.push_back(graph.block_of(k));
  return out;
}

// Whether a loop statement may be under way (entered, and not known to be over) where a loop of the machine code is
// entered: then iterations before any entry in there belong to that. It is over when a loop around it in the source
// begins or goes on.
class progress_tracker {
 public:
  progress_tracker(const cfg::flow_graph& graph, const std::vector<marked_loop>& marked, size_t m) : graph_(graph) {
    last_.assign(graph.size(), event::none);
    std::vector<size_t> at(graph.size(), 0);
    const auto note = [&](size_t instruction, event e) {
      const size_t b = graph.block_of(instruction);
      if (last_[b] != event::none && instruction < at[b]) return;
      // If two are at one place, the one that says more counts as the last.
      if (last_[b] == event::begun && instruction == at[b]) return;
      last_[b] = e;
      at[b] = instruction;
    };
    for (size_t a = marked[m].parent; a != marked_loop::none; a = marked[a].parent) {
      for (const size_t k : marked[a].entries) note(k, event::over);
      for (const size_t k : marked[a].iterations) note(k, event::over);
    }
    for (const size_t k : marked[m].entries) note(k, event::begun);
    for (const size_t k : marked[m].iterations) note(k, event::begun);
    out_.assign(graph.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const size_t b : graph.reverse_postorder()) {
        const bool now = last_[b] == event::begun || (last_[b] == event::none && comes_in(b, nullptr));
        if (now == out_[b]) continue;
        out_[b] = now;
        changed = true;
      }
    }
  }
  bool when_entering(const cfg::natural_loop& loop) const { return comes_in(loop.header, &loop); }

 private:
  enum class event : uint8_t { none, begun, over };
  bool comes_in(size_t block, const cfg::natural_loop* but_from) const {
    const auto& from = graph_[block].predecessors;
    return std::any_of(from.begin(), from.end(), [&](size_t p) {
      return graph_.reachable(p) && out_[p] && (but_from == nullptr || !but_from->contains(p));
    });
  }
  const cfg::flow_graph& graph_;
  std::vector<event> last_;  // by block: what its last anchor of interest says
  std::vector<bool> out_;    // by block: may be under way at its end
};

class loop_bounder {
 public:
  loop_bounder(const cfg::flow_graph& graph, const cfg::loop_forest& forest, const std::vector<marked_loop>& marked,
               const unmarked_bounds& unmarked)
      : graph_(graph), forest_(forest), marked_(marked), unmarked_(unmarked), live_(graph) {
    for (size_t m = 0; m < marked.size(); ++m) {
      if (marked[m].in_loop.empty()) {
        anchored_.insert(marked[m].entries.begin(), marked[m].entries.end());
        anchored_.insert(marked[m].iterations.begin(), marked[m].iterations.end());
      }
      iterations_.push_back(blocks_of(graph, marked[m].iterations));
      progress_.emplace_back(graph, marked, m);
    }
  }

  std::vector<bounded_loop> run() {
    const auto& loops = forest_.loops();
    std::vector<bounded_loop> out(loops.size());
    for (size_t l = loops.size(); l-- > 0;) {  // inner ones are behind outer ones
      out[l].header = loops[l].header;
      out[l].blocks = loops[l].blocks;
      for (size_t m = 0; m < marked_.size(); ++m)
        if (directly_in(l, iterations_[m])) out[l].marks.push_back(m);
      bound(l, out);
      out[l].by_marks = out[l].passes;
      take_in_unmarked(l, out[l]);
    }
    return out;
  }

 private:
  bool directly_in(size_t l, const std::vector<size_t>& blocks) const {
    return std::any_of(blocks.begin(), blocks.end(), [&](size_t b) { return forest_.innermost(b) == l; });
  }

  std::string place_of(size_t block) const {
    const cfg::function_code& code = graph_.code();
    return fmt::format("{}+0x{:x}", code.name, code.instructions[graph_[block].first].pc - code.begin());
  }

  // Whether the anchor at instruction `k` is passed: by the work-item, or where a loop of the machine code has the
  // bound by whoever is active.
  static bool passes(const lane_walks::execution& n, const marked_loop& m, size_t k) {
    return !m.in_loop.empty() || n.active_at(k);
  }

  // Walks through the loop as paths of a flow problem; the header costs 1. Node n is execution n, behind them is a node
  // where they begin.
  flow_problem problem_of(const lane_walks& walks, size_t l, const std::vector<bounded_loop>& bounded) const {
    const cfg::natural_loop& loop = forest_.loops()[l];
    flow_problem p;
    std::map<size_t, std::vector<size_t>> executions;  // by block
    for (size_t n = 0; n < walks.nodes.size(); ++n) {
      executions[walks.nodes[n].block].push_back(n);
      p.cycles.push_back(walks.nodes[n].block == loop.header ? 1 : 0);
    }
    p.entry = p.cycles.size();
    p.cycles.push_back(0);
    for (const auto& [from, to] : walks.edges) p.edges.push_back({from, to});
    for (const size_t n : walks.begins) p.edges.push_back({p.entry, n});
    // Executions in which anchors are passed, of those that are in the loop.
    const auto passing = [&](const marked_loop& m, const std::vector<size_t>& anchors) {
      std::vector<size_t> out;
      for (const size_t k : anchors)
        if (const auto found = executions.find(graph_.block_of(k)); found != executions.end())
          for (const size_t n : found->second)
            if (passes(walks.nodes[n], m, k)) out.push_back(n);
      return out;
    };
    for (size_t inner = l + 1; inner < bounded.size(); ++inner) {
      const cfg::natural_loop& in = forest_.loops()[inner];
      if (!loop.contains(in.header) || in.header == loop.header || !bounded[inner].passes) continue;
      flow_problem::limit limit;
      for (size_t e = 0; e < walks.edges.size(); ++e) {
        if (walks.nodes[walks.edges[e].second].block != in.header) continue;
        (in.contains(walks.nodes[walks.edges[e].first].block) ? limit.edges : limit.per_edges).push_back(e);
      }
      limit.bound = std::max<uint64_t>(*bounded[inner].passes, 1) - 1;
      limit.name = fmt::format("the loop at {}", place_of(in.header));
      p.limits.push_back(std::move(limit));
    }
    for (size_t m = 0; m < marked_.size(); ++m) {
      flow_problem::limit limit;
      limit.nodes = passing(marked_[m], marked_[m].iterations);
      if (limit.nodes.empty()) continue;
      limit.bound = marked_[m].bound;
      limit.name = marked_[m].place.line == 0
                       ? marked_[m].from
                       : fmt::format("{} at {}:{}", marked_[m].from, marked_[m].place.file, marked_[m].place.line);
      limit.stated = true;
      if (!marked_[m].in_loop.empty()) {
        // A bound on the innermost loop of the machine code around its instruction, each time that is entered.
        if (forest_.innermost(graph_.block_of(marked_[m].iterations.front())) != l) continue;
        limit.per_run = true;
        p.limits.push_back(std::move(limit));
        continue;
      }
      limit.per_nodes = passing(marked_[m], marked_[m].entries);
      limit.per_run = progress_[m].when_entering(loop);
      p.limits.push_back(limit);
      const size_t parent = marked_[m].parent;
      if (!marked_[m].directly || parent == marked_loop::none || limit.per_nodes.empty()) continue;
      // Once for each iteration of the loop around it, the one included that is under way when the walk begins.
      flow_problem::limit reached;
      reached.nodes = limit.per_nodes;
      reached.bound = 1;
      reached.per_nodes = passing(marked_[parent], marked_[parent].iterations);
      reached.per_run = progress_[parent].when_entering(loop);
      p.limits.push_back(std::move(reached));
    }
    return p;
  }

  void bound(size_t l, std::vector<bounded_loop>& bounded) const {
    bounded_loop& b = bounded[l];
    const cfg::natural_loop& loop = forest_.loops()[l];
    // First tries walks that merge many of a work-item's states, because these are few. Most loops need no more than
    // all walks in the graph, which are fewer still, if the work-item passes the anchors on them.
    std::vector<walk_limits> attempts(3);
    attempts[0].states = 4;
    attempts[1].states = 64;
    b.returned_to = work_items_may_return(graph_, loop, live_);
    b.uncounted = loop.header;
    if (b.returned_to) return;
    bool tried_all = false;
    for (const walk_limits& limits : attempts) {
      const auto walks = possible_walks(graph_, loop, live_, anchored_, limits);
      if (!walks) continue;
      if (!tried_all && pass_all_anchors(*walks)) {
        tried_all = true;
        if (bound_by(all_walks(graph_, loop), l, bounded)) return;
      }
      if (bound_by(*walks, l, bounded)) return;
    }
  }

  // The least counts; limits of blocks stay where they say more.
  void take_in_unmarked(size_t l, bounded_loop& b) const {
    // Where no wavefront comes to a loop, its mark says enough: the ways to it that none takes are another matter.
    const auto at_most = [&](const std::optional<uint64_t>& passes) {
      if (passes && (*passes != 0 || !b.by_marks)) b.passes = std::min(b.passes.value_or(*passes), *passes);
    };
    if (!unmarked_.launched.empty()) at_most(b.by_launch = unmarked_.launched[b.header]);
    if (!unmarked_.counted.empty()) {
      const counted_loop& c = unmarked_.counted[l];
      b.counted = c.text;
      b.unknown_from = c.unknown_from;
      if (c.passes && !b.returned_to) {
        at_most(b.by_code = c.passes);
        b.exactly = c.exactly;
        b.limits.insert(b.limits.end(), c.limits.begin(), c.limits.end());
      }
    }
    const auto says_no_more = [&](const block_limit& limit) { return limit.executions >= *b.passes; };
    if (b.passes) b.limits.erase(std::remove_if(b.limits.begin(), b.limits.end(), says_no_more), b.limits.end());
  }

  // Whether the work-item is active at each anchor that a walk comes to: then no walk in the graph has more of them
  // than the work-item passes.
  bool pass_all_anchors(const lane_walks& walks) const {
    return std::all_of(walks.nodes.begin(), walks.nodes.end(), [&](const lane_walks::execution& n) {
      const auto from = anchored_.lower_bound(graph_[n.block].first), end = anchored_.lower_bound(graph_[n.block].end);
      return std::all_of(from, end, [&](size_t k) { return n.active_at(k); });
    });
  }

  // False if walks can be of any length.
  bool bound_by(const lane_walks& walks, size_t l, std::vector<bounded_loop>& bounded) const {
    bounded_loop& b = bounded[l];
    const cfg::natural_loop& loop = forest_.loops()[l];
    flow_problem p = problem_of(walks, l, bounded);
    const auto ending_in = [&](size_t block) {
      std::vector<size_t> out;
      for (size_t n = 0; n < walks.nodes.size(); ++n)
        if (walks.nodes[n].block == block) out.push_back(n);
      return out;
    };
    p.exits = ending_in(loop.header);
    try {
      b.passes = solve_ipet(p).cycles;
    } catch (const unbounded_flow& e) {
      b.uncounted = e.node() < walks.nodes.size() ? walks.nodes[e.node()].block : loop.header;
      return false;
    } catch (const immense_flow& e) {
      throw input_error(fmt::format("the passes of the loop at {} cannot be told, as of its length in passes {}",
                                    place_of(loop.header), e.what()));
    } catch (const infeasible_flow&) {
      // Not even the first pass is possible: a body that is said never to be begun, or more copies of one in the header
      // than it has iterations.
      b.passes = 0;
      return true;
    }
    // A walk ends in a block that it then executes as well: how many passes has it begun by then?
    for (const size_t m : b.marks)
      for (const size_t k : marked_[m].iterations) {
        const size_t block = graph_.block_of(k);
        if (forest_.innermost(block) != l || block == loop.header) continue;
        if (std::any_of(b.limits.begin(), b.limits.end(), [&](const auto& x) { return x.block == block; })) continue;
        p.exits.clear();
        for (const size_t n : ending_in(block))
          if (passes(walks.nodes[n], marked_[m], k)) p.exits.push_back(n);
        if (p.exits.empty()) continue;
        uint64_t passes = 0;
        try {
          passes = solve_ipet(p).cycles;
        } catch (const infeasible_flow&) {  // no walk ends there
        }
        if (passes < *b.passes) b.limits.push_back({block, passes});
      }
    return true;
  }

  const cfg::flow_graph& graph_;
  const cfg::loop_forest& forest_;
  const std::vector<marked_loop>& marked_;
  const unmarked_bounds& unmarked_;
  cfg::scalar_liveness live_;
  std::set<size_t> anchored_;                    // instructions that count for each work-item
  std::vector<std::vector<size_t>> iterations_;  // blocks, by marked loop
  std::vector<progress_tracker> progress_;
};

// Blocks that come behind one of `from` (or before one, backwards), without going on where one of `ends` is.
std::vector<bool> reached(const cfg::flow_graph& graph, const std::vector<size_t>& from,
                          const std::vector<size_t>& ends, bool backwards) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<size_t> work;
  const auto next = [&](size_t b) -> const std::vector<size_t>& {
    return backwards ? graph[b].predecessors : graph[b].successors;
  };
  for (const size_t b : from) work.insert(work.end(), next(b).begin(), next(b).end());
  while (!work.empty()) {
    const size_t b = work.back();
    work.pop_back();
    if (seen[b] || !graph.reachable(b)) continue;
    seen[b] = true;
    if (std::find(ends.begin(), ends.end(), b) != ends.end()) continue;
    work.insert(work.end(), next(b).begin(), next(b).end());
  }
  return seen;
}

// By instruction: whether it is in one of the blocks.
std::vector<bool> instructions_in(const cfg::flow_graph& graph, const std::vector<size_t>& blocks) {
  std::vector<bool> out(graph.code().instructions.size(), false);
  for (const size_t b : blocks)
    for (size_t k = graph[b].first; k < graph[b].end; ++k) out[k] = true;
  return out;
}

}  // namespace

marked_loop bound_around(const cfg::function_code& code, size_t instruction, uint64_t bound, const std::string& from) {
  const std::string place = fmt::format("{}+0x{:x}", code.name, code.instructions[instruction].pc - code.begin());
  const cfg::flow_graph graph(code, cfg::missing_skips(cfg::find_divergent_branches(code)));
  const cfg::dominator_tree dominators(graph, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest forest(graph, dominators);
  const size_t l = forest.innermost(graph.block_of(instruction));
  if (!forest.reducible()) throw input_error(code.name + ": a loop with two entries, which no bound can be given for");
  if (l == cfg::natural_loop::none) throw input_error(place + " is in no loop");
  marked_loop m;
  m.bound = bound;
  m.from = from;
  m.iterations = {instruction};
  m.in_loop = instructions_in(graph, forest.loops()[l].blocks);
  return m;
}

std::vector<bounded_loop> bound_loops(const cfg::flow_graph& graph, const cfg::loop_forest& forest,
                                      const std::vector<marked_loop>& marked, const unmarked_bounds& unmarked) {
  return loop_bounder(graph, forest, marked, unmarked).run();
}

std::vector<marked_loop> checks_of(const cfg::flow_graph& graph, const std::vector<bounded_loop>& loops) {
  std::vector<marked_loop> out;
  const auto add = [&](const bounded_loop& l, size_t block, uint64_t executions) {
    marked_loop m;
    m.bound = executions;
    m.from = "its analysis";
    m.computed = true;
    m.place = l.place;
    m.iterations = {graph[block].first};
    m.in_loop = instructions_in(graph, l.blocks);
    out.push_back(std::move(m));
  };
  for (const bounded_loop& l : loops) {
    if (l.passes) add(l, l.header, *l.passes);
    for (const block_limit& limit : l.limits) add(l, limit.block, limit.executions);
  }
  return out;
}

bool stays_together(const cfg::flow_graph& graph, const marked_loop& m) {
  const std::vector<size_t> entries = blocks_of(graph, m.entries), iterations = blocks_of(graph, m.iterations);
  const std::vector<bool> behind = reached(graph, entries, entries, false),
                          before = reached(graph, iterations, entries, true);
  const auto writes_exec = [&](size_t first, size_t end) {
    for (size_t k = first; k < end; ++k) {
      const cfg::scalar_set written = cfg::scalars_written(graph.code().instructions[k]);
      if (written.test(isa::exec_lo) || written.test(isa::exec_hi)) return true;
    }
    return false;
  };
  const auto is_in = [](const std::vector<size_t>& v, size_t b) { return std::find(v.begin(), v.end(), b) != v.end(); };
  for (size_t b = 0; b < graph.size(); ++b) {
    if (!graph.reachable(b)) continue;
    const bool entry = is_in(entries, b), iteration = is_in(iterations, b);
    // Whole blocks between, the part of an entry's block behind it, the part of an iteration's before it.
    if (behind[b] && before[b] && !entry && writes_exec(graph[b].first, graph[b].end)) return false;
    if (entry && (before[b] || iteration))
      for (const size_t k : m.entries)
        if (graph.block_of(k) == b && writes_exec(k, graph[b].end)) return false;
    if (iteration && (behind[b] || entry))
      for (const size_t k : m.iterations)
        if (graph.block_of(k) == b && writes_exec(graph[b].first, k)) return false;
  }
  return true;
}

}  // namespace pws::wcet
