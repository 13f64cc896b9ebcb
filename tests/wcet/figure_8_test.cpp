// SPDX-License-Identifier: Apache-2.0
// Algorithm 2 on the example of the PWS paper, Fig. 8.
#include "tests/wcet/figure_8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/cfg/choose_splits.h"
#include "sw/cfg/select.h"
#include "sw/wcet/flow/prune.h"
#include "tests/pwscc/choice/cycles_of_choice.h"
#include "tests/wcet/flow_reference.h"

namespace pws::wcet::figure_8_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// An edge in the paper's numbers.
removed_edge edge(size_t branch, size_t from, size_t to) {
  return {branch, from - 1, to - 1};
}

TEST(figure_8_prune, removed_edges_as_printed) {
  for (const auto& [e1, e2, e6] : figure_8_divisions()) {
    const cfg::cost_graph g = figure_8(e1, e2, e6);
    EXPECT_THAT(prune(g, cfg::select(g, 0)).removed, IsEmpty());
    EXPECT_THAT(prune(g, cfg::select(g, 1)).removed, ElementsAre(edge(1, 12, 13)));
    // E_r = {e2, e5, e6}
    EXPECT_THAT(prune(g, cfg::select(g, 2)).removed, ElementsAre(edge(7, 9, 10), edge(2, 2, 3), edge(1, 12, 13)));
    // With 13 split too: of its sides, 14 takes 1 and 16 takes 2.
    EXPECT_THAT(prune(g, cfg::select(g, 3)).removed,
                ElementsAre(edge(13, 13, 14), edge(7, 9, 10), edge(2, 2, 3), edge(1, 12, 13)));
  }
}

// The printed F[13] = 16 counts node 16 twice: it is F[14] + F[15] - F[17] + e13 + e15 with F[14] = 12, the value
// before line 9 has taken F[BSB(13)] - F[Reconv(13)] = 2 out of it (and 12 is what is printed for 14). Algorithm 2 does
// that for every branch, split or not, and gives 10 and 14. Everything before 13 counts on from there, and is printed 2
// too high, up to node 1, where F[12] cancels. What is behind 13 is as printed.
TEST(figure_8_prune, f_as_printed_but_for_the_erratum) {
  for (const auto& [e1, e2, e6] : figure_8_divisions()) {
    const cfg::cost_graph g = figure_8(e1, e2, e6);
    const pruned p = prune(g, {1, 2, 7});
    ASSERT_EQ(p.f.size(), 19U);
    EXPECT_EQ(p.f[18], 0U) << "F[|V| + 1]";
    const std::vector<uint64_t> printed = printed_f();
    for (const size_t u : {15, 16, 17, 18}) EXPECT_EQ(p.f[u - 1], printed[u]) << u;
    for (const size_t u : {5, 8, 9, 10, 11, 12, 13, 14}) EXPECT_EQ(p.f[u - 1] + 2, printed[u]) << u;
    EXPECT_EQ(p.f[13 - 1], 14U);
    EXPECT_EQ(p.f[14 - 1], 10U);
    // Rows that the text lost.
    EXPECT_EQ(p.f[7 - 1], 22 + 1 + (6 - e6));
    EXPECT_EQ(p.f[6 - 1], 29U);
    EXPECT_EQ(p.f[4 - 1], 35U);
    EXPECT_EQ(p.f[3 - 1], 32U);
    EXPECT_EQ(p.f[2 - 1], 35 + (14 - e1) - 14 + 4);
    EXPECT_EQ(p.f[1 - 1], 42U);
    EXPECT_EQ(p.cycles, 42U);
  }
}

TEST(figure_8_prune, every_way_to_the_longest_path) {
  constexpr uint64_t expected[] = {59, 49, 42, 42};
  for (const auto& [e1, e2, e6] : figure_8_divisions()) {
    const cfg::cost_graph g = figure_8(e1, e2, e6);
    for (size_t s = 0; s < 4; ++s) {
      const cfg::split_set chosen = cfg::select(g, s);
      const pruned p = prune(g, chosen);
      EXPECT_EQ(p.cycles, expected[s]);
      EXPECT_EQ(solve_ipet(flow_of(g, p.removed)).cycles, expected[s]);
      EXPECT_EQ(test::longest_path(flow_of(g, p.removed)).cycles, expected[s]);
      EXPECT_EQ(solve_ipet(test::exclusive_flow_of(g, chosen)).cycles, expected[s]);
      EXPECT_EQ(cfg::wavefront_cycles(g, chosen, 0, 0), expected[s]);
      EXPECT_EQ(solve_ipet(flow_of(g)).cycles, 59U);
    }
  }
}

TEST(figure_8_prune, the_path_of_the_slowest_swf) {
  const cfg::cost_graph g = figure_8(5, 4, 3);
  const ipet_result r = solve_ipet(flow_of(g, prune(g, {1, 2, 7}).removed));
  EXPECT_THAT(r.node_count, ElementsAre(1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1));
}

}  // namespace
}  // namespace pws::wcet::figure_8_test
