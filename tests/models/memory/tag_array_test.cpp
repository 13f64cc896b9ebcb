// SPDX-License-Identifier: Apache-2.0
#include "models/memory/tag_array.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace pws::test::tag_array_test {
namespace {

using models::cache_config;
using models::tag_array;

// 1 KiB: 16 lines.
cache_config with_ways(uint32_t ways) {
  return {1, ways, 64, 1, 1};
}

uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

TEST(tag_array, is_empty_at_first) {
  tag_array t(with_ways(2));
  for (const uint64_t line : {uint64_t{0}, uint64_t{1}, tag_array::invalid - 1}) EXPECT_EQ(t.find(line), nullptr);
}

TEST(tag_array, empty_places_go_first) {
  tag_array t(with_ways(4));
  for (uint64_t n = 0; n < 4; ++n) EXPECT_EQ(t.replace(n * 4, true).line, tag_array::invalid);
  EXPECT_EQ(t.replace(16, false).line, 0u);
  t.invalidate(8);
  EXPECT_EQ(t.replace(20, false).line, tag_array::invalid);
  EXPECT_EQ(t.replace(24, false).line, 4u);
}

TEST(tag_array, returns_what_was_there) {
  tag_array t(with_ways(1));
  t.replace(3, true);
  t.replace(4, false);
  const tag_array::entry old = t.replace(3 + 16, false);
  EXPECT_EQ(old.line, 3u);
  EXPECT_TRUE(old.dirty);
  EXPECT_FALSE(t.replace(3, true).dirty);
  EXPECT_FALSE(t.find(4)->dirty);
  EXPECT_TRUE(t.find(3)->dirty);
}

TEST(tag_array, one_set_with_all_lines) {
  tag_array t(with_ways(16));
  for (uint64_t n = 0; n < 16; ++n) t.replace(n * 1000, false);
  t.find(0);
  EXPECT_EQ(t.replace(1, false).line, 1000u);
}

TEST(tag_array, invalidation_of_one_and_of_all) {
  tag_array t(with_ways(2));
  t.replace(1, true);
  t.replace(2, true);
  t.invalidate(3);
  t.invalidate(1);
  EXPECT_EQ(t.find(1), nullptr);
  EXPECT_NE(t.find(2), nullptr);
  t.invalidate_all();
  EXPECT_EQ(t.find(2), nullptr);
  EXPECT_FALSE(t.replace(2, false).dirty) << "dropped, not written back";
  t.replace(4, true);
  EXPECT_EQ(t.replace(6, false).line, tag_array::invalid) << "two places were empty";
  t.invalidate_all();
  EXPECT_EQ(t.replace(8, false).line, tag_array::invalid) << "dropped twice";
}

// Nothing but the sets that lines were in takes the host's memory.
TEST(tag_array, a_large_one_costs_what_is_used) {
  cache_config large = with_ways(16);
  large.size_kib = 65536;
  large.line_bytes = 16;  // 4 Mi entries
  std::vector<std::unique_ptr<tag_array>> all;
  const uint64_t before = resident_bytes();
  for (int n = 0; n < 256; ++n) {
    all.push_back(std::make_unique<tag_array>(large));
    all.back()->replace(5, true);
    all.back()->invalidate_all();
  }
  EXPECT_LT(resident_bytes() - before, 64u << 20);
}

TEST(tag_array, sets_of_interleaved_lines) {
  tag_array t(with_ways(1), 4);
  for (uint64_t n = 0; n < 16; ++n) EXPECT_EQ(t.replace(n * 4 + 3, false).line, tag_array::invalid);
  EXPECT_EQ(t.replace(16 * 4 + 3, false).line, 3u);
}

// Against lists, most recently used first.
TEST(tag_array, random_use) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 r(seed);
    const uint32_t ways = 1u << r() % 5, interleave = r() % 2 == 0 ? 1 : 3, sets = 16 / ways;
    tag_array t(with_ways(ways), interleave);
    std::map<uint64_t, std::list<uint64_t>> reference;
    for (int n = 0; n < 400; ++n) {
      const uint64_t line = r() % 40 * interleave;
      std::list<uint64_t>& set = reference[line / interleave % sets];
      const auto present = std::find(set.begin(), set.end(), line);
      if (r() % 10 == 0) {
        t.invalidate(line);
        set.remove(line);
        continue;
      }
      ASSERT_EQ(t.find(line) != nullptr, present != set.end()) << "seed " << seed;
      if (present != set.end()) {
        set.splice(set.begin(), set, present);
        continue;
      }
      const uint64_t old = t.replace(line, false).line;
      set.push_front(line);
      if (set.size() <= ways) {
        ASSERT_EQ(old, tag_array::invalid) << "seed " << seed;
      } else {
        ASSERT_EQ(old, set.back()) << "seed " << seed;
        set.pop_back();
      }
    }
  }
}

}  // namespace
}  // namespace pws::test::tag_array_test
