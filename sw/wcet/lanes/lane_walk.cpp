// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_walk.h"

#include <map>
#include <set>

#include "models/isa/predicates.h"
#include "sw/cfg/lane_subsets.h"
#include "sw/wcet/lanes/lane_bits.h"

namespace pws::wcet {

namespace {

class walk_finder {
 public:
  walk_finder(const cfg::flow_graph& graph, const cfg::natural_loop& loop, const cfg::scalar_liveness& live,
              std::set<size_t> asked, walk_limits limits)
      : graph_(graph), loop_(loop), live_(live), asked_(std::move(asked)), limits_(limits) {}

  // The walks of a work-item that is, or is not, active when the walk begins; nothing: too many nodes.
  std::optional<lane_walks> run(bool active) {
    lane_bits begin(active);
    begin.reduce(live_.before(graph_[loop_.header].first));
    walks_.begins = executions(loop_.header, begin);
    while (!work_.empty() && walks_.nodes.size() <= limits_.nodes) {
      const auto [node, state] = std::move(work_.back());
      work_.pop_back();
      go_on(node, state);
    }
    if (walks_.nodes.size() > limits_.nodes) return std::nullopt;
    walks_.edges.assign(edges_.begin(), edges_.end());
    return std::move(walks_);
  }

  // Whether a walk has come to the header again with the work-item active.
  bool comes_back() const { return comes_back_; }

  // Whether the work-item has been active anywhere on a walk.
  bool was_active() const { return was_active_; }

  // Walks end at the header then.
  std::optional<supposed_walks> run_supposing(const supposed_compare& compare) {
    supposed_ = compare;
    if (!run(true)) return std::nullopt;
    supposed_walks out;
    for (const auto& [block, states] : known_) out.blocks.insert(block);
    out.goes_on = comes_back_;
    out.leaves = leaves_;
    return out;
  }

 private:
  // The ways through a block from a state on, or from what it has in common with another one.
  const std::vector<size_t>& executions(size_t block, const lane_bits& reached) {
    std::map<lane_bits, std::vector<size_t>>& known = known_[block];
    if (const auto as_before = known.find(reached); as_before != known.end()) return as_before->second;
    const lane_bits state = in_few_states(block, reached);
    const auto [found, is_new] = known.emplace(state, std::vector<size_t>());
    if (is_new) found->second = new_executions(block, state);
    return known.emplace(reached, found->second).first->second;
  }
  std::vector<size_t> new_executions(size_t block, const lane_bits& begin) {
    struct way {
      lane_bits state;
      size_t at;
      std::set<size_t> active;
    };
    std::vector<way> ways{{begin, graph_[block].first, {}}};
    std::map<std::pair<lane_bits, std::set<size_t>>, size_t> ended;
    std::vector<size_t> out;
    while (!ways.empty() && walks_.nodes.size() <= limits_.nodes) {
      way w = std::move(ways.back());
      ways.pop_back();
      for (; w.at < graph_[block].end; ++w.at) {
        std::vector<lane_bits> others;
        was_active_ = was_active_ || w.state.active();
        if (w.state.active() && asked_.count(w.at) != 0) w.active.insert(w.at);
        const bool supposed = is_supposed(w.at, w.state);
        if (supposed && supposed_->comes_out == supposed_compare::outcome::none_comes) break;
        w.state.execute(graph_.code().instructions[w.at], others);
        for (lane_bits& o : others)
          if (!supposed || comes_out_so(o)) ways.push_back({o, w.at + 1, w.active});
        if (supposed && !comes_out_so(w.state)) break;
      }
      if (w.at < graph_[block].end) continue;  // it goes on no further
      w.state.reduce(live_.after(graph_[block].last()) | branch_needs());
      const auto [end, is_other] = ended.emplace(std::make_pair(w.state, w.active), walks_.nodes.size());
      if (!is_other) continue;
      out.push_back(end->second);
      walks_.nodes.push_back({block, false, w.active});
      work_.emplace_back(end->second, w.state);
    }
    return out;
  }
  bool is_supposed(size_t instruction, const lane_bits& before) const {
    if (!supposed_ || supposed_->instruction != instruction) return false;
    return before.active() || graph_.code().instructions[instruction].native == isa::format::sopc ||
           graph_.code().instructions[instruction].native == isa::format::sopk;
  }
  bool comes_out_so(lane_bits& after) const {
    return after.suppose(graph_.code().instructions[supposed_->instruction],
                         supposed_->comes_out == supposed_compare::outcome::set, supposed_->alike);
  }
  // The state, if the block has been reached in few others; else what it has in common with the most similar of these.
  lane_bits in_few_states(size_t block, const lane_bits& reached) {
    std::vector<lane_bits>& states = states_of_[block];
    lane_bits* nearest = nullptr;
    size_t least = 0;
    if (states.size() >= limits_.states)
      for (lane_bits& s : states) {
        if (s.active() != reached.active()) continue;
        const size_t n = lane_bits::lost(s, reached);
        if (nearest != nullptr && n >= least) continue;
        nearest = &s;
        least = n;
      }
    if (nearest == nullptr) {
      states.push_back(reached);
      return reached;
    }
    *nearest = lane_bits::common(*nearest, reached);
    nearest->reduce(live_.before(graph_[block].first));
    return *nearest;
  }
  // What a branch at the block's end may test.
  static cfg::scalar_set branch_needs() {
    cfg::scalar_set s;
    s.set(isa::vcc_lo);
    s.set(isa::vcc_lo + 1);
    s.set(cfg::scc_bit);
    return s;
  }

  void go_on(size_t node, const lane_bits& state) {
    const size_t block = walks_.nodes[node].block;
    const isa::inst& last = graph_.code().instructions[graph_[block].last()];
    const std::vector<size_t> successors = graph_[block].successors;
    if (successors.empty()) leaves_ = true;
    for (const size_t to : successors) {
      std::optional<lane_bits> next = state;
      // A block that ends with something else goes on, or by a skip that the code need not have.
      if (is_conditional_branch(last) && successors.size() == 2)
        next = state.after_branch(last, graph_[to].first != graph_[block].end);
      if (!next) continue;
      if (!loop_.contains(to) || (to == loop_.header && !next->active())) {
        leaves_ = true;
        continue;
      }
      comes_back_ = comes_back_ || to == loop_.header;
      if (supposed_ && to == loop_.header) continue;
      next->reduce(live_.before(graph_[to].first));
      for (const size_t e : executions(to, *next)) edges_.emplace(node, e);
    }
  }

  const cfg::flow_graph& graph_;
  const cfg::natural_loop& loop_;
  const cfg::scalar_liveness& live_;
  std::set<size_t> asked_;
  walk_limits limits_;
  std::optional<supposed_compare> supposed_;
  bool comes_back_ = false;
  bool leaves_ = false;
  bool was_active_ = false;
  lane_walks walks_;
  std::map<size_t, std::vector<lane_bits>> states_of_;  // by block: few that stand for all that it is entered in
  std::set<std::pair<size_t, size_t>> edges_;
  std::map<size_t, std::map<lane_bits, std::vector<size_t>>> known_;  // by block and state: its executions
  std::vector<std::pair<size_t, lane_bits>> work_;
};

// The same walks with fewer nodes: those become one that are executions of the same block, with the work-item active at
// the same instructions, and go on to the same nodes (the coarsest bisimulation, by refining classes).
lane_walks merged(const lane_walks& walks) {
  std::vector<std::vector<size_t>> next(walks.nodes.size());
  for (const auto& [from, to] : walks.edges) next[from].push_back(to);
  std::vector<size_t> class_of(walks.nodes.size());
  std::map<std::pair<size_t, std::set<size_t>>, size_t> labels;
  for (size_t n = 0; n < class_of.size(); ++n)
    class_of[n] =
        labels.emplace(std::make_pair(walks.nodes[n].block, walks.nodes[n].active), labels.size()).first->second;
  for (size_t classes = 0, finer = labels.size(); classes != finer;) {
    classes = finer;
    std::map<std::pair<size_t, std::set<size_t>>, size_t> refined;
    std::vector<size_t> refined_class(class_of.size());
    for (size_t n = 0; n < class_of.size(); ++n) {
      std::set<size_t> goes_to;
      for (const size_t to : next[n]) goes_to.insert(class_of[to]);
      refined_class[n] = refined.emplace(std::make_pair(class_of[n], std::move(goes_to)), refined.size()).first->second;
    }
    class_of = std::move(refined_class);
    finer = refined.size();
  }
  lane_walks out;
  std::set<std::pair<size_t, size_t>> edges;
  std::set<size_t> begins;
  for (size_t n = 0; n < class_of.size(); ++n)
    if (class_of[n] == out.nodes.size()) out.nodes.push_back(walks.nodes[n]);  // classes are numbered as they come
  for (const auto& [from, to] : walks.edges) edges.emplace(class_of[from], class_of[to]);
  for (const size_t n : walks.begins) begins.insert(class_of[n]);
  out.edges.assign(edges.begin(), edges.end());
  out.begins.assign(begins.begin(), begins.end());
  return out;
}

}  // namespace

lane_walks all_walks(const cfg::flow_graph& graph, const cfg::natural_loop& loop) {
  lane_walks out;
  std::map<size_t, size_t> node;
  for (const size_t b : loop.blocks) {
    node[b] = out.nodes.size();
    out.nodes.push_back({b, true});
  }
  for (const size_t b : loop.blocks)
    for (const size_t s : graph[b].successors)
      if (loop.contains(s)) out.edges.emplace_back(node.at(b), node.at(s));
  out.begins = {node.at(loop.header)};
  return out;
}

std::optional<lane_walks> possible_walks(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                         const cfg::scalar_liveness& live, const std::set<size_t>& asked,
                                         walk_limits limits) {
  const auto walks = walk_finder(graph, loop, live, asked, limits).run(true);
  if (!walks) return std::nullopt;
  return merged(*walks);
}

std::optional<supposed_walks> walks_supposing(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                              const cfg::scalar_liveness& live, const supposed_compare& compare,
                                              walk_limits limits) {
  return walk_finder(graph, loop, live, {}, limits).run_supposing(compare);
}

bool work_items_may_return(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                           const cfg::scalar_liveness& live) {
  if (cfg::work_items_only_leave(graph, loop)) return false;
  // Few states say it of most loops.
  const auto may = [&](const walk_limits& limits) {
    walk_finder finder(graph, loop, live, {}, limits);
    return !finder.run(false) || finder.comes_back();
  };
  const walk_limits all;
  return may({all.nodes, 4}) && may({all.nodes, 64}) && may(all);
}

bool work_items_may_join(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                         const cfg::scalar_liveness& live) {
  const auto may = [&](const walk_limits& limits) {
    walk_finder finder(graph, loop, live, {}, limits);
    return !finder.run(false) || finder.was_active();
  };
  const walk_limits all;
  return may({all.nodes, 4}) && may({all.nodes, 64});
}

}  // namespace pws::wcet
