// SPDX-License-Identifier: Apache-2.0
// Where variables are in LDS, and what of it is not known. debug.locals holds it against what kernels do.
#include "sw/loader/lds_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pws::loader::lds_layout_test {
namespace {

using testing::ElementsAre;

TEST(lds_layout, by_alignment_then_size_then_source) {
  EXPECT_THAT(layout_of({{4, 4}, {5, 1}, {24, 8}, {256, 4}, {256, 4}}).offsets, ElementsAre(544, 536, 512, 0, 256));
  EXPECT_EQ(layout_of({{4, 4}, {5, 1}, {24, 8}, {256, 4}, {256, 4}}).bytes, 552u);
  EXPECT_EQ(layout_of({}).bytes, 0u);
}

TEST(lds_layout, only_what_is_certain) {
  // Both are there, or one of two that are alike.
  EXPECT_THAT(lds_offsets({{256, 4}, {128, 4}}, 384), ElementsAre(0, 256));
  EXPECT_THAT(lds_offsets({{256, 4}, {256, 4}}, 256), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_THAT(lds_offsets({{256, 4}, {128, 4}}, 128), ElementsAre(std::nullopt, 0));
  EXPECT_THAT(lds_offsets({{256, 4}, {128, 4}}, 100), ElementsAre(std::nullopt, std::nullopt));
  // One of the first two, and the third behind it.
  EXPECT_THAT(lds_offsets({{64, 4}, {64, 4}, {32, 4}}, 96), ElementsAre(std::nullopt, std::nullopt, 64));
  EXPECT_THAT(lds_offsets({}, 0), ElementsAre());
  EXPECT_EQ(lds_offsets(std::vector<lds_variable>(13, {4, 4}), 52).front(), std::nullopt);
}

}  // namespace
}  // namespace pws::loader::lds_layout_test
