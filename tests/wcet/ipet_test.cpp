// SPDX-License-Identifier: Apache-2.0
// IPET on small problems: bounds of loops, what has no bound or no path, and charges.
#include "sw/wcet/flow/ipet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/wcet/flow_problems.h"
#include "tests/wcet/flow_reference.h"
#include "tests/wcet/random_cfg.h"

namespace pws::wcet::ipet_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace pws::wcet::ipet_test
