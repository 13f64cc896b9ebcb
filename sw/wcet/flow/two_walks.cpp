// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/flow/two_walks.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pws::wcet {

namespace {

// A limit of the second copy of a graph.
flow_problem::limit moved(flow_problem::limit l, size_t nodes, size_t edges) {
  for (auto* list : {&l.nodes, &l.per_nodes})
    for (size_t& n : *list) n += nodes;
  for (auto* list : {&l.edges, &l.per_edges})
    for (size_t& e : *list) e += edges;
  return l;
}

}  // namespace

// One path through two copies of the graph, the work walk first.
two_walk_result solve_two_walks(const two_walk_problem& problem) {
  const flow_problem& g = problem.graph;
  const size_t nodes = g.cycles.size(), edges = g.edges.size();
  if (problem.slots.size() != nodes || problem.apart.size() != nodes)
    throw std::invalid_argument(fmt::format("two walks through {} nodes: {} have slots", nodes, problem.slots.size()));
  flow_problem p;
  p.entry = g.entry;
  p.cycles = problem.slots;
  p.cycles.insert(p.cycles.end(), g.cycles.begin(), g.cycles.end());
  p.edges = g.edges;
  for (const flow_problem::edge& e : g.edges) p.edges.push_back({e.from + nodes, e.to + nodes});
  for (const size_t x : g.exits) {
    p.edges.push_back({x, g.entry + nodes});
    p.exits.push_back(x + nodes);
  }
  for (const flow_problem::limit& l : g.limits)
    if (l.charges.empty()) p.limits.push_back(l);
  p.charges = g.charges;  // own time, of the critical walk
  for (const flow_problem::limit& l : g.limits) p.limits.push_back(moved(l, nodes, edges));
  for (const flow_problem::limit& l : problem.sides) p.limits.push_back(moved(l, nodes, edges));
  for (size_t n = 0; n < nodes; ++n) {
    if (problem.apart[n]) continue;
    flow_problem::limit executed;
    executed.name = fmt::format("block {} of the critical walk", n);
    executed.nodes = {n + nodes};
    executed.per_nodes = {n};
    executed.bound = 1;
    p.limits.push_back(std::move(executed));
  }
  ipet_result path = solve_ipet(p);
  two_walk_result out;
  const auto first = path.node_count.begin(), second = first + static_cast<std::ptrdiff_t>(nodes);
  out.work_count.assign(first, second);
  path.node_count.erase(first, second);
  const auto edge = path.edge_count.begin();
  path.edge_count = {edge + static_cast<std::ptrdiff_t>(edges), edge + static_cast<std::ptrdiff_t>(2 * edges)};
  out.critical = std::move(path);
  return out;
}

}  // namespace pws::wcet
