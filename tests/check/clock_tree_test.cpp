// SPDX-License-Identifier: Apache-2.0
#include "models/check/races/clock_tree.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pws::check::clock_tree_test {
namespace {

TEST(clock_tree, knows_nothing_at_first) {
  const clock_tree t;
  EXPECT_EQ(t.of(0), 0u);
  EXPECT_EQ(t.of(0xfffffffe), 0u);
  EXPECT_TRUE(t.covers(t));
}

TEST(clock_tree, any_number_and_any_time) {
  clock_tree t;
  for (const uint32_t number : {0u, 1u, 15u, 16u, 255u, 256u, 0x10000u, 0x7fffffffu, 0x80000000u, 0xfffffffeu}) {
    EXPECT_EQ(t.of(number), 0u) << number;
    t.raise(number, 0xffffffff);
    EXPECT_EQ(t.of(number), 0xffffffffu) << number;
    t.raise(number, 7);
    EXPECT_EQ(t.of(number), 0xffffffffu) << number;
  }
  EXPECT_EQ(t.of(2), 0u);
  EXPECT_EQ(t.of(0xfffffffd), 0u);
}

TEST(clock_tree, a_copy_stays_as_it_was) {
  clock_tree a;
  for (uint32_t k = 0; k < 1000; ++k) a.raise(k, 1);
  const clock_tree b = a;
  for (uint32_t k = 0; k < 1000; k += 3) a.raise(k, 2);
  clock_tree c = b;
  c.raise(a);
  for (uint32_t k = 0; k < 1000; ++k) {
    EXPECT_EQ(b.of(k), 1u);
    EXPECT_EQ(c.of(k), a.of(k));
  }
  EXPECT_TRUE(a.covers(b) && a.covers(c) && c.covers(a));
  EXPECT_FALSE(b.covers(a));
}

TEST(clock_tree, all_but_one_number) {
  clock_tree a, b;
  for (uint32_t k = 0; k < 600; ++k) {
    a.raise(k, 5);
    b.raise(k, 4);
  }
  for (const uint32_t number : {0u, 15u, 16u, 255u, 256u, 599u, 600u, 5000u, 0x80000000u}) {
    clock_tree more = b;
    more.raise(number, 6);
    EXPECT_FALSE(a.covers(more)) << number;
    EXPECT_TRUE(a.covers(more, number)) << number;
    EXPECT_FALSE(a.covers(more, number == 0 ? 1 : number - 1)) << number;
    more.raise(number + 1, 6);
    EXPECT_FALSE(a.covers(more, number)) << number;
  }
  EXPECT_FALSE(clock_tree().covers(b, 3));
}

// Against a table, in programs of a few trees that learn from each other.
TEST(clock_tree, is_what_a_table_is) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](uint32_t n) { return static_cast<uint32_t>(random() % n); };
    const uint32_t numbers = seed % 3 == 0 ? 20 : seed % 3 == 1 ? 300 : 70000, times = 1 + seed % 5;
    std::vector<clock_tree> trees(4);
    std::vector<std::map<uint32_t, uint32_t>> tables(4);
    for (unsigned step = 0; step < 300; ++step) {
      const uint32_t x = below(4), y = below(4);
      if (const uint32_t what = below(10); what < 6) {
        const uint32_t first = below(numbers), n = what == 0 ? below(100) : 1, time = 1 + below(times);
        for (uint32_t k = first; k < first + n; ++k) {
          trees[x].raise(k, time);
          tables[x][k] = std::max(tables[x][k], time);
        }
      } else if (what < 8) {
        trees[x].raise(trees[y]);
        for (const auto& [k, time] : std::map<uint32_t, uint32_t>(tables[y]))
          tables[x][k] = std::max(tables[x][k], time);
      } else {
        trees[x] = trees[y];
        tables[x] = tables[y];
      }
      std::vector<uint32_t> more;
      for (const auto& [k, time] : tables[y])
        if (const auto at = tables[x].find(k); time > (at == tables[x].end() ? 0 : at->second)) more.push_back(k);
      ASSERT_EQ(trees[x].covers(trees[y]), more.empty()) << seed << " " << step;
      const uint32_t except = more.empty() ? below(numbers) : more[below(static_cast<uint32_t>(more.size()))];
      ASSERT_EQ(trees[x].covers(trees[y], except), more.size() <= (more.empty() ? 0 : 1)) << seed << " " << step;
      for (const auto& [k, time] : tables[x]) ASSERT_EQ(trees[x].of(k), time) << seed << " " << step;
    }
  }
}

// What is common to two trees is not looked at.
TEST(clock_tree, costs_what_differs) {
  for (const uint32_t n : {1000u, 100'000u}) {
    clock_tree a;
    for (uint32_t k = 0; k < n; ++k) a.raise(k, 1 + k % 7);
    clock_tree b = a, c = a;
    b.raise(n / 2, 9);
    c.raise(n / 3, 9);
    const uint64_t before = clock_tree::visited();
    EXPECT_TRUE(b.covers(a));
    EXPECT_FALSE(a.covers(b));
    b.raise(c);
    EXPECT_EQ(b.of(n / 3), 9u);
    EXPECT_EQ(b.of(n / 2), 9u);
    EXPECT_LE(clock_tree::visited() - before, 300u) << n;
  }
}

}  // namespace
}  // namespace pws::check::clock_tree_test
