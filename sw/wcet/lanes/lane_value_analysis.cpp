// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_value_analysis.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "models/flow/dominators.h"
#include "models/isa/predicates.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/natural_loops.h"

namespace pws::wcet {

namespace {

constexpr unsigned rounds_before_widening = 3;
constexpr size_t max_splits_told_apart = 6;  // inside one another: each doubles the work

// The blocks in an order in which each loop's are together, and come behind what leads to them.
class loop_order {
 public:
  loop_order(const cfg::flow_graph& graph, const cfg::loop_forest& loops) : rank_(graph.size(), 0) {
    std::vector<size_t> members;
    for (const size_t b : graph.reverse_postorder()) members.push_back(b);
    arrange(graph, loops, members, cfg::natural_loop::none);
  }
  size_t operator[](size_t block) const { return rank_[block]; }

 private:
  // `members`: of loop `around`, in reverse postorder.
  void arrange(const cfg::flow_graph& graph, const cfg::loop_forest& loops, const std::vector<size_t>& members,
               size_t around) {
    // The loop right inside `around` that the block is in, or itself.
    const auto unit_of = [&](size_t block) {
      size_t unit = graph.size() + 1;
      for (size_t l = loops.innermost(block); l != around && l != cfg::natural_loop::none; l = loops.loops()[l].parent)
        unit = l;
      return unit == graph.size() + 1 ? std::make_pair(size_t{0}, block) : std::make_pair(size_t{1}, unit);
    };
    std::map<std::pair<size_t, size_t>, std::vector<size_t>> units;
    std::vector<std::pair<size_t, size_t>> found;
    for (const size_t b : members) {
      const auto u = unit_of(b);
      if (units[u].empty()) found.push_back(u);
      units[u].push_back(b);
    }
    std::map<std::pair<size_t, size_t>, std::set<std::pair<size_t, size_t>>> before;
    const size_t header = around == cfg::natural_loop::none ? graph.size() : loops.loops()[around].header;
    for (const size_t b : members)
      for (const size_t to : graph[b].successors)
        if (to != header && std::find(members.begin(), members.end(), to) != members.end() && unit_of(b) != unit_of(to))
          before[unit_of(to)].insert(unit_of(b));
    std::set<std::pair<size_t, size_t>> done;
    while (!found.empty()) {
      // The first one that nothing leads to any more; in graphs with other cycles than loops, just the first.
      auto next = std::find_if(found.begin(), found.end(), [&](const auto& u) {
        return std::all_of(before[u].begin(), before[u].end(), [&](const auto& p) { return done.count(p) != 0; });
      });
      if (next == found.end()) next = found.begin();
      const auto unit = *next;
      found.erase(next);
      done.insert(unit);
      if (unit.first == 0)
        rank_[unit.second] = next_++;
      else
        arrange(graph, loops, units[unit], unit.second);
    }
  }
  std::vector<size_t> rank_;
  size_t next_ = 0;
};

class analysis {
 public:
  // Whether anybody wants to know the ways through blocks.
  enum class follow_ways : bool { no, yes };
  analysis(const cfg::flow_graph& graph, const lane_transfer& transfer, const unrolling& unrolled, follow_ways ways)
      : graph_(graph),
        transfer_(transfer),
        unrolled_(unrolled),
        live_(graph),
        loops_(graph, cfg::dominator_tree(graph, cfg::dominator_tree::direction::dominators)),
        order_(graph, loops_) {
    paths_.executions.assign(graph.size(), 0);
    paths_.passes.assign(graph.size(), 0);
    for (size_t b = 0; b < graph.size(); ++b) {
      tells_.push_back(ways == follow_ways::yes ? told_of(b) : told::nothing);
      paths_.ways_told.push_back(tells_.back() != told::nothing);
      compares_.push_back(scalar_compare_of(graph, b));
    }
  }

  // False: too much work.
  bool run(const lane_state& initial, const lane_visitor& visit) {
    arrive(nullptr, 0, initial);
    while (!pending_.empty()) {
      const name now = pending_.begin()->second;
      pending_.erase(pending_.begin());
      // What comes here again is joined with what has been here before only where executions are not told apart.
      place& p = places_.at(now);
      lane_state s = p.several ? *p.before : std::move(*p.before);
      if (!p.several) p.before.reset();
      paths_.work += work_of(now.block, s);
      if (unrolled_.work != 0 && paths_.work > unrolled_.work) return false;
      follow_all(now, std::move(s), p.several, visit);
      if (!p.before) {
        p.from.clear();
        p.to.clear();
      }
    }
    return true;
  }

  // When nothing changes any more: in the order of the code's blocks.
  void visit_all(const lane_visitor& visit, const edge_visitor& visit_edge) {
    visit_edge_ = visit_edge;
    for (const auto& [at, p] : places_)
      if (p.before) follow_all(at, *p.before, p.several, visit);
  }

  lane_paths paths() const { return paths_; }

 private:
  // What of the wavefront executes it, for a split that is open and whose mask is a number.
  enum class piece : uint8_t { whole, first, second, any };
  // An execution of a block: for each loop around it, from the outermost on, the number of the iteration; for each
  // split that is open, from the outermost on, by what.
  struct name {
    size_t block = 0;
    std::vector<uint32_t> iteration;
    std::vector<piece> by;
    bool operator<(const name& o) const {
      return std::tie(block, iteration, by) < std::tie(o.block, o.iteration, o.by);
    }
    bool is_of(const name& o) const { return block == o.block && iteration == o.iteration; }
  };
  // Both parts of a split at its merge.
  struct meeting {
    std::optional<lane_state> first, second;
    bool over = false;
  };
  struct place {
    std::optional<lane_state> before;
    std::set<size_t> from;  // blocks that this has come from; way_through::outside
    std::set<size_t> to;    // blocks that it has gone on to
    bool several = false;   // executions that are not told apart
    unsigned rounds = 0;
  };
  // Loops around a block, from the outermost on.
  std::vector<size_t> loops_around(size_t block) const {
    std::vector<size_t> around;
    for (size_t l = loops_.innermost(block); l != cfg::natural_loop::none; l = loops_.loops()[l].parent)
      around.insert(around.begin(), l);
    return around;
  }
  // Executions in the order in which they are to be looked at: loops by their place, then by iteration.
  using turn = std::vector<size_t>;
  turn turn_of(const name& n) const {
    turn t;
    const std::vector<size_t> around = loops_around(n.block);
    for (size_t k = 0; k < around.size(); ++k) {
      t.push_back(order_[loops_.loops()[around[k]].header]);
      t.push_back(n.iteration[k]);
    }
    t.push_back(order_[n.block]);
    for (const piece p : n.by) t.push_back(static_cast<size_t>(p));
    return t;
  }
  name successor(const name* from, size_t to) const {
    name n;
    n.block = to;
    if (from != nullptr) n.by = from->by;
    const std::vector<size_t> around = loops_around(to);
    for (size_t k = 0; k < around.size(); ++k) {
      const cfg::natural_loop& l = loops_.loops()[around[k]];
      uint32_t iteration = 0;
      if (from != nullptr && l.contains(from->block)) {
        iteration = from->iteration[k];
        if (l.header == to && iteration < unrolled_.iterations) ++iteration;
      }
      if (k >= unrolled_.levels) iteration = unrolled_.iterations;
      n.iteration.push_back(iteration);
    }
    return n;
  }
  void follow_all(const name& at, lane_state s, bool several, const lane_visitor& visit) {
    followed_ = &places_.at(at);
    follow(at, graph_[at.block].first, std::move(s), several, visit);
  }
  // The rest of the block from instruction `k` on, and on to what comes next.
  void follow(name now, size_t k, lane_state s, bool several, const lane_visitor& visit) {
    for (; k < graph_[now.block].end; ++k) {
      if (visit) visit(k, s);
      const isa::inst& i = graph_.code().instructions[k];
      if (i.unit == isa::unit::split) {
        auto cases = now.by.size() < max_splits_told_apart ? transfer_.cases_of(s, k) : std::nullopt;
        if (cases) {
          follow(inside(now, piece::whole), k + 1, std::move(cases->whole), several, visit);
          if (cases->first) follow(inside(now, piece::first), k + 1, std::move(*cases->first), several, visit);
          if (cases->second) follow(inside(now, piece::second), k + 1, std::move(*cases->second), several, visit);
          return;
        }
        now.by.push_back(piece::any);
      }
      if (i.unit == isa::unit::merge && !now.by.empty()) {
        const piece p = now.by.back();
        now.by.pop_back();
        if (p == piece::whole) {
          s.end_whole();
          continue;
        }
        if (p != piece::any) {
          std::optional<lane_state> both = meet(now, k, p, std::move(s), several);
          if (!both) return;
          s = std::move(*both);
          continue;
        }
      }
      transfer_.apply(s, k);
    }
    std::optional<size_t> last;  // of those that it goes on to: that one needs the state no more
    for (const size_t to : graph_[now.block].successors) {
      if (!can_go(s, now.block, to)) continue;
      paths_.edges.emplace(now.block, to);
      if (tells_[now.block] == told::of_all_ways_in) {
        followed_->to.insert(to);
        for (const size_t from : followed_->from) paths_.ways.insert({from, now.block, to});
      }
      if (last) go_on(now, *last, s);
      last = to;
    }
    if (last) go_on(now, *last, std::move(s));
  }
  void go_on(const name& now, size_t to, lane_state s) {
    if (const std::optional<size_t> compare = compares_[now.block]) {
      const std::vector<isa::inst>& code = graph_.code().instructions;
      const isa::inst& branch = code[graph_[now.block].last()];
      const bool taken = code[graph_[to].first].pc == branch.target;
      if (branch.target != branch.pc + branch.bytes()) suppose(s, code[*compare], taken != asks_for_zero(branch));
    }
    if (visit_edge_) visit_edge_(now.block, to, s);
    arrive(&now, to, std::move(s));
  }

  // How ways through a block are told apart.
  enum class told : uint8_t {
    // A part waits at its merge for the other one, and what goes on has come by neither's way alone.
    nothing,
    of_all_ways_in,  // in one execution: what holds of all of them together
    of_each_way_in,  // short blocks, of which most compute nothing but where to go on
  };
  told told_of(size_t block) const {
    constexpr size_t short_block = 8;  // instructions
    const cfg::basic_block& b = graph_[block];
    bool is_short = b.end - b.first <= short_block && b.successors.size() > 1 && b.predecessors.size() > 1;
    for (size_t k = b.first; k < b.end; ++k) {
      const isa::inst& i = graph_.code().instructions[k];
      if (i.unit == isa::unit::merge) return told::nothing;
      if (i.unit == isa::unit::split || i.is_memory()) is_short = false;
    }
    return is_short ? told::of_each_way_in : told::of_all_ways_in;
  }
  // `s`: what holds of what comes from block `from`.
  void go_through(size_t from, size_t block, lane_state s) {
    paths_.work += work_of(block, s);
    for (size_t k = graph_[block].first; k < graph_[block].end; ++k) transfer_.apply(s, k);
    for (const size_t to : graph_[block].successors)
      if (can_go(s, block, to)) paths_.ways.insert({from, block, to});
  }

  static name inside(const name& around, piece p) {
    name n = around;
    n.by.push_back(p);
    return n;
  }

  // What holds of both parts of a split when the second one has come to the merge; nothing: it has not. `at`: behind
  // it.
  std::optional<lane_state> meet(const name& at, size_t merge, piece p, lane_state s, bool several) {
    meeting& m = meetings_[{merge, at}];
    if (m.over) throw std::logic_error("a part comes to its merge twice");
    std::optional<lane_state>& part = p == piece::first ? m.first : m.second;
    if (part)
      part->join_with(s, false);
    else
      part = std::move(s);
    if (!m.first || !m.second) return std::nullopt;
    lane_state both = transfer_.merged(*m.first, *m.second, merge);
    if (!several && !follows_merge(at.block, merge)) m = {std::nullopt, std::nullopt, true};
    return both;
  }
  // Behind another merge of its block: the wavefront in one piece comes by that one too, and so comes here apart from
  // what the other one's parts have become.
  bool follows_merge(size_t block, size_t merge) const {
    for (size_t k = graph_[block].first; k < merge; ++k)
      if (graph_.code().instructions[k].unit == isa::unit::merge) return true;
    return false;
  }

  // Every instruction that writes is followed for all masks that are kept; an access has lines to count.
  size_t work_of(size_t block, const lane_state& s) const {
    constexpr size_t of_access = 100;
    size_t work = (graph_[block].end - graph_[block].first) * s.kept_masks();
    for (size_t k = graph_[block].first; k < graph_[block].end; ++k)
      if (graph_.code().instructions[k].is_memory()) work += of_access;
    return work;
  }
  bool is_entry(const name* from, const cfg::natural_loop& l) const {
    return from == nullptr || !l.contains(from->block);
  }

  // False where the branch at the end of the block is known to go elsewhere, and for skips that the code does not have.
  bool can_go(const lane_state& s, size_t from, size_t to) const {
    const isa::inst& last = graph_.code().instructions[graph_[from].last()];
    const uint64_t next = graph_.code().instructions[graph_[to].first].pc;
    if (last.unit != isa::unit::branch) return next == last.pc + last.bytes();
    const std::optional<bool> taken = is_taken(s, last);
    return !taken || next == (*taken ? last.target : last.pc + last.bytes());
  }

  static std::optional<bool> is_taken(const lane_state& s, const isa::inst& branch) {
    const auto zero = [](const lane_mask& m) {
      if (m.lanes == 0) return std::optional<bool>(true);
      return m.number ? std::optional<bool>(*m.number == 0) : std::nullopt;
    };
    std::optional<bool> is_zero;
    if (tests_scc(branch) && s.scc.is_constant()) is_zero = s.scc.start == 0;
    if (tests_exec(branch)) is_zero = zero(s.exec());
    if (tests_vcc(branch)) is_zero = zero(s.mask(isa::vcc_lo));
    if (!is_zero) return std::nullopt;
    return *is_zero == asks_for_zero(branch);
  }
  static bool asks_for_zero(const isa::inst& branch) {
    switch (branch_condition_of(branch)) {
      case isa::branch_condition::scc_zero:
      case isa::branch_condition::exec_zero:
      case isa::branch_condition::vcc_zero:
        return true;
      default:
        return false;
    }
  }

  void arrive(const name* from, size_t to, lane_state s) {
    mask_set kept;
    for (size_t l = loops_.innermost(to); l != cfg::natural_loop::none; l = loops_.loops()[l].parent) {
      const cfg::natural_loop& loop = loops_.loops()[l];
      const auto saved = transfer_.mask_of_loop(loop.header);
      if (!saved) continue;
      kept.set(*saved);
      if (loop.header == to && is_entry(from, loop)) s.save_exec(*saved);
    }
    s.begin_block();
    s.drop_masks(live_.before(graph_[to].first), kept);
    const name n = successor(from, to);
    const auto [found, is_new] = places_.emplace(n, place{});
    place& p = found->second;
    const turn t = turn_of(n);
    if (is_new) {
      p.several = unrolled_.iterations == 0 || std::any_of(n.iteration.begin(), n.iteration.end(),
                                                           [&](uint32_t i) { return i >= unrolled_.iterations; });
      if (!is_counted(found)) count(n, p.several);
    }
    const size_t came_from = from == nullptr ? way_through::outside : from->block;
    p.from.insert(came_from);
    if (tells_[to] == told::of_each_way_in)
      go_through(came_from, to, s);
    else if (tells_[to] == told::of_all_ways_in)  // if this tells nothing new, the block is not followed again
      for (const size_t on : p.to) paths_.ways.insert({came_from, to, on});
    if (!p.before) {
      p.before = std::move(s);
      pending_.emplace(t, n);
      return;
    }
    // Backwards: a loop, or paths that the graph's order does not follow.
    const bool back = from != nullptr && !(turn_of(*from) < t);
    p.rounds += back ? 1 : 0;
    const bool widening = (back && p.rounds > rounds_before_widening) || p.rounds > 8 * rounds_before_widening;
    if (p.before->join_with(s, widening)) pending_.emplace(t, n);
  }

  // By another piece of the wavefront.
  bool is_counted(std::map<name, place>::const_iterator at) const {
    const auto next = std::next(at);
    return (next != places_.end() && next->first.is_of(at->first)) ||
           (at != places_.begin() && std::prev(at)->first.is_of(at->first));
  }

  void count(const name& n, bool several) {
    std::optional<uint64_t>& executions = paths_.executions[n.block];
    if (several)
      executions = std::nullopt;
    else if (executions)
      ++*executions;
    const size_t l = loops_.innermost(n.block);
    if (l == cfg::natural_loop::none || loops_.loops()[l].header != n.block) return;
    std::optional<uint64_t>& passes = paths_.passes[n.block];
    if (n.iteration.back() >= unrolled_.iterations)
      passes = std::nullopt;
    else if (passes)
      passes = std::max(*passes, uint64_t{n.iteration.back()} + 1);
  }

  const cfg::flow_graph& graph_;
  const lane_transfer& transfer_;
  unrolling unrolled_;
  cfg::scalar_liveness live_;
  cfg::loop_forest loops_;
  loop_order order_;
  std::vector<told> tells_;                      // by block
  std::vector<std::optional<size_t>> compares_;  // by block: scalar_compare_of()
  place* followed_ = nullptr;                    // by which its block has been come to
  std::map<name, place> places_;
  std::map<std::pair<size_t, name>, meeting> meetings_;  // by merge and what comes behind it
  std::map<turn, name> pending_;
  edge_visitor visit_edge_;
  lane_paths paths_;
};

unsigned vgprs_of(const cfg::flow_graph& graph) {
  unsigned vgprs = 0;
  for (const isa::inst& i : graph.code().instructions) vgprs = std::max<unsigned>(vgprs, i.vgpr_end);
  return vgprs;
}

}  // namespace

std::optional<lane_paths> analyse_lane_values(const cfg::flow_graph& graph, const lane_transfer& transfer,
                                              const launch_facts& facts, const wave_kind& kind,
                                              const unrolling& unrolled, const lane_visitor& visit) {
  analysis a(graph, transfer, unrolled, analysis::follow_ways::yes);
  if (!a.run(initial_lane_state(facts, kind, vgprs_of(graph)), visit)) return std::nullopt;
  return a.paths();
}

void analyse_lane_values(const cfg::flow_graph& graph, const launch_facts& facts, const wave_kind& kind,
                         const lane_visitor& visit, const edge_visitor& visit_edge) {
  const lane_transfer transfer(graph, facts);
  analysis a(graph, transfer, {}, analysis::follow_ways::no);
  a.run(initial_lane_state(facts, kind, vgprs_of(graph)), {});
  a.visit_all(visit, visit_edge);
}

}  // namespace pws::wcet
