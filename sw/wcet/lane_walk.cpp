#include "sw/wcet/lane_walk.h"

#include <map>
#include <set>

#include "sw/wcet/lane_bits.h"

namespace pws::wcet {

namespace {

class walk_finder {
 public:
  walk_finder(const cfg::flow_graph& graph, const cfg::natural_loop& loop, const cfg::scalar_liveness& live,
              const std::set<size_t>& asked, size_t most)
      : graph_(graph), loop_(loop), live_(live), asked_(asked), most_(most) {}

  std::optional<lane_walks> run() {
    lane_bits begin;
    begin.reduce(live_.before(graph_[loop_.header].first));
    walks_.begins = executions(loop_.header, begin);
    while (!work_.empty() && walks_.nodes.size() <= most_) {
      const auto [node, state] = std::move(work_.back());
      work_.pop_back();
      go_on(node, state);
    }
    if (walks_.nodes.size() > most_) return std::nullopt;
    walks_.edges.assign(edges_.begin(), edges_.end());
    return std::move(walks_);
  }

 private:
  // The ways through a block from a state on.
  const std::vector<size_t>& executions(size_t block, const lane_bits& state) {
    const auto [found, is_new] = known_.emplace(std::make_pair(block, state), std::vector<size_t>());
    if (!is_new) return found->second;
    struct way {
      lane_bits state;
      size_t at;
      std::set<size_t> active;
    };
    std::vector<way> ways{{state, graph_[block].first, {}}};
    std::map<std::pair<lane_bits, std::set<size_t>>, size_t> ended;
    while (!ways.empty() && walks_.nodes.size() <= most_) {
      way w = std::move(ways.back());
      ways.pop_back();
      for (; w.at < graph_[block].end; ++w.at) {
        std::vector<lane_bits> others;
        if (w.state.active() && asked_.count(w.at) != 0) w.active.insert(w.at);
        w.state.execute(graph_.code().instructions[w.at], others);
        for (const lane_bits& o : others) ways.push_back({o, w.at + 1, w.active});
      }
      w.state.reduce(live_.after(graph_[block].last()) | branch_needs());
      const auto [end, is_other] = ended.emplace(std::make_pair(w.state, w.active), walks_.nodes.size());
      if (!is_other) continue;
      found->second.push_back(end->second);
      walks_.nodes.push_back({block, false, w.active});
      work_.emplace_back(end->second, w.state);
    }
    return found->second;
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
    for (const size_t to : successors) {
      if (!loop_.contains(to)) continue;
      std::optional<lane_bits> next = state;
      // A block that ends with something else goes on, or by a skip that the code need not have.
      if (cfg::is_conditional_branch(last) && successors.size() == 2)
        next = state.after_branch(last, graph_[to].first != graph_[block].end);
      if (!next || (to == loop_.header && !next->active())) continue;
      next->reduce(live_.before(graph_[to].first));
      for (const size_t e : executions(to, *next)) edges_.emplace(node, e);
    }
  }

  const cfg::flow_graph& graph_;
  const cfg::natural_loop& loop_;
  const cfg::scalar_liveness& live_;
  const std::set<size_t>& asked_;
  size_t most_;
  lane_walks walks_;
  std::set<std::pair<size_t, size_t>> edges_;
  std::map<std::pair<size_t, lane_bits>, std::vector<size_t>> known_;
  std::vector<std::pair<size_t, lane_bits>> work_;
};

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
                                         const cfg::scalar_liveness& live, const std::set<size_t>& asked, size_t most) {
  return walk_finder(graph, loop, live, asked, most).run();
}

}  // namespace pws::wcet
