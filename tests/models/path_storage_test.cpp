// SPDX-License-Identifier: Apache-2.0
// Bits of stack, warp-split table and scoreboards, against the numbers of the DPE paper's section 6.4.
#include "models/divergence/path_storage.h"

#include <gtest/gtest.h>

namespace pws::test::path_storage_test {
namespace {

using models::divergence_kind;
using models::path_scoreboard;
using models::path_storage;

path_storage storage(divergence_kind scheme, path_scoreboard scoreboard, uint64_t splits, uint64_t warp_splits = 0) {
  models::machine_config c;
  c.divergence = scheme;
  c.scoreboard = scoreboard;
  return models::storage_of(c, splits, warp_splits);
}

TEST(path_storage, has_the_papers_entries_at_the_papers_widths) {
  // The deepest stack that the paper saw has 11 entries of a single path: five splits inside one another.
  const path_storage one = storage(divergence_kind::stack, path_scoreboard::conservative, 5);
  EXPECT_EQ(one.entries, 11u);
  EXPECT_EQ(one.paper_entry_bits, 96u);
  EXPECT_EQ(one.paper_stack_bits(), 11u * 96);
  const path_storage two = storage(divergence_kind::dpe, path_scoreboard::conservative, 5);
  EXPECT_EQ(two.entries, 6u);
  EXPECT_EQ(two.paper_entry_bits, 160u);
}

TEST(path_storage, has_wider_entries_for_48_bit_addresses_and_64_lanes) {
  EXPECT_EQ(storage(divergence_kind::stack, path_scoreboard::drain, 1).entry_bits, 48u + 64 + 48);
  EXPECT_EQ(storage(divergence_kind::dpe, path_scoreboard::drain, 1).entry_bits, 2u * (48 + 64) + 48);
}

TEST(path_storage, has_an_entry_for_a_wavefront_that_never_splits) {
  for (const divergence_kind k : {divergence_kind::stack, divergence_kind::dpe}) {
    const path_storage s = storage(k, path_scoreboard::drain, 0);
    EXPECT_EQ(s.entries, 1u);
    EXPECT_EQ(s.scalar_bits(), 0u);
  }
}

TEST(path_storage, has_shadow_bits_where_two_slots_see_each_other) {
  const path_storage s = storage(divergence_kind::dpe, path_scoreboard::conservative, 3);
  EXPECT_EQ(s.scoreboards, 2u);
  // The paper: 7 to 14 % of the scoreboards.
  EXPECT_GT(s.shadow_share(), 0.07);
  EXPECT_LT(s.shadow_share(), 0.14);
  const uint64_t without = storage(divergence_kind::dpe, path_scoreboard::drain, 3).scoreboard_bits;
  EXPECT_EQ(s.scoreboard_bits, without + s.shadow_bits);
  EXPECT_EQ(storage(divergence_kind::dpe, path_scoreboard::optimistic, 3).shadow_bits, 0u);
  EXPECT_EQ(storage(divergence_kind::stack, path_scoreboard::conservative, 3).shadow_bits, 0u);
}

TEST(path_storage, has_a_scoreboard_for_each_path_that_is_optimistic) {
  const uint64_t one = storage(divergence_kind::stack, path_scoreboard::drain, 3).scoreboard_bits;
  EXPECT_EQ(storage(divergence_kind::stack, path_scoreboard::optimistic, 3).scoreboard_bits, 4 * one);
  EXPECT_EQ(storage(divergence_kind::dpe, path_scoreboard::optimistic, 3).scoreboard_bits, 5 * one);
  EXPECT_EQ(storage(divergence_kind::dws_table, path_scoreboard::optimistic, 0, 7).scoreboard_bits, 7 * one);
}

TEST(path_storage, has_pc_and_mask_of_each_warp_split) {
  const path_storage s = storage(divergence_kind::dws_table, path_scoreboard::optimistic, 1, 64);
  EXPECT_EQ(s.table_bits, 64u * (48 + 64) + 48);
  EXPECT_EQ(s.paths_kept, 64u);
}

}  // namespace
}  // namespace pws::test::path_storage_test
