// SPDX-License-Identifier: Apache-2.0
// What is left to solve of a linear program, given an approximate solution.
#include "sw/wcet/flow/lp_refinement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/wcet/flow_problems.h"

namespace pws::wcet::lp_refinement_test {
namespace {

using ::testing::ElementsAre;

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

}  // namespace
}  // namespace pws::wcet::lp_refinement_test
