// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/reference/bfs.h"

#include "tests/integration/reference/case_builder.h"

namespace pws::reference {

graph random_graph(uint64_t seed, uint32_t nodes) {
  random_source source(seed);
  graph g;
  g.offset.push_back(0);
  for (uint32_t node = 0; node < nodes; ++node) {
    const uint32_t degree = node % 100 == 0 ? 40 : source.below(7);
    for (uint32_t k = 0; k < degree; ++k) g.target.push_back(source.below(nodes));
    g.offset.push_back(static_cast<uint32_t>(g.target.size()));
  }
  return g;
}

bfs_state bfs_start(uint32_t nodes, uint32_t source) {
  bfs_state s;
  s.frontier.assign(nodes, 0);
  s.next.assign(nodes, 0);
  s.visited.assign(nodes, 0);
  s.cost.assign(nodes, bfs_unreached);
  s.again.assign(1, 0);
  s.frontier[source] = 1;
  s.visited[source] = 1;
  s.cost[source] = 0;
  return s;
}

void bfs_step(const graph& g, bfs_state& s, uint32_t level) {
  for (uint32_t node = 0; node < g.nodes(); ++node) {
    if (s.frontier[node] == 0) continue;
    s.frontier[node] = 0;
    for (uint32_t edge = g.offset[node]; edge < g.offset[node + 1]; ++edge) {
      const uint32_t other = g.target[edge];
      if (s.visited[other] != 0) continue;
      s.cost[other] = level;
      s.next[other] = 1;
    }
  }
}

void bfs_update(bfs_state& s) {
  for (size_t node = 0; node < s.next.size(); ++node) {
    if (s.next[node] == 0) continue;
    s.frontier[node] = 1;
    s.visited[node] = 1;
    s.next[node] = 0;
    s.again[0] = 1;
  }
}

namespace {

kernel_case step_case(const std::string& name, const graph& g, const bfs_state& before, uint32_t level) {
  bfs_state after = before;
  bfs_step(g, after, level);
  kernel_case c = linear_case(name, "bfs_step", "bfs_step", g.nodes());
  c.args = {input("offset", g.offset),
            input("target", g.target),
            output("frontier", before.frontier, after.frontier),
            output("next", before.next, after.next),
            input("visited", before.visited),
            output("cost", before.cost, after.cost),
            scalar("level", level),
            scalar("n", g.nodes())};
  return c;
}

kernel_case update_case(const std::string& name, const bfs_state& before) {
  bfs_state after = before;
  bfs_update(after);
  const auto n = static_cast<uint32_t>(before.next.size());
  kernel_case c = linear_case(name, "bfs_step", "bfs_update", n);
  c.args = {output("frontier", before.frontier, after.frontier), output("next", before.next, after.next),
            output("visited", before.visited, after.visited), output("again", before.again, after.again),
            scalar("n", n)};
  return c;
}

// The state before the step that reaches nodes at distance `level` from node 0 (which has 40 edges).
bfs_state before_level(const graph& g, uint32_t level) {
  bfs_state s = bfs_start(g.nodes(), 0);
  for (uint32_t done = 1; done < level; ++done) {
    bfs_step(g, s, done);
    bfs_update(s);
  }
  s.again[0] = 0;
  return s;
}

// A frontier chosen by lane, nothing visited yet but the frontier itself.
kernel_case frontier_case(const std::string& name, uint32_t n, bool (*in_frontier)(uint32_t node)) {
  const graph g = random_graph(52, n);
  bfs_state s = bfs_start(n, 0);
  for (uint32_t node = 0; node < n; ++node) s.visited[node] = s.frontier[node] = in_frontier(node) ? 1 : 0;
  return step_case(name, g, s, 1);
}

}  // namespace

std::vector<case_entry> bfs_cases() {
  std::vector<case_entry> cases;
  for (const uint32_t n : case_sizes) {
    for (const uint32_t level : {1u, 3u}) {
      const std::string suffix = std::to_string(n) + "_level_" + std::to_string(level);
      cases.push_back({"bfs_step_" + suffix, n, [=] {
                         const graph g = random_graph(51, n);
                         return step_case("bfs_step_" + suffix, g, before_level(g, level), level);
                       }});
      cases.push_back({"bfs_update_" + suffix, n, [=] {
                         const graph g = random_graph(51, n);
                         bfs_state s = before_level(g, level);
                         bfs_step(g, s, level);
                         return update_case("bfs_update_" + suffix, s);
                       }});
    }
  }
  const auto add_frontier = [&](const std::string& name, bool (*in_frontier)(uint32_t)) {
    cases.push_back({name, 1000, [=] { return frontier_case(name, 1000, in_frontier); }});
  };
  add_frontier("bfs_step_frontier_none", [](uint32_t) { return false; });
  add_frontier("bfs_step_frontier_all", [](uint32_t) { return true; });
  add_frontier("bfs_step_frontier_alternating", [](uint32_t node) { return node % 2 == 1; });
  add_frontier("bfs_step_frontier_one_lane", [](uint32_t node) { return node % 64 == 63; });
  return cases;
}

}  // namespace pws::reference
