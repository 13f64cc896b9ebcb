// SPDX-License-Identifier: Apache-2.0
// What the PWS paper's Table 3 prints, held against its own text: configs/experiments/table3.yaml says so beside the
// figures.
#include <gtest/gtest.h>

#include <cmath>

#include "sw/wcet/kernel/kernel_bound.h"

namespace pws::test::table_3_test {
namespace {

// Thousands of cycles: bounds and what was observed, and by how many per cent PWS's bound is below DWS's.
struct printed_row {
  uint64_t s, pws, pws_observed, dws, dws_observed, none, none_observed, below;
};
constexpr printed_row printed[] = {
    {1, 300, 150, 600, 140, 680, 500, 50}, {3, 220, 30, 870, 50, 680, 500, 75}, {7, 180, 15, 1440, 45, 680, 500, 88}};

double percent_below(uint64_t value, uint64_t base) {
  return 100 - 100 * static_cast<double>(value) / static_cast<double>(base);
}

// DWS's bounds are S + 1 times those of PWS, so they have the wavefront of the pruned graph in them.
TEST(table_3_as_printed, dws_has_the_pruned_wavefront) {
  for (const printed_row& r : printed) {
    const uint64_t pruned = wcet::e_kernel_dws(1, 0, r.s, r.pws);
    EXPECT_NEAR(static_cast<double>(r.dws), static_cast<double>(pruned), 10) << r.s;
    const double share = 100 * static_cast<double>(r.s) / static_cast<double>(r.s + 1);
    EXPECT_EQ(r.below, std::lround(share)) << "whatever the program is";
  }
}

// The text (section 7) takes the whole graph for DWS: its wavefront is that of no splitting.
TEST(table_3_as_printed, the_text_gives_what_we_have) {
  constexpr long ours[] = {78, 92, 97};
  size_t k = 0;
  for (const printed_row& r : printed)
    EXPECT_EQ(std::lround(percent_below(r.pws, wcet::e_kernel_dws(1, 0, r.s, r.none))), ours[k++]);
}

// S + 1 parts at a time take at least 1 / (S + 1) of the time of all of them one after the other.
TEST(table_3_as_printed, observed_gains_exceed_the_number_of_parts) {
  for (const printed_row& r : printed) EXPECT_GT(r.none_observed, (r.s + 1) * r.pws_observed) << r.s;
}

}  // namespace
}  // namespace pws::test::table_3_test
