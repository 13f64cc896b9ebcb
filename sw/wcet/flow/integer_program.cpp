// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/integer_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace pws::wcet {

namespace {

using edge = flow_problem::edge;

void check(const flow_problem& p) {
  const auto node = [&](size_t n, const char* what) {
    if (n >= p.cycles.size())
      throw std::invalid_argument(fmt::format("{} {} of a flow problem of {} nodes", what, n, p.cycles.size()));
  };
  const auto edge_exists = [&](size_t e) {
    if (e >= p.edges.size())
      throw std::invalid_argument(fmt::format("edge {} in a limit of a flow problem of {}", e, p.edges.size()));
  };
  node(p.entry, "entry");
  for (const edge& e : p.edges) {
    node(e.from, "an edge from node");
    node(e.to, "an edge to node");
  }
  for (const size_t x : p.exits) node(x, "exit");
  for (const flow_problem::limit& l : p.limits) {
    for (const size_t n : l.nodes) node(n, "limited node");
    for (const size_t n : l.per_nodes) node(n, "limiting node");
    for (const size_t e : l.edges) edge_exists(e);
    for (const size_t e : l.per_edges) edge_exists(e);
    for (const size_t c : l.charges)
      if (c >= p.charges.size())
        throw std::invalid_argument(fmt::format("charge {} in a limit of a flow problem of {}", c, p.charges.size()));
    if (l.bound > static_cast<uint64_t>(largest_coefficient))
      throw input_error(fmt::format("{}: a bound of {} is beyond 2^53", l.name, l.bound));
  }
}

// Nodes that are reached from `from`, itself included.
std::vector<bool> reached(size_t nodes, const std::vector<edge>& edges, const std::vector<size_t>& from,
                          bool backwards) {
  std::vector<std::vector<size_t>> next(nodes);
  for (const edge& e : edges) next[backwards ? e.to : e.from].push_back(backwards ? e.from : e.to);
  std::vector<bool> seen(nodes, false);
  std::vector<size_t> open;
  const auto visit = [&](size_t n) {
    if (!seen[n]) open.push_back(n);
    seen[n] = true;
  };
  for (const size_t n : from) visit(n);
  while (!open.empty()) {
    const size_t n = open.back();
    open.pop_back();
    for (const size_t s : next[n]) visit(s);
  }
  return seen;
}

int64_t coefficient(wide_int value, const flow_problem::limit& l) {
  if (value > largest_coefficient || value < -largest_coefficient)
    throw input_error(fmt::format("{}: bound and counts are beyond 2^53", l.name));
  return static_cast<int64_t>(value);
}

}  // namespace

integer_program::integer_program(const flow_problem& problem) {
  check(problem);
  const size_t all = problem.cycles.size();
  const std::vector<bool> entered = reached(all, problem.edges, {problem.entry}, false);
  const std::vector<bool> left = reached(all, problem.edges, problem.exits, true);
  std::vector<size_t> number(all, none);
  for (size_t n = 0; n < all; ++n) {
    if (!entered[n] || !left[n]) continue;
    number[n] = nodes++;
    original.push_back(n);
  }
  if (number[problem.entry] == none) throw input_error("no path leads from the entry to an exit");
  entry = number[problem.entry];

  unit = 0;
  for (const size_t n : original) unit = std::gcd(unit, problem.cycles[n]);
  for (const uint64_t c : problem.charges) unit = std::gcd(unit, c);
  unit = std::max<uint64_t>(unit, 1);
  at_start = problem.cycles[problem.entry] / unit;

  column_of_edge.assign(problem.edges.size(), none);
  std::vector<std::vector<size_t>> into(nodes);
  for (size_t e = 0; e < problem.edges.size(); ++e) {
    const auto [from, to] = problem.edges[e];
    if (number[from] == none || number[to] == none) continue;
    column_of_edge[e] = columns.size();
    into[number[to]].push_back(columns.size());
    columns.push_back({number[from], number[to], problem.cycles[to] / unit});
  }
  std::vector<bool> ends(nodes, false);
  for (const size_t x : problem.exits)
    if (number[x] != none) ends[number[x]] = true;
  for (size_t n = 0; n < nodes; ++n)
    if (ends[n]) columns.push_back({n, nodes, 0});

  for (const uint64_t c : problem.charges) {
    column_of_charge.push_back(columns.size());
    columns.push_back({entry, entry, c / unit});
  }

  for (const flow_problem::limit& l : problem.limits) {
    const wide_int bound = l.bound;
    std::map<size_t, wide_int> factor;
    wide_int most = l.per_run ? bound : 0;
    const auto count_edge = [&](size_t e, wide_int f) {
      if (column_of_edge[e] != none) factor[column_of_edge[e]] += f;
    };
    const auto count_node = [&](size_t n, wide_int f) {
      if (number[n] == none) return;
      for (const size_t c : into[number[n]]) factor[c] += f;
      if (number[n] == entry) most -= f;
    };
    for (const size_t n : l.nodes) count_node(n, 1);
    for (const size_t e : l.edges) count_edge(e, 1);
    for (const size_t c : l.charges) factor[column_of_charge[c]] += 1;
    for (const size_t n : l.per_nodes) count_node(n, -bound);
    for (const size_t e : l.per_edges) count_edge(e, -bound);
    row r;
    for (const auto& [c, f] : factor)
      if (f != 0) r.terms.emplace_back(c, coefficient(f, l));
    r.most = coefficient(most, l);
    rows.push_back(std::move(r));
  }
}

namespace {

// Strongly connected components of what is left of the graph, by Tarjan's algorithm without recursion. Columns that
// stay within one are on a cycle.
class components {
 public:
  components(const integer_program& p, const std::vector<bool>& cut)
      : next_(p.nodes), at_(p.nodes, 0), order_(p.nodes, 0), low_(p.nodes, 0), of_(p.nodes, integer_program::none) {
    for (size_t c = 0; c < p.columns.size(); ++c)
      if (!cut[c] && p.columns[c].to != p.nodes) next_[p.columns[c].from].push_back(p.columns[c].to);
    for (size_t n = 0; n < p.nodes; ++n)
      if (order_[n] == 0) search(n);
  }
  bool same(size_t a, size_t b) const { return of_[a] == of_[b]; }

 private:
  void begin(size_t n) {
    order_[n] = low_[n] = ++count_;
    path_.push_back(n);
    stack_.push_back(n);
  }
  void search(size_t root) {
    begin(root);
    while (!path_.empty()) {
      const size_t n = path_.back();
      if (at_[n] < next_[n].size()) {
        const size_t s = next_[n][at_[n]++];
        if (order_[s] == 0)
          begin(s);
        else if (of_[s] == integer_program::none)
          low_[n] = std::min(low_[n], order_[s]);
        continue;
      }
      path_.pop_back();
      if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[n]);
      if (low_[n] != order_[n]) continue;
      size_t member = integer_program::none;
      do {
        member = stack_.back();
        stack_.pop_back();
        of_[member] = n;
      } while (member != n);
    }
  }

  std::vector<std::vector<size_t>> next_;
  std::vector<size_t> at_, order_, low_, of_;
  std::vector<size_t> path_, stack_;
  size_t count_ = 0;
};

// Makes the cuts, and returns a node that is on a cycle all the same.
std::optional<size_t> cut_cycles(const integer_program& p, std::vector<row_cut>& cuts) {
  std::vector<bool> cut(p.columns.size(), false);  // on no cycle, or on none that repeats without bound
  for (;;) {
    const components now(p, cut);
    std::optional<size_t> node;
    for (size_t c = 0; c < p.columns.size(); ++c) {
      const integer_program::column& e = p.columns[c];
      if (e.to == p.nodes || !now.same(e.from, e.to)) cut[c] = true;
      if (!cut[c] && (!node || e.to < *node)) node = e.to;
    }
    if (!node) return node;
    bool changed = false;
    for (size_t k = 0; k < p.rows.size(); ++k) {
      const integer_program::row& r = p.rows[k];
      const bool limits = std::none_of(r.terms.begin(), r.terms.end(),
                                       [&](const auto& term) { return term.second < 0 && !cut[term.first]; });
      row_cut made{k, {}};
      for (const auto& [c, factor] : r.terms) {
        if (!limits || factor < 0 || cut[c]) continue;
        cut[c] = changed = true;
        made.columns.push_back(c);
      }
      if (!made.columns.empty()) cuts.push_back(std::move(made));
    }
    if (!changed) return node;
  }
}

}  // namespace

std::optional<size_t> cycle_without_bound(const integer_program& p) {
  std::vector<row_cut> cuts;
  return cut_cycles(p, cuts);
}

std::vector<row_cut> cycle_cuts(const integer_program& p) {
  std::vector<row_cut> cuts;
  cut_cycles(p, cuts);
  return cuts;
}

std::optional<wide_int> relaxed_bound(const integer_program& p, const std::vector<wide_int>& multipliers,
                                      wide_int denominator) {
  wide_int constant = 0;
  std::vector<wide_int> gain;
  for (const integer_program::column& c : p.columns) gain.push_back(denominator * static_cast<wide_int>(c.cycles));
  for (size_t r = 0; r < p.rows.size(); ++r) {
    if (multipliers[r] < 0) throw std::logic_error("a negative multiplier proves nothing");
    constant += multipliers[r] * p.rows[r].most;
    for (const auto& [c, factor] : p.rows[r].terms) gain[c] -= multipliers[r] * factor;
  }
  // Bellman and Ford: a path has at most `nodes` columns; what still grows then is a cycle that gains.
  std::vector<bool> known(p.nodes + 1, false);
  std::vector<wide_int> longest(p.nodes + 1, 0);
  known[p.entry] = true;
  bool changed = true;
  for (size_t round = 0; changed; ++round) {
    if (round > p.nodes + 1) return std::nullopt;
    changed = false;
    for (size_t k = 0; k < p.columns.size(); ++k) {
      const integer_program::column& c = p.columns[k];
      if (!known[c.from]) continue;
      const wide_int here = longest[c.from] + gain[k];
      if (known[c.to] && here <= longest[c.to]) continue;
      longest[c.to] = here;
      known[c.to] = changed = true;
    }
  }
  return (longest[p.nodes] + constant) / denominator + p.at_start;
}

}  // namespace pws::wcet
