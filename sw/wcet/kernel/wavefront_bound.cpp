#include "sw/wcet/kernel/wavefront_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "models/flow/dominators.h"
#include "models/isa/predicates.h"
#include "sw/cfg/region_costs.h"
#include "sw/cfg/split_region.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/flow/prune.h"
#include "sw/wcet/flow/two_walks.h"
#include "sw/wcet/loops/loop_place.h"

namespace pws::wcet {

namespace {

void refuse_calls(const cfg::function_code& code) {
  for (const isa::inst& i : code.instructions)
    if (is_indirect_jump(i))
      throw input_error(
          fmt::format("{}+0x{:x}: {}: the analysis does not follow this jump: no path that it knows of leads here",
                      code.name, i.pc - code.begin(), isa::disassemble(i)));
}

}  // namespace

kernel_code::kernel_code(const cfg::function_code& code, const code_facts& facts, const launch_facts& launch,
                         const machine_timing& machine, size_t swf_contexts)
    : code_(code),
      place_(facts.place),
      marked_(facts.marked),
      machine_(machine),
      swf_contexts_(swf_contexts),
      branches_((refuse_calls(code), cfg::find_divergent_branches(code))),
      graph_(code, cfg::missing_skips(branches_)) {
  find_loops();
  const split_nesting nesting(graph_);
  regions_ = cfg::find_regions(graph_, branches_);
  splits_ = find_split_points(graph_, nesting, regions_, swf_contexts);
  parts_ = executing_parts(graph_, nesting, splits_);
  for (size_t k = 0; k < code.instructions.size(); ++k) {
    bool known = true;
    for (size_t s = nesting.innermost(k); s != split_nesting::none; s = nesting.parent(s))
      known = known && splits_[s].recognised;
    sides_known_.push_back(known);
  }
  accesses_ = bound_accesses(graph_, launch, {machine.line_bytes, machine.lds_banks}, &paths_);
  barriers_.emplace(graph_, launch);
  const auto waits = [](const isa::inst& i) { return i.unit == isa::unit::barrier; };
  counts_whole_runs_ = std::none_of(code.instructions.begin(), code.instructions.end(), waits);
}

void kernel_code::find_loops() {
  const cfg::dominator_tree dominators(graph_, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest forest(graph_, dominators);
  if (!forest.reducible()) {
    const size_t block = *forest.second_entry();
    const cfg::source_place at = place_near(graph_, block, place_);
    throw input_error(fmt::format("{}{}+0x{:x}: a loop with two entries, which no bound can be given for",
                                  at.line != 0 ? fmt::format("{}:{}: ", at.file, at.line) : "", code_.name,
                                  code_.instructions[graph_[block].first].pc - code_.begin()));
  }
  loops_ = bound_loops(graph_, forest, marked_);
  for (size_t l = 0; l < loops_.size(); ++l)
    loops_[l].place = loops_[l].marks.size() == 1 && marked_[loops_[l].marks.front()].place.line != 0
                          ? marked_[loops_[l].marks.front()].place
                          : place_of_loop(graph_, forest.loops()[l], place_);
}

namespace {

// The one place in the source that all of these blocks' instructions come from, if there is only one: code without
// lines of its own, as the device library's, has that of the call that it was inlined for, or of what came before it.
// Line 0: they have none. Nothing also for loops of few instructions, which may all be of one expression.
std::optional<cfg::source_place> only_place(const cfg::flow_graph& graph, const std::vector<size_t>& blocks,
                                            const std::function<cfg::source_place(size_t)>& place) {
  constexpr size_t few = 8;
  std::optional<cfg::source_place> only;
  size_t instructions = 0;
  for (const size_t b : blocks) instructions += graph[b].end - graph[b].first;
  if (instructions < few) return std::nullopt;
  for (const size_t b : blocks)
    for (size_t k = graph[b].first; k < graph[b].end; ++k) {
      const cfg::source_place p = place(k);
      if (p.line == 0) continue;
      if (only && (only->line != p.line || only->column != p.column || only->file != p.file)) return std::nullopt;
      only = p;
    }
  return only.value_or(cfg::source_place{});
}

}  // namespace

void kernel_code::require_bounds() const {
  std::string missing;
  const auto add = [&](const cfg::source_place& at, const std::string& problem) {
    missing += missing.empty() ? "" : "\n";
    if (at.line != 0) missing += fmt::format("{}:{}: ", at.file, at.line);
    missing += problem;
  };
  const auto offset_of = [&](size_t block) { return code_.instructions[graph_[block].first].pc - code_.begin(); };
  struct without_lines {
    cfg::source_place call;
    uint64_t first = 0;
    size_t loops = 0;
  };
  std::vector<without_lines> library;
  for (const bounded_loop& l : loops_) {
    if (l.passes) continue;
    // What goes round without being counted may be a part of it that has a bound: the fault is that one's then.
    const bool inner = std::any_of(loops_.begin(), loops_.end(), [&](const bounded_loop& o) {
      return &o != &l && !o.passes && o.blocks.size() < l.blocks.size() &&
             std::binary_search(l.blocks.begin(), l.blocks.end(), o.header);
    });
    if (inner) continue;
    cfg::source_place at = l.place;
    if (const cfg::source_place p = place_(graph_[l.uncounted].last()); !l.marks.empty() && p.line != 0) at = p;
    if (l.returned_to) {
      add(at, fmt::format("the loop at {}+0x{:x} has no bound: work-items that have left it may come back to it before "
                          "it ends, which the analysis does not follow",
                          code_.name, offset_of(l.header)));
      continue;
    }
    if (const auto call = only_place(graph_, l.blocks, place_); call && l.marks.empty()) {
      auto same = std::find_if(library.begin(), library.end(), [&](const without_lines& o) {
        return o.call.line == call->line && o.call.file == call->file;
      });
      if (same == library.end()) same = library.insert(same, {*call, offset_of(l.header), 0});
      ++same->loops;
      continue;
    }
    std::string problem = fmt::format(
        "the loop at {}+0x{:x} has no bound: write PWS_LOOP_BOUND(n) first in its body, or give it one in wcet.loops",
        code_.name, offset_of(l.header));
    for (const size_t m : l.marks)
      problem += fmt::format(
          "; the mark of line {} does not count every way round (the code goes through +0x{:x} without "
          "it): a loop that is one with it in the code has no mark",
          marked_[m].place.line, offset_of(l.uncounted));
    add(at, problem);
  }
  for (const without_lines& w : library)
    add(w.call,
        fmt::format("{} at {}+0x{:x} {} no bound: the code has no lines of its own, as in functions of the device "
                    "library, such as printf, whose loops can be given none",
                    w.loops == 1 ? "the loop" : fmt::format("{} loops, the first", w.loops), code_.name, w.first,
                    w.loops == 1 ? "has" : "have"));
  if (!missing.empty()) throw input_error(missing);
}

wavefront_bound kernel_code::bound(scheme s) const {
  require_bounds();
  wavefront_bound b;
  b.of_scheme = s;
  b.times = instruction_times(graph_, machine_, s, accesses_);
  if (s == scheme::pws && swf_contexts_ != 0)
    for (size_t k = 0; k < b.times.size(); ++k)
      b.times[k].memory = checked_product(b.times[k].memory, parts_[k], "an access's time");
  const std::vector<paid_wait> waits = find_paid_waits(graph_, s, accesses_, b.times);
  for (instruction_time& t : b.times) t.wait = 0;
  for (const paid_wait& w : waits) b.times[w.instruction].wait = w.cycles;
  b.waits = find_shared_waits(graph_, waits);
  std::vector<uint64_t> extra(graph_.size(), 0);
  for (size_t k = 0; k < graph_.size(); ++k) {
    uint64_t cycles = 0;
    for (size_t i = graph_[k].first; i < graph_[k].end; ++i)
      cycles = checked_sum(cycles, b.times[i].cycles(), "a basic block's time");
    b.block_cycles.push_back(cycles);
    extra[k] = b.times[graph_[k].last()].target;
  }
  set_edges(b, extra);
  for (size_t i = 0; i < b.times.size(); ++i)
    if (b.waits.shared[i]) b.problem.cycles[graph_.block_of(i)] -= b.times[i].wait;
  charge_shared_waits(graph_, waits, b.waits, b.problem);
  solve_within_limits(b);
  return b;
}

wavefront_bound kernel_code::bound(scheme s, const std::vector<uint64_t>& block_cycles) const {
  require_bounds();
  wavefront_bound b;
  b.of_scheme = s;
  b.block_cycles = block_cycles;
  set_edges(b, std::vector<uint64_t>(graph_.size(), 0));
  solve_within_limits(b);
  return b;
}

// Nodes: the blocks; a taken branch that costs more than one that is not gets a node of its own on its edge.
void kernel_code::set_edges(wavefront_bound& b, const std::vector<uint64_t>& extra) const {
  flow_problem& p = b.problem;
  p.cycles = b.block_cycles;
  for (size_t from = 0; from < graph_.size(); ++from) {
    if (!graph_.reachable(from)) continue;
    const isa::inst& last = code_.instructions[graph_[from].last()];
    for (const size_t to : graph_[from].successors) {
      const bool taken = last.unit == isa::unit::branch && last.target == code_.instructions[graph_[to].first].pc;
      if (taken && extra[from] != 0) {
        p.edges.push_back({from, p.cycles.size()});
        p.edges.push_back({p.cycles.size(), to});
        p.cycles.push_back(extra[from]);
      } else {
        p.edges.push_back({from, to});
      }
    }
    if (graph_[from].successors.empty()) p.exits.push_back(from);
  }
  p.entry = 0;
}

namespace {

// Edges of the problem that leave block `from` for block `to`, directly or through a node of their own.
std::vector<size_t> edges_between(const flow_problem& p, size_t n_blocks, size_t from, size_t to) {
  std::vector<size_t> out;
  for (size_t e = 0; e < p.edges.size(); ++e) {
    if (p.edges[e].from != from) continue;
    size_t end = p.edges[e].to;
    if (end >= n_blocks)  // such a node has one edge out, right behind the one in
      end = p.edges[e + 1].to;
    if (end == to) out.push_back(e);
  }
  return out;
}

}  // namespace

std::string kernel_code::name_of(const bounded_loop& l) const {
  return l.place.line != 0 ? fmt::format("loop at {}:{}", l.place.file, l.place.line)
                           : fmt::format("loop at {}+0x{:x}", code_.name,
                                         code_.instructions[graph_[l.header].first].pc - code_.begin());
}

// The loops around each other whose passes multiply to the most; empty: there are no two.
std::string kernel_code::largest_nest() const {
  std::vector<const bounded_loop*> largest;
  double most = 0;
  for (const bounded_loop& inner : loops_) {
    std::vector<const bounded_loop*> nest;  // outer ones first, as in loops_
    double product = 1;
    for (const bounded_loop& l : loops_) {
      if (!std::binary_search(l.blocks.begin(), l.blocks.end(), inner.header)) continue;
      nest.push_back(&l);
      product *= static_cast<double>(*l.passes);
    }
    if (nest.size() < 2 || product <= most) continue;
    most = product;
    largest = std::move(nest);
  }
  std::string text;
  for (const bounded_loop* l : largest)
    text += fmt::format("{}the {} has {}", text.empty() ? "; of loops in loops the passes multiply: " : ", ",
                        name_of(*l), *l->passes);
  return text.empty() ? "" : fmt::format("{}, {:.3g} in all", text, most);
}

// How often a loop goes back for each time it is entered; without its bound.
flow_problem::limit kernel_code::passes_of(const flow_problem& p, const bounded_loop& l) const {
  flow_problem::limit limit;
  limit.stated = !l.marks.empty();
  limit.name = name_of(l);
  for (const size_t from : graph_[l.header].predecessors) {
    if (!graph_.reachable(from)) continue;
    const bool back = std::binary_search(l.blocks.begin(), l.blocks.end(), from);
    for (const size_t e : edges_between(p, graph_.size(), from, l.header))
      (back ? limit.edges : limit.per_edges).push_back(e);
  }
  limit.per_run = l.header == p.entry;
  return limit;
}

void kernel_code::limit_loops(flow_problem& p) const {
  for (const bounded_loop& l : loops_) {
    flow_problem::limit limit = passes_of(p, l);
    for (const bounded_loop::block_limit& b : l.limits) {
      flow_problem::limit in_block = limit;
      in_block.edges.clear();
      in_block.nodes = {b.block};
      in_block.bound = b.executions;
      p.limits.push_back(std::move(in_block));
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
    p.limits.push_back(std::move(limit));
  }
  for (const marked_loop& m : marked_) {
    if (!m.in_loop.empty() || !stays_together(graph_, m)) continue;
    flow_problem::limit limit;
    limit.name = fmt::format("{} at {}:{}", m.from, m.place.file, m.place.line);
    limit.stated = true;
    for (const size_t k : m.iterations) limit.nodes.push_back(graph_.block_of(k));
    for (const size_t k : m.entries) limit.per_nodes.push_back(graph_.block_of(k));
    limit.bound = m.bound;
    p.limits.push_back(std::move(limit));
  }
}

// What is known of the launch's wavefronts. Not for measured times: with pws-mode, parts may go other ways.
void kernel_code::limit_paths(flow_problem& p) const {
  if (!paths_) return;
  flow_problem::limit never;
  never.name = "ways that no wavefront of this launch takes";
  for (size_t from = 0; from < graph_.size(); ++from)
    for (const size_t to : graph_[from].successors)
      if (graph_.reachable(from) && paths_->edges.count({from, to}) == 0)
        for (const size_t e : edges_between(p, graph_.size(), from, to)) never.edges.push_back(e);
  if (!never.edges.empty()) p.limits.push_back(std::move(never));
  for (const bounded_loop& l : loops_) {
    const std::optional<uint64_t> passes = paths_->passes[l.header];
    if (!passes || *passes == 0 || *passes >= *l.passes) continue;
    flow_problem::limit limit = passes_of(p, l);
    limit.bound = *passes - 1;
    p.limits.push_back(std::move(limit));
  }
  limit_ways(p);
  // Of a whole execution: at barriers the time is that of pieces of several wavefronts', which may have more together.
  if (!counts_whole_runs_) return;
  for (size_t b = 0; b < graph_.size(); ++b) {
    const std::optional<uint64_t> n = paths_->executions[b];
    if (!n || *n <= 1 || !graph_.reachable(b)) continue;
    flow_problem::limit limit;
    limit.name =
        fmt::format("executions of {}+0x{:x}", code_.name, code_.instructions[graph_[b].first].pc - code_.begin());
    limit.nodes = {b};
    limit.per_run = true;
    limit.bound = *n;
    p.limits.push_back(std::move(limit));
  }
}

// A way out of a block is taken at most as often as the ways in that it can follow.
void kernel_code::limit_ways(flow_problem& p) const {
  for (size_t b = 0; b < graph_.size(); ++b) {
    if (!graph_.reachable(b) || graph_[b].successors.size() < 2 || !paths_->ways_told[b]) continue;
    for (const size_t to : graph_[b].successors) {
      if (paths_->edges.count({b, to}) == 0) continue;
      flow_problem::limit limit;
      limit.name =
          fmt::format("ways through {}+0x{:x}", code_.name, code_.instructions[graph_[b].first].pc - code_.begin());
      bool some_do_not = false;
      for (const size_t from : graph_[b].predecessors) {
        if (paths_->edges.count({from, b}) == 0) continue;
        if (paths_->ways.count({from, b, to}) == 0) {
          some_do_not = true;
          continue;
        }
        for (const size_t e : edges_between(p, graph_.size(), from, b)) limit.per_edges.push_back(e);
      }
      if (!some_do_not) continue;
      limit.per_run = paths_->ways.count({way_through::outside, b, to}) != 0;
      limit.edges = edges_between(p, graph_.size(), b, to);
      limit.bound = 1;
      limit.through = b;
      p.limits.push_back(std::move(limit));
    }
  }
}

void kernel_code::solve_within_limits(wavefront_bound& b) const {
  try {
    solve(b);
  } catch (const infeasible_flow& e) {
    if (!e.stated()) throw;
    throw input_error(
        fmt::format("{}: a bound of a loop is too small: by the code, every wavefront goes beyond one of these: {}",
                    code_.name, e.names()));
  } catch (const immense_flow& e) {
    throw input_error(fmt::format("{}: {}{}", code_.name, e.what(), largest_nest()));
  }
}

void kernel_code::solve(wavefront_bound& b) const {
  flow_problem& p = b.problem;
  limit_loops(p);
  if (!b.times.empty()) limit_paths(p);
  struct sides {
    size_t split;
    std::vector<size_t> first, second;
  };
  std::vector<sides> exclusive;
  std::vector<flow_problem::limit> one_side;
  if (b.of_scheme == scheme::pws) {
    for (size_t k = 0; k < splits_.size(); ++k) {
      const split_point& s = splits_[k];
      if (!s.guaranteed || s.first_empty || s.second_empty) continue;
      sides x{k, edges_between(p, graph_.size(), s.block, s.first_side),
              edges_between(p, graph_.size(), s.bsb, s.second_side)};
      flow_problem::limit limit;
      limit.name = fmt::format("sides of the split at {}+0x{:x}", code_.name,
                               code_.instructions[s.instruction].pc - code_.begin());
      limit.edges = x.first;
      limit.edges.insert(limit.edges.end(), x.second.begin(), x.second.end());
      limit.per_nodes = {s.block};
      limit.bound = 1;
      one_side.push_back(std::move(limit));
      exclusive.push_back(std::move(x));
    }
  }
  const bool is_static = !b.times.empty();  // measured times include what is waited for at barriers, and for slots
  if (is_static && b.of_scheme == scheme::pws && swf_contexts_ != 0 && !splits_.empty()) {
    b.path = solve_shared(b, std::move(one_side));
  } else {
    p.limits.insert(p.limits.end(), one_side.begin(), one_side.end());
    if (is_static) b.barriers = barriers_->apply(p);
    b.path = solve_ipet(p);
    b.work_count = b.path.node_count;
  }
  if (b.of_scheme != scheme::none) b.swfs = swfs_at_most(splits_, swf_contexts_);
  b.cycles = checked_product(b.path.cycles, b.barriers.factor, "E_WF");
  for (size_t k = 0; k < b.times.size(); ++k) {
    const isa::unit unit = code_.instructions[k].unit;
    if (unit != isa::unit::split && unit != isa::unit::merge) continue;
    const uint64_t once = checked_product(b.times[k].cycles(), b.barriers.factor, "E_WF");
    b.splitting =
        checked_sum(b.splitting, checked_product(once, b.path.node_count[graph_.block_of(k)], "E_WF"), "E_WF");
  }
  const auto count = [&](const std::vector<size_t>& edges) {
    uint64_t n = 0;
    for (const size_t e : edges) n += b.path.edge_count[e];
    return n;
  };
  for (const sides& x : exclusive) {
    const split_point& s = splits_[x.split];
    const bool first_stays = count(x.first) >= count(x.second) && count(x.first) > 0;
    if (count(x.first) + count(x.second) == 0) continue;  // not on the worst path at all
    b.removed.push_back(first_stays ? removed_side{x.split, s.bsb, s.second_side}
                                    : removed_side{x.split, s.block, s.first_side});
  }
  prune_too(b);
}

// The parts' own time along the chain of them that ends last, and the slots of all.
ipet_result kernel_code::solve_shared(wavefront_bound& b, std::vector<flow_problem::limit> sides) const {
  flow_problem& p = b.problem;
  two_walk_problem walks;
  walks.sides = std::move(sides);
  walks.slots.assign(p.cycles.size(), 0);
  walks.apart.assign(p.cycles.size(), false);
  for (size_t k = 0; k < graph_.size(); ++k) {
    p.cycles[k] = 0;
    for (size_t i = graph_[k].first; i < graph_[k].end; ++i) {
      const uint64_t wait = b.waits.shared[i] ? 0 : b.times[i].wait;
      p.cycles[k] = checked_sum({p.cycles[k], b.times[i].issue, wait}, "a basic block's time");
      walks.slots[k] = checked_sum(walks.slots[k], b.times[i].memory, "a basic block's time");
      if (!sides_known_[i]) walks.apart[k] = true;
    }
  }
  // One part skips a side that another one takes.
  for (const flow_problem::edge& e : p.edges) {
    if (e.to < graph_.size()) continue;
    walks.apart[e.to] = std::any_of(splits_.begin(), splits_.end(), [&](const split_point& s) {
      return s.recognised && (s.block == e.from || s.bsb == e.from);
    });
    if (walks.apart[e.from]) walks.apart[e.to] = true;
  }
  const auto solved = [&](const flow_problem& graph) {
    walks.graph = graph;
    return solve_two_walks(walks);
  };
  b.barriers = barriers_->apply(p, [&](const flow_problem& rest) { return solved(rest).critical.cycles; });
  two_walk_result found = solved(p);
  b.work_count = std::move(found.work_count);
  return std::move(found.critical);
}

uint64_t kernel_code::part_cycles(const wavefront_bound& whole, const split_point& split) const {
  flow_problem p = whole.problem;
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

void kernel_code::prune_too(wavefront_bound& b) const {
  std::vector<bool> guaranteed(regions_.size(), false);
  cfg::split_set chosen;
  for (const split_point& s : splits_) {
    if (!s.guaranteed || b.of_scheme != scheme::pws) continue;
    guaranteed[s.region] = true;
    chosen.insert(s.region);
  }
  const cfg::region_costs costs = cfg::cost_graph_of(graph_, regions_, guaranteed, b.block_cycles, [&](size_t header) {
    const auto l =
        std::find_if(loops_.begin(), loops_.end(), [&](const bounded_loop& x) { return x.header == header; });
    return *l->passes;
  });
  pruned p;
  try {
    p = prune(costs.graph, chosen);
  } catch (const input_error&) {  // they do not fit in 64 bits
    return;
  }
  b.f.assign(graph_.size(), 0);
  b.pruned_cycles = p.cycles;
  for (size_t k = 0; k < graph_.size(); ++k)
    if (costs.node_of[k] != cfg::cost_graph::none && costs.graph.nodes[costs.node_of[k]].loop == cfg::cost_graph::none)
      b.f[k] = p.f[costs.node_of[k]];
}

}  // namespace pws::wcet
