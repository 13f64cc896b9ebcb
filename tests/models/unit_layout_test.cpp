// SPDX-License-Identifier: Apache-2.0
// Where units stand in a compute unit's list, both ways.
#include <gtest/gtest.h>

#include <set>

#include "models/machine/ids.h"

namespace pws::test::unit_layout_test {
namespace {

using models::simd_id;
using models::swf_number;
using models::unit_id;
using models::unit_layout;

TEST(unit_layout, every_unit_has_a_place_of_its_own) {
  for (const uint32_t simds : {1u, 2u, 3u, 16u})
    for (const uint32_t spsimds : {0u, 1u, 2u, 63u}) {
      const unit_layout l{simds, spsimds};
      std::set<uint32_t> places;
      for (uint32_t s = 0; s < simds; ++s)
        for (uint32_t k = 0; k <= spsimds; ++k) {
          const swf_number n = k == 0 ? swf_number::simd_unit() : swf_number::spsimd_unit(k - 1);
          const unit_id u = l.unit(simd_id(s), n);
          EXPECT_LT(u.value, l.count());
          EXPECT_TRUE(places.insert(u.value).second) << simds << " x " << spsimds;
          EXPECT_EQ(l.simd_of(u), simd_id(s));
          EXPECT_EQ(l.number_of(u), n);
          EXPECT_EQ(l.is_spsimd(u), k != 0);
        }
      EXPECT_EQ(places.size(), l.count());
    }
}

// The order that waveform, debug window and reports count on: the SIMD units, then the SpSIMD units of the first.
TEST(unit_layout, simd_units_come_first) {
  const unit_layout l{4, 3};
  EXPECT_EQ(l.unit(simd_id(3), swf_number::simd_unit()).value, 3u);
  EXPECT_EQ(l.unit(simd_id(0), swf_number::spsimd_unit(0)).value, 4u);
  EXPECT_EQ(l.unit(simd_id(0), swf_number::spsimd_unit(2)).value, 6u);
  EXPECT_EQ(l.unit(simd_id(1), swf_number::spsimd_unit(0)).value, 7u);
  EXPECT_EQ(l.unit(simd_id(3), swf_number::spsimd_unit(2)).value, 15u);
  EXPECT_EQ(swf_number::simd_unit().value(), 1u);
  EXPECT_EQ(swf_number::spsimd_unit(0).value(), 2u) << "SpSIMDIDs begin with 2";
}

}  // namespace
}  // namespace pws::test::unit_layout_test
