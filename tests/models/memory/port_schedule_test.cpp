// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "models/memory/interconnect.h"

namespace pws::test::port_schedule_test {
namespace {

using models::cycle_t;
using models::port_schedule;

TEST(port_schedule, one_after_the_other) {
  port_schedule p;
  EXPECT_EQ(p.reserve(10, 4, 0), 10u);
  EXPECT_EQ(p.reserve(10, 4, 0), 14u);
  EXPECT_EQ(p.reserve(13, 1, 0), 18u);
  EXPECT_EQ(p.reserve(19, 1, 0), 19u);
}

TEST(port_schedule, a_gap_is_used_if_it_is_long_enough) {
  port_schedule p;
  p.reserve(10, 2, 0);
  p.reserve(15, 2, 0);
  EXPECT_EQ(p.reserve(10, 4, 0), 17u) << "12 to 14 is too short";
  EXPECT_EQ(p.reserve(0, 3, 0), 0u);
  EXPECT_EQ(p.reserve(11, 3, 0), 12u);
  EXPECT_EQ(p.reserve(8, 2, 0), 8u);
  EXPECT_EQ(p.reserve(0, 5, 0), 3u);
  EXPECT_EQ(p.reserve(0, 1, 0), 21u);
}

TEST(port_schedule, from_cycle_0_on) {
  port_schedule p;
  EXPECT_EQ(p.reserve(0, 1, 0), 0u);
  EXPECT_EQ(p.reserve(0, 1, 0), 1u);
}

TEST(port_schedule, what_has_passed_is_forgotten) {
  port_schedule p;
  p.reserve(10, 4, 0);
  EXPECT_EQ(p.reserve(13, 1, 13), 14u) << "the port is taken up to and with cycle 14";
  EXPECT_EQ(p.reserve(15, 1, 15), 15u);
}

// Against a port that looks at each cycle.
TEST(port_schedule, random_use) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 r(seed);
    port_schedule p;
    std::vector<bool> taken(20000);
    cycle_t now = 0;
    for (int n = 0; n < 200; ++n) {
      now += r() % 6;
      const cycle_t ready = now + r() % 40, beats = 1 + r() % 5;
      cycle_t expected = ready;
      for (cycle_t at = expected; at < expected + beats; ++at)
        if (taken[at]) expected = at + 1;
      for (cycle_t at = expected; at < expected + beats; ++at) taken[at] = true;
      ASSERT_EQ(p.reserve(ready, beats, now), expected) << "seed " << seed << ", request " << n;
    }
  }
}

}  // namespace
}  // namespace pws::test::port_schedule_test
