// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/kernel/wavefront_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "sw/wcet/checked.h"

namespace pws::wcet {

namespace {

class problem_writer {
 public:
  problem_writer(const analysed_kernel& code, const block_times& times)
      : code_(code), graph_(code.graph()), static_(std::get_if<static_times>(&times)) {
    write_graph(cycles_of_blocks(times));
    if (static_ != nullptr) charge_shared_waits();
    limit_loops();
    // Not for measured times: with pws-mode, parts may go other ways.
    if (static_ != nullptr && code.paths()) limit_paths(*code.paths());
  }

  wavefront_problem take(scheme s) {
    wavefront_problem out;
    std::vector<flow_problem::limit> limits;
    if (s == scheme::pws) find_sides(out.sides, limits);
    // Measured times have what is waited for slots in them.
    if (s == scheme::pws && static_ != nullptr && code_.swf_contexts() != 0 && !code_.split_points().empty())
      out.shared = share_slots(std::move(limits));
    else
      p_.limits.insert(p_.limits.end(), limits.begin(), limits.end());
    out.graph = std::move(p_);
    return out;
  }

 private:
  // Nodes: the blocks; a taken branch that costs more than one that is not gets a node of its own on its edge.
  void write_graph(const std::vector<uint64_t>& cycles) {
    const auto& code = graph_.code().instructions;
    p_.cycles = cycles;
    for (size_t from = 0; from < graph_.size(); ++from) {
      if (!graph_.reachable(from)) continue;
      const isa::inst& last = code[graph_[from].last()];
      const uint64_t extra = static_ != nullptr ? static_->of[graph_[from].last()].target : 0;
      for (const size_t to : graph_[from].successors) {
        const bool taken = last.unit == isa::unit::branch && last.target == code[graph_[to].first].pc;
        if (taken && extra != 0) {
          p_.edges.push_back({from, p_.cycles.size()});
          p_.edges.push_back({p_.cycles.size(), to});
          p_.cycles.push_back(extra);
        } else {
          p_.edges.push_back({from, to});
        }
      }
      if (graph_[from].successors.empty()) p_.exits.push_back(from);
    }
    p_.entry = 0;
  }

  void charge_shared_waits() {
    const shared_waits& waits = static_->waits;
    for (size_t i = 0; i < static_->of.size(); ++i)
      if (waits.shared[i]) p_.cycles[graph_.block_of(i)] -= static_->of[i].wait;
    for (const shared_waits::charge& c : waits.charges) p_.charges.push_back(c.cycles);
    p_.limits = waits.limits;
  }

  // Edges of the problem that leave block `from` for block `to`, directly or through a node of their own.
  std::vector<size_t> edges_between(size_t from, size_t to) const {
    std::vector<size_t> out;
    for (size_t e = 0; e < p_.edges.size(); ++e) {
      if (p_.edges[e].from != from) continue;
      size_t end = p_.edges[e].to;
      if (end >= graph_.size())  // such a node has one edge out, right behind the one in
        end = p_.edges[e + 1].to;
      if (end == to) out.push_back(e);
    }
    return out;
  }

  // How often a loop goes back for each time it is entered; without its bound.
  flow_problem::limit passes_of(const bounded_loop& l) const {
    flow_problem::limit limit;
    limit.stated = !l.marks.empty();
    limit.name = code_.name_of(l);
    for (const size_t from : graph_[l.header].predecessors) {
      if (!graph_.reachable(from)) continue;
      const bool back = std::binary_search(l.blocks.begin(), l.blocks.end(), from);
      for (const size_t e : edges_between(from, l.header)) (back ? limit.edges : limit.per_edges).push_back(e);
    }
    limit.per_run = l.header == p_.entry;
    return limit;
  }

  void limit_loops() {
    for (const bounded_loop& l : code_.loops()) {
      flow_problem::limit limit = passes_of(l);
      for (const block_limit& b : l.limits) {
        flow_problem::limit in_block = limit;
        in_block.edges.clear();
        in_block.nodes = {b.block};
        in_block.bound = b.executions;
        p_.limits.push_back(std::move(in_block));
      }
      if (*l.passes == 0) {  // the loop is said never to be reached
        limit.edges.clear();
        limit.per_edges.clear();
        limit.per_run = false;
        limit.nodes = {l.header};
        limit.bound = 0;
      } else {
        limit.bound = *l.passes - 1;
      }
      p_.limits.push_back(std::move(limit));
    }
    for (const marked_loop& m : code_.marked_loops()) {
      if (!m.in_loop.empty() || !stays_together(graph_, m)) continue;
      flow_problem::limit limit;
      limit.name = fmt::format("{} at {}:{}", m.from, m.place.file, m.place.line);
      limit.stated = true;
      for (const size_t k : m.iterations) limit.nodes.push_back(graph_.block_of(k));
      for (const size_t k : m.entries) limit.per_nodes.push_back(graph_.block_of(k));
      limit.bound = m.bound;
      p_.limits.push_back(std::move(limit));
    }
  }

  // What is known of the launch's wavefronts.
  void limit_paths(const lane_paths& paths) {
    flow_problem::limit never;
    never.name = "ways that no wavefront of this launch takes";
    for (size_t from = 0; from < graph_.size(); ++from)
      for (const size_t to : graph_[from].successors)
        if (graph_.reachable(from) && paths.edges.count({from, to}) == 0)
          for (const size_t e : edges_between(from, to)) never.edges.push_back(e);
    if (!never.edges.empty()) p_.limits.push_back(std::move(never));
    for (const bounded_loop& l : code_.loops()) {
      const std::optional<uint64_t> passes = paths.passes[l.header];
      if (!passes || *passes == 0 || *passes >= *l.passes) continue;
      flow_problem::limit limit = passes_of(l);
      limit.bound = *passes - 1;
      p_.limits.push_back(std::move(limit));
    }
    limit_ways(paths);
    // This is for a whole execution: at barriers the time is that of pieces of several wavefronts', which may have more
    // together.
    if (has_barriers()) return;
    for (size_t b = 0; b < graph_.size(); ++b) {
      const std::optional<uint64_t> n = paths.executions[b];
      if (!n || *n <= 1 || !graph_.reachable(b)) continue;
      flow_problem::limit limit;
      limit.name = "executions of " + place_of(b);
      limit.nodes = {b};
      limit.per_run = true;
      limit.bound = *n;
      p_.limits.push_back(std::move(limit));
    }
  }

  // A way out of a block is taken at most as often as the ways in that it can follow.
  void limit_ways(const lane_paths& paths) {
    for (size_t b = 0; b < graph_.size(); ++b) {
      if (!graph_.reachable(b) || graph_[b].successors.size() < 2 || !paths.ways_told[b]) continue;
      for (const size_t to : graph_[b].successors) {
        if (paths.edges.count({b, to}) == 0) continue;
        flow_problem::limit limit;
        limit.name = "ways through " + place_of(b);
        bool some_do_not = false;
        for (const size_t from : graph_[b].predecessors) {
          if (paths.edges.count({from, b}) == 0) continue;
          if (paths.ways.count({from, b, to}) == 0) {
            some_do_not = true;
            continue;
          }
          for (const size_t e : edges_between(from, b)) limit.per_edges.push_back(e);
        }
        if (!some_do_not) continue;
        limit.per_run = paths.ways.count({way_through::outside, b, to}) != 0;
        limit.edges = edges_between(b, to);
        limit.bound = 1;
        limit.through = b;
        p_.limits.push_back(std::move(limit));
      }
    }
  }

  // Edges into the sides of splits that find a context for sure: a part takes one side only.
  void find_sides(std::vector<exclusive_sides>& sides, std::vector<flow_problem::limit>& limits) const {
    for (size_t k = 0; k < code_.split_points().size(); ++k) {
      const split_point& s = code_.split_points()[k];
      if (!s.guaranteed || s.first_empty || s.second_empty) continue;
      exclusive_sides x{k, edges_between(s.block, s.first_side), edges_between(s.bsb, s.second_side)};
      flow_problem::limit limit;
      limit.name = fmt::format("sides of the split at {}+0x{:x}", graph_.code().name,
                               graph_.code().instructions[s.instruction].pc - graph_.code().begin());
      limit.edges = x.first;
      limit.edges.insert(limit.edges.end(), x.second.begin(), x.second.end());
      limit.per_nodes = {s.block};
      limit.bound = 1;
      limits.push_back(std::move(limit));
      sides.push_back(std::move(x));
    }
  }

  // The parts' own time along the chain of them that ends last, and the slots of all.
  two_walk_problem share_slots(std::vector<flow_problem::limit> sides) {
    two_walk_problem walks;
    walks.sides = std::move(sides);
    walks.slots.assign(p_.cycles.size(), 0);
    walks.apart.assign(p_.cycles.size(), false);
    for (size_t k = 0; k < graph_.size(); ++k) {
      p_.cycles[k] = 0;
      for (size_t i = graph_[k].first; i < graph_[k].end; ++i) {
        const instruction_time& t = static_->of[i];
        const uint64_t wait = static_->waits.shared[i] ? 0 : t.wait;
        p_.cycles[k] = checked_sum({p_.cycles[k], t.issue, wait}, "a basic block's time");
        walks.slots[k] = checked_sum(walks.slots[k], t.memory, "a basic block's time");
        if (!code_.splits().sides_known[i]) walks.apart[k] = true;
      }
    }
    // One part skips a side that another one takes.
    const std::vector<split_point>& splits = code_.split_points();
    for (const flow_problem::edge& e : p_.edges) {
      if (e.to < graph_.size()) continue;
      walks.apart[e.to] = walks.apart[e.from] || std::any_of(splits.begin(), splits.end(), [&](const split_point& s) {
                            return s.recognised && (s.block == e.from || s.bsb == e.from);
                          });
    }
    return walks;
  }

  std::string place_of(size_t block) const { return graph_.code().name + code_.offset_of(block); }
  bool has_barriers() const {
    const auto& code = graph_.code().instructions;
    return std::any_of(code.begin(), code.end(), [](const isa::inst& i) { return i.unit == isa::unit::barrier; });
  }

  const analysed_kernel& code_;
  const cfg::flow_graph& graph_;
  const static_times* static_;  // null: times are measured
  flow_problem p_;
};

}  // namespace

wavefront_problem find_problem(const analysed_kernel& code, scheme s, const block_times& times) {
  return problem_writer(code, times).take(s);
}

two_walk_result solve(const wavefront_problem& problem, const flow_problem& graph) {
  if (problem.shared) {
    two_walk_problem walks = *problem.shared;
    walks.graph = graph;
    return solve_two_walks(walks);
  }
  two_walk_result one;
  one.critical = solve_ipet(graph);
  one.work_count = one.critical.node_count;
  return one;
}

uint64_t part_cycles(const flow_problem& whole, const split_point& split) {
  flow_problem p = whole;
  p.limits.erase(std::remove_if(p.limits.begin(), p.limits.end(),
                                [&](const auto& l) { return l.from_entry || l.through == split.bsb; }),
                 p.limits.end());
  p.entry = split.bsb;
  p.exits = {split.join};
  flow_problem::limit ends;
  ends.name = "the SWF ends at its merge";
  for (size_t e = 0; e < p.edges.size(); ++e)
    if (p.edges[e].from == split.join) ends.edges.push_back(e);
  if (!ends.edges.empty()) p.limits.push_back(std::move(ends));
  try {
    return solve_ipet(p).cycles;
  } catch (const infeasible_flow&) {  // no wavefront of this launch gets there
    return 0;
  }
}

}  // namespace pws::wcet
