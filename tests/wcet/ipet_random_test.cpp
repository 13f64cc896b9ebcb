// SPDX-License-Identifier: Apache-2.0
// IPET on random problems, against explicit paths, unrolled loops and enumeration.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <stdexcept>

#include "sw/wcet/flow/ipet.h"
#include "tests/wcet/flow_problems.h"
#include "tests/wcet/flow_reference.h"
#include "tests/wcet/random_cfg.h"

namespace pws::wcet::ipet_random_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ipet, random_graphs_without_cycles) {
  uint64_t no_path = 0, many_exits = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    random_source r(seed);
    const flow_problem p = random_dag(r, seed % 10 == 0 ? uint64_t{1} << 40 : 50);
    if (p.exits.size() > 1) ++many_exits;
    std::optional<test::long_path> longest;
    try {
      longest = test::longest_path(p);
    } catch (const input_error&) {
      ++no_path;
      EXPECT_THROW(solve_ipet(p), input_error);
      continue;
    }
    const ipet_result ilp = solve_ipet(p);
    EXPECT_EQ(ilp.cycles, longest->cycles);
    EXPECT_EQ(inconsistency(p, ilp), "");
    EXPECT_EQ(ilp.proven_cycles, longest->cycles);
    uint64_t sum = 0;
    for (const size_t n : longest->nodes) sum += p.cycles[n];
    EXPECT_EQ(sum, longest->cycles);
    uint64_t counted = 0;
    for (size_t n = 0; n < p.cycles.size(); ++n) {
      EXPECT_LE(ilp.node_count[n], 1U);
      counted += ilp.node_count[n] * p.cycles[n];
    }
    EXPECT_EQ(counted, ilp.cycles);
  }
  EXPECT_GT(no_path, 5U);
  EXPECT_LT(no_path, 150U);
  EXPECT_GT(many_exits, 100U);
}

TEST(ipet, random_loops_unrolled) {
  uint64_t loops = 0, never = 0, nested_counts = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    random_source r(seed);
    const looped_program p = looped_writer(r, seed % 8 == 0 ? uint64_t{1} << 36 : 40).make();
    loops += p.loops;
    never += p.never;
    const ipet_result ilp = solve_ipet(p.flow);
    EXPECT_EQ(ilp.cycles, test::longest_path(p.unrolled).cycles);
    EXPECT_EQ(inconsistency(p.flow, ilp), "");
    EXPECT_EQ(ilp.proven_cycles, ilp.cycles);
    for (const uint64_t n : ilp.node_count) nested_counts += n > 4 ? 1 : 0;
    // Each loop's bound is needed.
    if (p.flow.limits.empty()) continue;
    flow_problem missing = p.flow;
    missing.limits.erase(missing.limits.begin() + static_cast<std::ptrdiff_t>(r.below(missing.limits.size())));
    try {
      solve_ipet(missing);
      ADD_FAILURE() << "a bound is missing";
    } catch (const unbounded_flow& e) {
      EXPECT_LT(e.node(), p.flow.cycles.size());
    }
  }
  EXPECT_GT(loops, 200U);
  EXPECT_GT(never, 20U);
  EXPECT_GT(nested_counts, 30U);
}

// Arbitrary limits on graphs without cycles, where the relaxation is often longer than every path: all paths there are.
TEST(ipet, random_limits_against_all_paths) {
  uint64_t gaps = 0, infeasible = 0, limited = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    random_source r(1000 + seed);
    flow_problem p;
    const size_t levels = 3 + r.below(3), ways = 2 + r.below(2);
    p.cycles.push_back(1);
    std::vector<size_t> before{0};
    for (size_t k = 0; k < levels; ++k) {
      std::vector<size_t> now;
      for (size_t w = 0; w < ways; ++w) {
        now.push_back(p.cycles.size());
        p.cycles.push_back(r.below(30));
        for (const size_t b : before) p.edges.push_back({b, now.back()});
      }
      before = now;
    }
    p.exits = before;
    for (uint64_t n = 1 + r.below(5); n > 0; --n) {
      flow_problem::limit l;
      for (uint64_t k = 1 + r.below(4); k > 0; --k) l.nodes.push_back(r.below(p.cycles.size()));
      for (uint64_t k = r.below(3); k > 0; --k) l.edges.push_back(r.below(p.edges.size()));
      for (uint64_t k = r.below(3); k > 0; --k) l.per_nodes.push_back(r.below(p.cycles.size()));
      l.bound = 1 + r.below(2);
      l.per_run = r.below(4) != 0;
      p.limits.push_back(l);
    }
    std::optional<uint64_t> best, unlimited;
    std::vector<uint64_t> nodes(p.cycles.size(), 0), edges(p.edges.size(), 0);
    const std::function<void(size_t, uint64_t)> walk = [&](size_t n, uint64_t cycles) {
      nodes[n] = 1;
      cycles += p.cycles[n];
      if (n >= p.exits.front()) {
        bool allowed = true;
        for (const flow_problem::limit& l : p.limits) {
          uint64_t counted = 0, per = l.per_run ? 1 : 0;
          for (const size_t c : l.nodes) counted += nodes[c];
          for (const size_t c : l.edges) counted += edges[c];
          for (const size_t c : l.per_nodes) per += nodes[c];
          allowed = allowed && counted <= l.bound * per;
        }
        unlimited = std::max(unlimited.value_or(0), cycles);
        if (allowed) best = std::max(best.value_or(0), cycles);
      }
      for (size_t e = 0; e < p.edges.size(); ++e) {
        if (p.edges[e].from != n) continue;
        edges[e] = 1;
        walk(p.edges[e].to, cycles);
        edges[e] = 0;
      }
      nodes[n] = 0;
    };
    walk(0, 0);
    if (!best) {
      ++infeasible;
      EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("no path satisfies the limits: limit "));
      continue;
    }
    const ipet_result ilp = solve_ipet(p);
    EXPECT_EQ(ilp.cycles, *best);
    EXPECT_EQ(inconsistency(p, ilp), "");
    EXPECT_GE(ilp.proven_cycles, *best);
    EXPECT_LE(ilp.proven_cycles, *unlimited);
    if (ilp.proven_cycles != ilp.cycles) ++gaps;
    if (*best != *unlimited) ++limited;
  }
  EXPECT_GT(infeasible, 10U);
  EXPECT_GT(limited, 100U);
  EXPECT_GT(gaps, 10U) << "branch and bound had nothing to do";
}

TEST(longest_path, is_a_path) {
  flow_problem p;
  p.cycles = {1, 5, 2, 4, 1};
  p.edges = {{0, 1}, {0, 2}, {2, 3}, {1, 4}, {3, 4}};
  p.exits = {4};
  EXPECT_THAT(test::longest_path(p).nodes, ElementsAre(0, 2, 3, 4));
  EXPECT_EQ(test::longest_path(p).cycles, 8U);
  p.edges.push_back({3, 2});
  EXPECT_THAT(error_of([&] { test::longest_path(p); }), HasSubstr("is in a cycle"));
  p.edges.pop_back();
  p.limits.resize(1);
  EXPECT_THROW(test::longest_path(p), std::invalid_argument);
  p.limits.clear();
  p.cycles[2] = std::numeric_limits<uint64_t>::max();
  EXPECT_THROW(test::longest_path(p), input_error);
  p.exits = {5};
  EXPECT_THROW(test::longest_path(p), std::invalid_argument);
}

}  // namespace
}  // namespace pws::wcet::ipet_random_test
