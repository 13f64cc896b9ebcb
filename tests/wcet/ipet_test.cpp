// SPDX-License-Identifier: Apache-2.0
// IPET against explicit paths, unrolled loops and enumeration.
#include "sw/wcet/flow/ipet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>

#include "sw/wcet/flow/lp_refinement.h"
#include "tests/wcet/flow_reference.h"
#include "tests/wcet/random_cfg.h"

namespace pws::wcet::ipet_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

// entry 0 -> head 1 <-> body 2, 1 -> end 3. No limit yet; edge 1 is head -> body, edge 2 the back edge.
flow_problem one_loop() {
  flow_problem p;
  p.cycles = {7, 2, 10, 1};
  p.edges = {{0, 1}, {1, 2}, {2, 1}, {1, 3}};
  p.exits = {3};
  return p;
}

flow_problem::limit limit_of(std::vector<size_t> edges, uint64_t bound, std::vector<size_t> per_edges,
                             const std::string& name) {
  flow_problem::limit l;
  l.edges = std::move(edges);
  l.bound = bound;
  l.per_edges = std::move(per_edges);
  l.name = name;
  return l;
}

TEST(ipet, a_single_node) {
  flow_problem p;
  p.cycles = {42};
  p.exits = {0};
  const ipet_result r = solve_ipet(p);
  EXPECT_EQ(r.cycles, 42U);
  EXPECT_EQ(r.proven_cycles, 42U);
  EXPECT_THAT(r.node_count, ElementsAre(1));
  EXPECT_EQ(r.variables, 1U);
  EXPECT_EQ(r.constraints, 1U);
}

TEST(ipet, a_loop_runs_as_often_as_its_bound_says) {
  for (const uint64_t n : {0, 1, 2, 1000, 1 << 20}) {
    flow_problem p = one_loop();
    p.limits = {limit_of({1}, n, {0}, "loop")};
    const ipet_result r = solve_ipet(p);
    EXPECT_EQ(r.cycles, 7 + 2 * (n + 1) + 10 * n + 1);
    EXPECT_EQ(r.proven_cycles, r.cycles);
    EXPECT_THAT(r.node_count, ElementsAre(1, n + 1, n, 1));
    EXPECT_THAT(r.edge_count, ElementsAre(1, n, n, 1));
  }
}

TEST(ipet, the_entry_is_a_loop) {
  flow_problem p;
  p.cycles = {3, 5};
  p.edges = {{0, 0}, {0, 1}};
  p.exits = {1};
  flow_problem::limit l;
  l.nodes = {0};
  l.bound = 4;
  l.per_run = true;
  p.limits = {l};
  EXPECT_EQ(solve_ipet(p).cycles, 17U);
  EXPECT_THAT(solve_ipet(p).edge_count, ElementsAre(3, 1)) << "the first execution is none of the edge";
  p.limits[0].nodes.clear();
  p.limits[0].edges = {0};
  EXPECT_EQ(solve_ipet(p).cycles, 20U);
}

TEST(ipet, nested_loops_multiply) {
  // 0 -> 1 (outer head) -> 2 (inner head) -> 3 (inner body) -> 2; 2 -> 1; 1 -> 4
  flow_problem p;
  p.cycles = {1, 1, 1, 1, 1};
  p.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 2}, {2, 1}, {1, 4}};
  p.exits = {4};
  p.limits = {limit_of({1}, 30, {0}, "outer"), limit_of({2}, 20, {1}, "inner")};
  const ipet_result r = solve_ipet(p);
  EXPECT_THAT(r.node_count, ElementsAre(1, 31, 30 * 21, 600, 1));
  EXPECT_EQ(r.cycles, 1U + 31 + 630 + 600 + 1);
  // Bounds that together are above the product: the inner loop's of the whole run counts.
  p.limits.push_back(limit_of({2}, 0, {}, "inner, of the run"));
  p.limits.back().bound = 50;
  p.limits.back().per_run = true;
  EXPECT_EQ(solve_ipet(p).node_count[3], 50U);
}

TEST(ipet, a_missing_bound_names_a_node_of_the_loop) {
  try {
    solve_ipet(one_loop());
    FAIL();
  } catch (const unbounded_flow& e) {
    EXPECT_TRUE(e.node() == 1 || e.node() == 2) << e.node();
    EXPECT_THAT(e.what(), HasSubstr("node " + std::to_string(e.node())));
  }
  // If one of two loops has no bound, the error names that one.
  flow_problem p;
  p.cycles = {1, 1, 1, 1};
  p.edges = {{0, 1}, {1, 1}, {1, 2}, {2, 2}, {2, 3}};
  p.exits = {3};
  p.limits = {limit_of({1}, 5, {0}, "first")};
  try {
    solve_ipet(p);
    FAIL();
  } catch (const unbounded_flow& e) {
    EXPECT_EQ(e.node(), 2U);
  }
  p.limits.push_back(limit_of({3}, 5, {2}, "second"));
  EXPECT_EQ(solve_ipet(p).cycles, 14U);
}

TEST(ipet, a_limit_per_what_repeats_itself_is_no_bound) {
  flow_problem p = one_loop();
  p.limits = {limit_of({1}, 1, {2}, "body per back edge")};
  EXPECT_THROW(solve_ipet(p), unbounded_flow);
  // The head, which repeats as often, but for once.
  p.limits[0] = limit_of({1}, 1, {}, "body per head");
  p.limits[0].per_nodes = {1};
  EXPECT_THROW(solve_ipet(p), unbounded_flow);
  // Here the solver has to see that it is one: twice the body is at most the back edges, and one more.
  p.limits[0] = limit_of({1, 1}, 1, {2}, "body twice");
  p.limits[0].per_run = true;
  EXPECT_EQ(solve_ipet(p).node_count[2], 1U);
}

TEST(ipet, loops_that_take_no_time_need_a_bound_too) {
  flow_problem p = one_loop();
  p.cycles = {0, 0, 0, 0};
  EXPECT_THROW(solve_ipet(p), unbounded_flow);
  p.limits = {limit_of({1}, 3, {0}, "loop")};
  EXPECT_EQ(solve_ipet(p).cycles, 0U);
}

TEST(ipet, loops_that_nothing_leads_to_or_from_do_not_count) {
  flow_problem p = one_loop();
  p.limits = {limit_of({1}, 2, {0}, "loop")};
  p.cycles.resize(7, 1000);
  p.edges.push_back({4, 4});  // not reached
  p.edges.push_back({4, 1});
  p.edges.push_back({1, 5});  // never ends
  p.edges.push_back({5, 5});
  const ipet_result r = solve_ipet(p);
  EXPECT_EQ(r.cycles, 7U + 6 + 20 + 1);
  EXPECT_THAT(r.node_count, ElementsAre(1, 3, 2, 1, 0, 0, 0));
}

TEST(ipet, no_way_out) {
  flow_problem p = one_loop();
  p.exits = {};
  EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("no path leads from the entry to an exit"));
  p.cycles.push_back(1);
  p.exits = {4};
  EXPECT_THROW(solve_ipet(p), input_error);
  EXPECT_THROW(test::longest_path(flow_problem{{1, 1}, {}, 0, {1}, {}, {}}), input_error);
}

TEST(ipet, limits_that_contradict_each_other_are_named) {
  // 0 -> 1 -> 3 or 0 -> 2 -> 3.
  flow_problem p;
  p.cycles = {1, 1, 1, 1};
  p.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
  p.exits = {3};
  p.limits = {limit_of({0}, 0, {}, "not left"), limit_of({2}, 7, {0}, "harmless"), limit_of({3}, 0, {}, "not right")};
  const std::string message = error_of([&] { solve_ipet(p); });
  EXPECT_THAT(message, HasSubstr("not left, not right"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("harmless")));
  p.limits.pop_back();
  EXPECT_EQ(solve_ipet(p).cycles, 3U);
  p.limits[0] = {};
  p.limits[0].nodes = {0};  // the entry, never
  EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("limit 0"));
}

TEST(ipet, what_does_not_exist) {
  const auto changed = [](const std::function<void(flow_problem&)>& change) {
    flow_problem p = one_loop();
    p.limits = {limit_of({1}, 2, {0}, "loop")};
    change(p);
    return p;
  };
  EXPECT_THROW(solve_ipet(flow_problem{}), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.entry = 4; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.exits = {4}; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.edges[3].to = 4; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.edges[3].from = 4; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.limits[0].edges = {4}; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.limits[0].per_edges = {4}; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.limits[0].nodes = {4}; })), std::invalid_argument);
  EXPECT_THROW(solve_ipet(changed([](flow_problem& p) { p.limits[0].per_nodes = {4}; })), std::invalid_argument);
}

TEST(ipet, large_numbers_are_exact_or_refused) {
  // Beyond what a double can hold: the odd last bits must be there.
  flow_problem p = one_loop();
  p.cycles = {1, 3, (uint64_t{1} << 40) + 1, 5};
  const uint64_t n = uint64_t{1} << 20;
  p.limits = {limit_of({1}, n, {0}, "loop")};
  EXPECT_EQ(solve_ipet(p).cycles, 6 + 3 * (n + 1) + n * ((uint64_t{1} << 40) + 1));
  // One node alone: its cycles are the unit.
  p.cycles = {0, 0, 0, std::numeric_limits<uint64_t>::max() - 1};
  EXPECT_EQ(solve_ipet(p).cycles, std::numeric_limits<uint64_t>::max() - 1);
  p.cycles[3] = std::numeric_limits<uint64_t>::max();
  EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("2^64 - 1 cycles or more"));
  p.cycles = {0, 0, uint64_t{1} << 45, 1};
  EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("2^64 - 1 cycles or more"));
  p.limits[0].bound = (uint64_t{1} << 53) + 1;
  EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("loop: a bound of 9007199254740993 is beyond 2^53"));
  p.limits[0].bound = std::numeric_limits<uint64_t>::max();
  EXPECT_THROW(solve_ipet(p), input_error);
}

// Loops in loops, of which the solver says that no path keeps them: exact, or named where the path is too long.
TEST(ipet, deeply_nested_large_bounds) {
  const auto nest = [](const std::vector<uint64_t>& bounds) {
    // head k -> head k + 1, and from the innermost body back; head k + 1 -> head k.
    const size_t depth = bounds.size();
    flow_problem p;
    p.cycles.assign(depth + 2, 1);
    p.cycles[0] = 3;
    for (size_t k = 0; k <= depth; ++k) p.edges.push_back({k, k + 1});
    for (size_t k = depth; k > 0; --k) p.edges.push_back({k + 1, k});
    p.exits = {1};
    for (size_t k = 0; k < depth; ++k)
      p.limits.push_back(limit_of({k + 1}, bounds[k], {k}, "loop " + std::to_string(k)));
    return p;
  };
  const auto expected = [](const std::vector<uint64_t>& bounds) {
    uint64_t times = 1, sum = 3 + 1;
    for (size_t k = 0; k < bounds.size(); ++k) {
      times *= bounds[k];
      sum += 2 * times;  // the next head on the way in, and this one on the way back
    }
    return sum;
  };
  for (const std::vector<uint64_t>& bounds :
       std::vector<std::vector<uint64_t>>{{uint64_t{1} << 32},
                                          {uint64_t{1} << 40},
                                          {uint64_t{1} << 53},
                                          {1, uint64_t{1} << 53},
                                          {uint64_t{1} << 53, 0, 7},
                                          {1000003, 999983, 1009},
                                          {65537, 257, 65539, 1021},
                                          {255, 255, 255, 255, 255, 255, 127},
                                          {(uint64_t{1} << 40) - 1, 3, 1, 1, 5, 1, 2, 1, 1, 3}}) {
    SCOPED_TRACE(::testing::PrintToString(bounds));
    EXPECT_EQ(solve_ipet(nest(bounds)).cycles, expected(bounds));
  }
  for (const std::vector<uint64_t>& bounds : std::vector<std::vector<uint64_t>>{
           {uint64_t{1} << 40, uint64_t{1} << 40}, {uint64_t{1} << 53, uint64_t{1} << 53, uint64_t{1} << 53}}) {
    SCOPED_TRACE(::testing::PrintToString(bounds));
    flow_problem p = nest(bounds);
    EXPECT_THAT(error_of([&] { solve_ipet(p); }),
                HasSubstr("; the largest bounds are of loop 0 (" + std::to_string(bounds[0]) + "), loop 1 ("));
    p.limits[1].stated = true;
    EXPECT_THAT(error_of([&] { solve_ipet(p); }),
                ::testing::EndsWith("; the largest bounds are of loop 1 (" + std::to_string(bounds[1]) + ")"));
  }
  // Limits that do leave no path still do.
  flow_problem p = nest({uint64_t{1} << 40, 1000003, 65537});
  flow_problem::limit never;
  never.name = "never";
  never.edges = {0};
  p.limits.push_back(never);
  EXPECT_THAT(error_of([&] { solve_ipet(p); }), HasSubstr("no path satisfies the limits: never"));
}

// An odd number of iterations of which at most half may go the longer way: the relaxation takes half an iteration more
// than any path. With large counts its bound is the result, without a path.
TEST(ipet, a_bound_without_a_path_where_whole_numbers_are_out_of_reach) {
  for (const uint64_t n : {uint64_t{1001}, (uint64_t{1} << 30) + 1, (uint64_t{1} << 44) + 1}) {
    SCOPED_TRACE(n);
    flow_problem p;
    p.cycles = {1, 0, 10, 7, 1};
    p.edges = {{0, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {1, 4}};
    p.exits = {4};
    p.limits = {limit_of({1, 2}, n, {0}, "loop")};
    flow_problem::limit half;
    half.nodes = {2, 2};  // counts twice
    half.bound = n;
    half.per_run = true;
    p.limits.push_back(half);
    const uint64_t longest = 2 + 10 * (n / 2) + 7 * (n - n / 2), relaxed = 2 + 7 * n + 3 * n / 2;
    const ipet_result r = solve_ipet(p);
    EXPECT_EQ(r.proven_cycles, relaxed);
    EXPECT_EQ(r.is_path, n == 1001);
    EXPECT_EQ(r.cycles, r.is_path ? longest : relaxed);
    EXPECT_GT(relaxed, longest) << "the relaxation is whole";
    EXPECT_EQ(inconsistency(p, r) == "", r.is_path);
    EXPECT_NEAR(static_cast<double>(r.node_count[2]), static_cast<double>(n) / 2, 1);
    EXPECT_EQ(r.node_count[0], 1U);
  }
}

// Loops in loops, each entered at most p times in q passes of the one around: prices are fractions with the product of
// all p below, which no rounding of each by itself leaves without a cycle that gains.
TEST(ipet, a_bound_where_prices_are_fractions_of_large_products) {
  const std::vector<std::pair<uint64_t, uint64_t>> shares = {{3, 7}, {7, 11}, {11, 13}, {13, 17}, {17, 19}, {19, 23}};
  flow_problem p;
  p.cycles = {5};
  size_t around = 0;
  std::vector<size_t> heads;
  for (const auto& [few, many] : shares) {
    // A head with a plain body; the way into the next loop hangs on the head too.
    const size_t head = p.cycles.size(), body = head + 1;
    p.cycles.push_back(101);
    p.cycles.push_back(7919);
    const size_t in = p.edges.size();
    p.edges.push_back({around, head});
    p.edges.push_back({head, body});
    p.edges.push_back({body, head});
    if (around != 0) p.edges.push_back({head, around});
    flow_problem::limit l;
    l.edges = {in + 2};
    l.per_edges = {in};
    l.bound = (many + few) * (around == 0 ? 10000 : 1);
    p.limits.push_back(l);
    if (around != 0) {
      flow_problem::limit share;  // few * entries <= many * bodies of the loop around
      for (uint64_t n = 0; n < many; ++n) share.edges.push_back(in);
      share.per_nodes = {around + 1};
      share.bound = few;
      p.limits.push_back(share);
    }
    around = head;
    heads.push_back(head);
  }
  p.edges.push_back({heads.front(), p.cycles.size()});
  p.cycles.push_back(1);
  p.exits = {p.cycles.size() - 1};
  const ipet_result r = solve_ipet(p);
  EXPECT_GE(r.proven_cycles, r.cycles);
  // By hand, in whole numbers: each loop as often as it may be.
  uint64_t cycles = 6, entries = 1;
  for (size_t k = 0; k < shares.size(); ++k) {
    const uint64_t bodies = entries * (shares[k].second + shares[k].first) * (k == 0 ? 10000 : 1);
    cycles += 101 * (entries + bodies) + 7919 * bodies;
    if (k + 1 == shares.size()) break;
    entries = bodies * shares[k + 1].first / shares[k + 1].second;
    cycles += 101 * entries;  // back at the head
  }
  EXPECT_GE(r.cycles, cycles);
  EXPECT_LT(static_cast<double>(r.cycles), 1.001 * static_cast<double>(cycles));
}

// Two ways whose cycles differ by one, above 2^53: as doubles they are the same.
TEST(ipet, the_longer_of_two_ways_that_are_the_same_as_doubles) {
  for (const bool first : {false, true}) {
    flow_problem p;
    const uint64_t large = uint64_t{1} << 60;
    p.cycles = {0, large + (first ? 1 : 0), large + (first ? 0 : 1), 0};
    p.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    p.exits = {3};
    EXPECT_EQ(solve_ipet(p).cycles, large + 1);
    EXPECT_EQ(solve_ipet(p).proven_cycles, large + 1);
    EXPECT_EQ(test::longest_path(p).cycles, large + 1);
  }
}

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

// What an execution takes beside its nodes, as often as limits allow: here twice for each way into the loop.
TEST(ipet, charges) {
  flow_problem p = one_loop();
  p.limits = {limit_of({1}, 5, {0}, "loop")};
  p.charges = {100, 1000};
  flow_problem::limit l;
  l.charges = {0, 1};
  l.per_edges = {0};
  l.bound = 2;
  p.limits.push_back(l);
  const uint64_t without = 7 + 2 * 6 + 10 * 5 + 1;
  EXPECT_EQ(solve_ipet(p).cycles, without + 2000);
  EXPECT_THAT(solve_ipet(p).charge_count, ElementsAre(0, 2));
  l.charges = {1};
  l.per_edges = {};
  l.per_nodes = {2};  // per body
  l.bound = 1;
  p.limits[1].charges = {0};
  p.limits.push_back(l);
  EXPECT_EQ(solve_ipet(p).cycles, without + 200 + 5000);
  l.per_nodes = {0};  // of the entry, once: it is no execution of the entry itself
  p.limits.push_back(l);
  EXPECT_EQ(solve_ipet(p).cycles, without + 200 + 1000);
  EXPECT_THAT(solve_ipet(p).node_count, ElementsAre(1, 6, 5, 1));
  EXPECT_EQ(solve_ipet(p).proven_cycles, solve_ipet(p).cycles);
  p.charges.push_back(1);
  EXPECT_THROW(solve_ipet(p), unbounded_flow) << "in no limit";
  p.limits.back().charges = {3};
  EXPECT_THROW(solve_ipet(p), std::invalid_argument);
}

TEST(ipet, the_same_problem_has_the_same_solution) {
  random_source r(7);
  const flow_problem p = looped_writer(r, 3).make().flow;
  const ipet_result once = solve_ipet(p);
  for (int k = 0; k < 3; ++k) {
    const ipet_result again = solve_ipet(p);
    EXPECT_EQ(again.node_count, once.node_count);
    EXPECT_EQ(again.edge_count, once.edge_count);
  }
}

TEST(ipet, writes_nothing) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  flow_problem p = one_loop();
  p.limits = {limit_of({1}, 3, {0}, "loop")};
  solve_ipet(p);
  EXPECT_THROW(solve_ipet(one_loop()), unbounded_flow);
  p.limits[0] = {};
  p.limits[0].nodes = {0};
  EXPECT_THROW(solve_ipet(p), input_error);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// Given the solution, there is nothing left to solve; given another, what is left is what is wrong with it.
TEST(lp_refinement, what_a_solution_leaves_over) {
  flow_problem f = one_loop();
  f.limits = {limit_of({1}, 5, {0}, "loop")};
  const integer_program p(f);
  ASSERT_EQ(p.columns.size(), 5U) << "four edges and the exit";
  lp_refinement r(p);
  const linear_program all = r.rest();
  EXPECT_THAT(all.cost, ElementsAre(-2, -10, -2, -1, 0));
  EXPECT_THAT(all.least_flow, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(all.most, ElementsAre(-1, 0, 0, 0, 0));
  // An iteration takes 12; of a node, the price is what comes behind it.
  const double flow[] = {1, 5, 5, 1, 1}, price[] = {63, 1, 3, 0, -12};
  r.correct(flow, price);
  EXPECT_FALSE(r.exact());
  const linear_program rest = r.rest();
  EXPECT_THAT(rest.most, ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(std::vector<double>(rest.least.begin(), rest.least.begin() + 4), ElementsAre(0, 0, 0, 0));
  const double zoom = rest.least_flow[0] / -1;
  EXPECT_GT(zoom, 1);
  EXPECT_THAT(rest.least_flow, ElementsAre(-zoom, -5 * zoom, -5 * zoom, -zoom, -zoom));
  for (const double c : rest.cost) EXPECT_EQ(c, 0);
  EXPECT_EQ(r.bound(), 7 + 2 + 5 * 12 + 1);
  EXPECT_THAT(r.counts(), ElementsAre(1, 5, 5, 1, 1));
  const double nothing[] = {0, 0, 0, 0, 0};
  r.correct(nothing, nothing);
  EXPECT_TRUE(r.exact());
}

TEST(lp_refinement, what_is_wrong_is_enlarged) {
  flow_problem f = one_loop();
  f.limits = {limit_of({1}, 5, {0}, "loop")};
  const integer_program p(f);
  lp_refinement r(p);
  r.rest();
  const double error = 0x1p-30;
  const double flow[] = {1, 5 + error, 5 + error, 1, 1}, price[] = {0, 0, 0, 0, 0};
  r.correct(flow, price);
  const linear_program rest = r.rest();
  EXPECT_LT(rest.most[4], -0x1p-10) << "the loop's limit, exceeded by 2^-30, enlarged";
  EXPECT_EQ(rest.most[1], 0);
  EXPECT_THAT(r.counts(), ElementsAre(1, 5, 5, 1, 1)) << "rounded";
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
}  // namespace pws::wcet::ipet_test
