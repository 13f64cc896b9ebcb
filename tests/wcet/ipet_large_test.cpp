// SPDX-License-Identifier: Apache-2.0
// IPET where counts are large: exact, or a bound that no path may reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/wcet/flow/ipet.h"
#include "tests/wcet/flow_problems.h"
#include "tests/wcet/flow_reference.h"
#include "tests/wcet/random_cfg.h"

namespace pws::wcet::ipet_large_test {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace pws::wcet::ipet_large_test
