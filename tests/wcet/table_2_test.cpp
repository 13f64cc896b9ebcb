// SPDX-License-Identifier: Apache-2.0
// Table 2 of the PWS paper: E_kernel of the example in Fig. 8 without splitting, with DWS and with PWS.
#include <gtest/gtest.h>

#include "sw/cfg/select.h"
#include "sw/wcet/flow/prune.h"
#include "sw/wcet/kernel/kernel_bound.h"
#include "tests/wcet/figure_8.h"

namespace pws::wcet::table_2_test {
namespace {

// d = e_s = e_m = D_S = 1.
kernel_bounds table_row(const cfg::cost_graph& g, size_t s) {
  const cfg::split_set s_b = cfg::select(g, s);
  kernel_bound_inputs in;
  in.s = s;
  in.e_s = in.e_m = in.d = in.g = 1;
  in.s_b = s_b.size();
  in.ipet_serial = solve_ipet(flow_of(g)).cycles;
  in.ipet_pruned = solve_ipet(flow_of(g, prune(g, s_b).removed)).cycles;
  return bound_kernel(in);
}

TEST(table_2, no_splitting_and_pws_as_printed) {
  for (const auto& [e1, e2, e6] : figure_8_divisions()) {
    const cfg::cost_graph g = figure_8(e1, e2, e6);
    for (const size_t s : {0, 1, 2, 3}) EXPECT_EQ(table_row(g, s).none.e_kernel, 60U);
    EXPECT_EQ(table_row(g, 1).pws.e_kernel, 52U);
    EXPECT_EQ(table_row(g, 2).pws.e_wf, 48U);
    EXPECT_EQ(table_row(g, 2).pws.e_kernel, 49U);
    EXPECT_EQ(table_row(g, 2).pws.d_s, 1U);
    // S = 0 is no splitting, for both.
    EXPECT_EQ(table_row(g, 0).pws.e_kernel, 60U);
    EXPECT_EQ(table_row(g, 0).dws.e_kernel, 60U);
  }
}

// Printed: PWS 47 at S = 3, and DWS 127, 192, 245. They do not follow from Lemmas 5.1 to 5.7 with these inputs.
// - PWS, S = 3: S_B = {1, 2, 7, 13}, so Eq. 3 charges four splits: 42 + 4 * 2 = 50, and 51 with d. With fewer splits
//   charged, 45 and 47 and 49 would come out for |S_B| of 1, 2 and 3: 47 is what S_B of two branches gives, but no S_B
//   of two branches leaves a longest path of 42.
// - DWS: E_WF is the sum of all blocks, 59, and 2 for each of |S_B| = S splits (paper 7.1), so the kernel's bound is
//   1 + (S + 1) * (59 + 2 S). 127 is what two splits come to at S = 1, and 245 what one comes to at S = 3; 192 is none
//   of any number of splits.
TEST(table_2, what_does_not_follow_as_printed) {
  const cfg::cost_graph g = figure_8(5, 4, 3);
  EXPECT_EQ(table_row(g, 3).pws.e_kernel, 51U);
  EXPECT_EQ(table_row(g, 1).dws.e_kernel, 123U);
  EXPECT_EQ(table_row(g, 2).dws.e_kernel, 190U);
  EXPECT_EQ(table_row(g, 3).dws.e_kernel, 261U);
  EXPECT_EQ(e_kernel_dws(1, 1, 1, e_wf(59, 2, 1, 1)), 127U);
  EXPECT_EQ(e_kernel_dws(1, 1, 3, e_wf(59, 1, 1, 1)), 245U);
  EXPECT_EQ((192 - 1) % 3, 2) << "no multiple of S + 1";
  uint64_t least = 1000;
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = a + 1; b < 4; ++b) {
      const cfg::split_set two = {g.branches[a].id, g.branches[b].id};
      least = std::min(least, prune(g, two).cycles);
    }
  EXPECT_EQ(least, 45U) << "so 45 + 2 * 2 + 1 is the least that two split branches come to: above 47";
}

// Lemma 5.8.
TEST(table_2, pws_is_never_above_dws) {
  const cfg::cost_graph g = figure_8(5, 4, 3);
  for (const size_t s : {1, 2, 3}) EXPECT_LT(table_row(g, s).pws.e_kernel, table_row(g, s).dws.e_kernel);
}

}  // namespace
}  // namespace pws::wcet::table_2_test
