// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/prune.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "sw/wcet/checked.h"

namespace pws::wcet {

namespace {

using cfg::cost_graph;

uint64_t add(uint64_t a, uint64_t b) {
  return checked_sum(a, b, "the longest path's time");
}

uint64_t times(uint64_t a, uint64_t b) {
  return checked_product(a, b, "the longest path's time");
}

void require_known(const cost_graph& graph, const cfg::split_set& chosen) {
  const std::vector<size_t> ids = cfg::branches_in_order(graph);  // throws what check() does
  const cfg::split_set known(ids.begin(), ids.end());
  for (const size_t id : chosen)
    if (known.count(id) == 0) throw std::invalid_argument(fmt::format("the graph has no branch {}", id));
}

bool has_first_side(const cost_graph::serial_branch& b) {
  return b.succ != b.bsb;
}
bool has_second_side(const cost_graph::serial_branch& b) {
  return b.has_else() && b.bsb_succ != b.reconv;
}

// Algorithm 2 for one graph; line numbers are the paper's.
class pruning {
 public:
  pruning(const cost_graph& graph, const cfg::split_set& chosen, pruned& out)
      : graph_(graph), chosen_(chosen), out_(out), f_(graph.nodes.size() + 1, 0) {
    std::vector<size_t> branch_at(graph.nodes.size(), cost_graph::none);  // B
    std::vector<size_t> bsb_of(graph.nodes.size(), cost_graph::none);     // L
    for (size_t b = 0; b < graph.branches.size(); ++b) {
      branch_at[graph.branches[b].node] = b;
      if (graph.branches[b].has_else()) bsb_of[graph.branches[b].bsb] = b;
    }
    for (size_t u = graph.nodes.size(); u-- > 0;) {  // 7
      ++out_.steps;
      if (branch_at[u] != cost_graph::none)
        f_[u] = branch(graph.branches[branch_at[u]]);
      else if (bsb_of[u] != cost_graph::none)
        f_[u] = f_[graph.branches[bsb_of[u]].bsb_succ];  // 22
      else
        f_[u] = add(longest_behind(u), own_cycles(u));  // 20
    }
  }

  std::vector<uint64_t> take() { return std::move(f_); }

 private:
  uint64_t branch(const cost_graph::serial_branch& b) {
    out_.steps += 2;
    // 9. An empty side's SuccBB is the BSB itself, whose F stays.
    const uint64_t first = f_[b.succ] - f_[b.bsb] + f_[b.reconv];
    if (has_first_side(b)) f_[b.succ] = first;
    uint64_t f = 0;
    if (chosen_.count(b.id) != 0) {
      f = std::max(first, f_[b.bsb]);  // 11
      if (first < f_[b.bsb]) {
        if (has_first_side(b)) out_.removed.push_back({b.id, b.node, b.succ});  // 13
      } else if (has_second_side(b)) {
        out_.removed.push_back({b.id, b.bsb, b.bsb_succ});  // 15
      }
    } else {
      f = add(first - f_[b.reconv], f_[b.bsb]);  // 17
    }
    f = add(f, graph_.nodes[b.node].cycles);  // 18
    return b.has_else() ? add(f, graph_.nodes[b.bsb].cycles) : f;
  }

  uint64_t longest_behind(size_t u) {
    uint64_t longest = 0;
    for (const size_t s : graph_.nodes[u].successors) longest = std::max(longest, f_[s]);
    out_.steps += graph_.nodes[u].successors.size();
    return longest;
  }

  uint64_t own_cycles(size_t u) {
    const cost_graph::node& n = graph_.nodes[u];
    if (n.loop == cost_graph::none) return n.cycles;
    const cfg::cost_loop& loop = graph_.loops[n.loop];
    const std::vector<uint64_t> body = pruning(loop.body, chosen_, out_).take();
    return add(n.cycles, times(body.front(), loop.bound));  // of an empty body: F[|V|]
  }

  const cost_graph& graph_;
  const cfg::split_set& chosen_;
  pruned& out_;
  std::vector<uint64_t> f_;
};

class flow_writer {
 public:
  explicit flow_writer(const std::vector<removed_edge>& removed) {
    for (const removed_edge& r : removed) removed_.emplace(r.branch, r.from);
  }

  flow_problem problem;

  struct placed {
    size_t first = 0;           // of its nodes; the first is the entry
    std::vector<size_t> exits;  // nodes
  };

  placed write(const cost_graph& g) {
    placed at;
    at.first = problem.cycles.size();
    std::vector<size_t> leave;  // per node: the problem's node that its successors follow
    for (const cost_graph::node& n : g.nodes) {
      leave.push_back(problem.cycles.size());
      problem.cycles.push_back(n.cycles);
    }
    for (size_t v = 0; v < g.nodes.size(); ++v)
      if (g.nodes[v].loop != cost_graph::none) leave[v] = write_loop(at.first + v, g.loops[g.nodes[v].loop]);
    std::vector<const cost_graph::serial_branch*> in_first(g.nodes.size(), nullptr), in_second(in_first);
    for (const cost_graph::serial_branch& b : g.branches) {
      if (has_first_side(b)) in_first[b.node] = &b;
      if (has_second_side(b)) in_second[b.bsb] = &b;
    }
    for (size_t v = 0; v < g.nodes.size(); ++v) {
      const std::set<size_t> successors(g.nodes[v].successors.begin(), g.nodes[v].successors.end());
      if (successors.empty()) at.exits.push_back(leave[v]);
      for (const size_t s : successors) {
        const bool first = in_first[v] != nullptr && in_first[v]->succ == s;
        const bool second = in_second[v] != nullptr && in_second[v]->bsb_succ == s;
        const size_t id = first ? in_first[v]->id : second ? in_second[v]->id : cost_graph::none;
        if ((first || second) && removed_.count({id, v}) != 0) continue;
        connect(leave[v], at.first + s);
      }
    }
    return at;
  }

 private:
  size_t connect(size_t from, size_t to) {
    problem.edges.push_back({from, to});
    return problem.edges.size() - 1;
  }

  // entered -> head, which leads into the body and out of the loop; the body leads back to the head. Returns the head.
  size_t write_loop(size_t entered, const cfg::cost_loop& loop) {
    const size_t head = problem.cycles.size();
    problem.cycles.push_back(0);
    flow_problem::limit limit;
    limit.per_edges.push_back(connect(entered, head));
    limit.bound = loop.bound;
    limit.name = fmt::format("loop {}", problem.limits.size());
    if (loop.body.nodes.empty()) return head;
    const placed body = write(loop.body);
    limit.edges.push_back(connect(head, body.first));
    for (const size_t x : body.exits) connect(x, head);
    problem.limits.push_back(std::move(limit));
    return head;
  }

  std::set<std::pair<size_t, size_t>> removed_;  // branch and node that the edge comes from
};

}  // namespace

bool operator==(const removed_edge& a, const removed_edge& b) {
  return a.branch == b.branch && a.from == b.from && a.to == b.to;
}

pruned prune(const cost_graph& graph, const cfg::split_set& chosen) {
  require_known(graph, chosen);
  pruned out;
  out.f = pruning(graph, chosen, out).take();
  out.cycles = out.f.front();
  return out;
}

flow_problem flow_of(const cost_graph& graph, const std::vector<removed_edge>& removed) {
  cfg::check(graph);
  if (graph.nodes.empty()) throw std::invalid_argument("an empty graph has no flow");
  flow_writer w(removed);
  w.problem.exits = w.write(graph).exits;
  return std::move(w.problem);
}

}  // namespace pws::wcet
