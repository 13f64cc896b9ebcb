// SPDX-License-Identifier: Apache-2.0
// Which merge closes a split, and how long the block behind it is, by code of directed shapes.
#include "models/divergence/code_blocks.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/models/code_words.h"

namespace pws::test::code_blocks_test {
namespace {

// The block behind the split at the dword `at`.
uint32_t behind(const std::vector<uint32_t>& words, unsigned at = 0) {
  isa::program code(words.data(), 0, words.size());
  return models::code_blocks(code).length_behind(at * 4);
}

TEST(code_blocks, count_to_the_next_branch_or_end_which_count) {
  EXPECT_EQ(behind({split, merge, s_endpgm}), 1u);
  EXPECT_EQ(behind({split, merge, s_nop, s_nop, s_endpgm}), 3u);
  EXPECT_EQ(behind({split, merge, s_nop, s_cbranch(1), s_nop, s_endpgm}), 2u);
}

TEST(code_blocks, end_before_a_branch_target_a_split_and_a_merge) {
  EXPECT_EQ(behind({split, merge, s_nop, s_nop, s_nop, s_cbranch(-2), s_endpgm}), 2u);
  EXPECT_EQ(behind({split, merge, s_nop, split, s_nop, merge, s_endpgm}), 1u);
  EXPECT_EQ(behind({split, split, merge, merge, s_endpgm}, 1), 0u);
}

TEST(code_blocks, begin_behind_the_merge_even_where_that_is_a_branch_target) {
  EXPECT_EQ(behind({split, s_cbranch(1), merge, s_nop, s_endpgm}), 2u);
}

TEST(code_blocks, have_the_merge_of_their_own_split) {
  const std::vector<uint32_t> nested{split, s_nop, split, s_nop, merge, s_nop, merge, s_nop, s_nop, s_endpgm};
  EXPECT_EQ(behind(nested, 0), 3u);
  EXPECT_EQ(behind(nested, 2), 1u);
}

TEST(code_blocks, are_found_on_either_way_and_through_loops) {
  EXPECT_EQ(behind({split, s_cbranch(1), s_endpgm, merge, s_endpgm}), 1u);
  EXPECT_EQ(behind({split, s_nop, s_cbranch(-2), merge, s_nop, s_endpgm}), 2u);
  EXPECT_EQ(behind({split, s_branch(1), s_endpgm, merge, s_endpgm}), 1u);
}

TEST(code_blocks, are_empty_without_a_merge) {
  EXPECT_EQ(behind({split, s_nop, s_endpgm}), 0u);
  EXPECT_EQ(behind({split, s_branch(-1), s_endpgm}), 0u);
  EXPECT_EQ(behind({split, s_nop}), 0u);
  EXPECT_EQ(behind({split, s_branch(100), s_endpgm}), 0u);
  EXPECT_EQ(behind({split, merge}), 0u);
  EXPECT_EQ(behind({split, s_nop, split, s_cbranch(-3), s_endpgm}), 0u) << "a loop that opens more and more";
}

TEST(code_blocks, pass_over_what_cannot_be_decoded) {
  EXPECT_EQ(behind({split, s_cbranch(1), undecodable, merge, s_nop, s_endpgm}), 2u);
  EXPECT_EQ(behind({split, undecodable, merge, s_endpgm}), 0u);
  EXPECT_EQ(behind({split, merge, s_nop, undecodable}), 1u);
}

}  // namespace
}  // namespace pws::test::code_blocks_test
