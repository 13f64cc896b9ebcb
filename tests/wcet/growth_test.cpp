// SPDX-License-Identifier: Apache-2.0
// Prune and Select are linear (PWS paper 4.2). What is compared is the number of steps; times are for the reader.
#include <gtest/gtest.h>

#include <cstdio>

#include "sw/cfg/select.h"
#include "sw/wcet/flow/prune.h"
#include "tests/pwscc/choice/random_graph.h"
#include "tests/wcet/flow_reference.h"

namespace pws::wcet::growth_test {
namespace {

enum class form { row, nest };

// `branches` if-elses with one block per side, one behind the other or each in the one before's then side. Splitting
// leaves the longer side of each: 3 of 3 + 2.
cfg::cost_graph program(form f, size_t branches) {
  cfg::cost_graph g;
  cfg::graph_writer w(g);
  if (f == form::row) {
    for (size_t k = 0; k < branches; ++k)
      w.if_else(
          k, 1, 1, [&] { w.emit(3); }, [&] { w.emit(2); });
    w.emit(1);
    return g;
  }
  // As if_else() would write it, from both ends, without its recursion.
  const size_t none = cfg::cost_graph::none, last = 4 * branches;
  for (size_t k = 0; k < branches; ++k) {
    const size_t bsb = last - 2 - 2 * k, reconv = k == 0 ? last : bsb + 2;
    const size_t u = 2 * k;
    g.nodes.push_back({1, {u + 1, bsb}, none});
    g.nodes.push_back({3, {k + 1 == branches ? bsb : u + 2}, none});
    g.branches.push_back({k, u, u + 1, bsb, bsb + 1, reconv, true, true});
  }
  for (size_t k = branches; k-- > 0;) {
    const size_t bsb = last - 2 - 2 * k;
    g.nodes.push_back({1, {bsb + 1, bsb + 2}, none});
    g.nodes.push_back({2, {bsb + 2}, none});
  }
  g.nodes.push_back({1, {}, none});
  return g;
}

TEST(growth, prune_is_linear) {
  std::printf("%10s %12s %12s\n", "nodes", "steps: row", "nest");
  uint64_t before[2] = {0, 0};
  for (size_t branches = 1 << 9; branches <= size_t{1} << 18; branches *= 2) {
    uint64_t steps[2];
    size_t nodes = 0;
    for (const form f : {form::row, form::nest}) {
      const cfg::cost_graph g = program(f, branches);
      nodes = g.nodes.size();
      ASSERT_EQ(nodes, 4 * branches + 1);
      const cfg::split_set chosen = cfg::select(g, branches);
      ASSERT_EQ(chosen.size(), branches);
      const pruned serial = prune(g, {}), p = prune(g, chosen);
      EXPECT_EQ(serial.cycles, 7 * branches + 1);
      EXPECT_EQ(p.cycles, 5 * branches + 1);
      EXPECT_EQ(p.removed.size(), branches);
      EXPECT_EQ(p.steps, serial.steps);
      steps[f == form::nest ? 1 : 0] = p.steps;
    }
    std::printf("%10zu %12ju %12ju\n", nodes, static_cast<uintmax_t>(steps[0]), static_cast<uintmax_t>(steps[1]));
    for (int k = 0; k < 2; ++k) {
      EXPECT_LE(steps[k], 2 * nodes);
      if (before[k] != 0) {
        EXPECT_LE(steps[k], 2 * before[k]);
      }
      before[k] = steps[k];
    }
  }
}

TEST(growth, the_longest_path_of_a_million_nodes) {
  const cfg::cost_graph g = program(form::row, size_t{1} << 18);
  EXPECT_EQ(test::longest_path(flow_of(g)).cycles, 7 * (uint64_t{1} << 18) + 1);
}

// As large as kernels get: two nested loops around hundreds of branches.
TEST(growth, an_ilp_of_thousands_of_variables) {
  cfg::cost_graph g;
  g.nodes = {{0, {}, 0}};
  cfg::cost_graph middle;
  middle.nodes = {{2, {}, 0}};
  middle.loops = {{program(form::row, 400), 100}};
  g.loops = {{middle, 50}};
  cfg::split_set chosen;
  for (size_t k = 0; k < 400; ++k) chosen.insert(k);
  const pruned p = prune(g, chosen);
  EXPECT_EQ(p.cycles, 50 * (2 + 100 * (5 * 400 + 1U)));
  const ipet_result removed = solve_ipet(flow_of(g, p.removed));
  const ipet_result exclusive = solve_ipet(test::exclusive_flow_of(g, chosen));
  EXPECT_EQ(removed.cycles, p.cycles);
  EXPECT_EQ(exclusive.cycles, p.cycles);
  EXPECT_GT(exclusive.variables, 2000U);
  EXPECT_GT(exclusive.constraints, removed.constraints);
  std::printf("%zu variables, %zu constraints: %.3f s\n", exclusive.variables, exclusive.constraints,
              exclusive.seconds);
}

}  // namespace
}  // namespace pws::wcet::growth_test
