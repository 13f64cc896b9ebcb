// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/flow_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "base/error.h"
#include "sw/wcet/flow/prune.h"

namespace pws::test {

namespace {

constexpr size_t no_node = static_cast<size_t>(-1);

void check_without_limits(const flow_problem& p) {
  if (!p.limits.empty()) throw std::invalid_argument("a longest path with limits is IPET's");
  const auto exists = [&](size_t n) {
    if (n >= p.cycles.size())
      throw std::invalid_argument(fmt::format("node {} of a flow problem of {}", n, p.cycles.size()));
  };
  exists(p.entry);
  for (const flow_problem::edge& e : p.edges) {
    exists(e.from);
    exists(e.to);
  }
  for (const size_t x : p.exits) exists(x);
}

// Nodes that the entry reaches, each behind all that it leads to.
std::vector<size_t> ends_first(const std::vector<std::vector<size_t>>& next, size_t entry) {
  enum class state : uint8_t { unseen, open, done };
  std::vector<state> state_of(next.size(), state::unseen);
  std::vector<size_t> at(next.size(), 0), path{entry}, order;
  state_of[entry] = state::open;
  while (!path.empty()) {
    const size_t n = path.back();
    if (at[n] == next[n].size()) {
      state_of[n] = state::done;
      order.push_back(n);
      path.pop_back();
      continue;
    }
    const size_t s = next[n][at[n]++];
    if (state_of[s] == state::open) throw std::invalid_argument(fmt::format("node {} is in a cycle", s));
    if (state_of[s] == state::unseen) path.push_back(s);
    if (state_of[s] == state::unseen) state_of[s] = state::open;
  }
  return order;
}

}  // namespace

long_path longest_path(const flow_problem& problem) {
  check_without_limits(problem);
  const size_t nodes = problem.cycles.size();
  std::vector<std::vector<size_t>> next(nodes);
  for (const flow_problem::edge& e : problem.edges) next[e.from].push_back(e.to);
  std::vector<bool> ends(nodes, false);
  for (const size_t x : problem.exits) ends[x] = true;

  std::vector<bool> leads_out(nodes, false);
  std::vector<uint64_t> behind(nodes, 0);  // cycles after the node
  std::vector<size_t> chosen(nodes, no_node);
  for (const size_t n : ends_first(next, problem.entry)) {
    leads_out[n] = ends[n];
    for (const size_t s : next[n]) {
      if (!leads_out[s]) continue;
      leads_out[n] = true;
      if (problem.cycles[s] > std::numeric_limits<uint64_t>::max() - behind[s])
        throw input_error("the longest path takes 2^64 cycles or more");
      const uint64_t here = problem.cycles[s] + behind[s];
      // A path that ends here is one that takes no time from here on.
      const bool first = chosen[n] == no_node && !ends[n];
      if (!first && (here < behind[n] || (here == behind[n] && s >= chosen[n]))) continue;
      behind[n] = here;
      chosen[n] = s;
    }
  }
  if (!leads_out[problem.entry]) throw input_error("no path leads from the entry to an exit");
  long_path out;
  if (problem.cycles[problem.entry] > std::numeric_limits<uint64_t>::max() - behind[problem.entry])
    throw input_error("the longest path takes 2^64 cycles or more");
  out.cycles = problem.cycles[problem.entry] + behind[problem.entry];
  for (size_t n = problem.entry; n != no_node; n = chosen[n]) out.nodes.push_back(n);
  return out;
}

namespace {

// Adds the limits; flow_of() numbers a graph's nodes, then for each loop among them a head and the body's nodes.
class sides_limiter {
 public:
  sides_limiter(flow_problem& p, const cfg::split_set& chosen) : p_(p), chosen_(chosen) {
    for (size_t e = 0; e < p.edges.size(); ++e) edge_[{p.edges[e].from, p.edges[e].to}] = e;
  }
  void limit(const cfg::cost_graph& g) {
    const size_t first = next_;
    next_ += g.nodes.size();
    std::vector<size_t> leave(g.nodes.size());
    for (size_t v = 0; v < g.nodes.size(); ++v) {
      leave[v] = first + v;
      if (g.nodes[v].loop == cfg::cost_graph::none) continue;
      leave[v] = next_++;
      limit(g.loops[g.nodes[v].loop].body);
    }
    for (const cfg::cost_graph::serial_branch& b : g.branches) {
      if (chosen_.count(b.id) == 0 || b.succ == b.bsb || !b.has_else() || b.bsb_succ == b.reconv) continue;
      flow_problem::limit l;
      l.edges = {edge_.at({leave[b.node], first + b.succ}), edge_.at({leave[b.bsb], first + b.bsb_succ})};
      l.bound = 1;
      l.per_nodes = {first + b.node};
      p_.limits.push_back(std::move(l));
    }
  }

 private:
  flow_problem& p_;
  const cfg::split_set& chosen_;
  std::map<std::pair<size_t, size_t>, size_t> edge_;
  size_t next_ = 0;
};

}  // namespace

flow_problem exclusive_flow_of(const cfg::cost_graph& graph, const cfg::split_set& chosen) {
  flow_problem p = wcet::flow_of(graph);
  sides_limiter(p, chosen).limit(graph);
  return p;
}

}  // namespace pws::test
