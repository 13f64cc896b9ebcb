// SPDX-License-Identifier: Apache-2.0
// The scheduler's compare: the same for every level of processors.
#include "models/compute_unit/due_contexts.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace pws::test::due_contexts_test {
namespace {

using models::cycle_t;
using models::due_contexts;
using models::never;

struct lists {
  alignas(64) std::array<cycle_t, 64> ready, fetch;
};

// Each function that runs on this processor.
std::vector<std::pair<const char*, models::find_due>> functions() {
  std::vector<std::pair<const char*, models::find_due>> all{{"by_number", models::find_due_by_number},
                                                            {"here", models::find_due_here()}};
  if (__builtin_cpu_supports("avx2")) all.emplace_back("by_4", models::find_due_by_4);
  if (__builtin_cpu_supports("avx512f")) all.emplace_back("by_8", models::find_due_by_8);
  return all;
}

void expect_right(const lists& l, uint32_t n, cycle_t now) {
  due_contexts right;
  for (uint32_t k = 0; k < n; ++k) {
    const uint64_t bit = uint64_t{1} << k;
    if (l.ready[k] <= now)
      right.ready |= bit;
    else
      right.next = std::min(right.next, l.ready[k]);
    if (l.fetch[k] <= now)
      right.fetch_due |= bit;
    else
      right.next = std::min(right.next, l.fetch[k]);
  }
  for (const auto& [name, find] : functions()) {
    const due_contexts d = find(l.ready.data(), l.fetch.data(), n, now);
    EXPECT_EQ(d.ready, right.ready) << name << ", " << n << " at " << now;
    EXPECT_EQ(d.fetch_due, right.fetch_due) << name << ", " << n << " at " << now;
    EXPECT_EQ(d.next, right.next) << name << ", " << n << " at " << now;
  }
}

TEST(due_contexts, of_any_number_of_contexts) {
  std::mt19937_64 random(1);
  for (uint32_t n = 1; n <= 64; ++n)
    for (int k = 0; k < 50; ++k) {
      lists l;
      for (auto* of : {&l.ready, &l.fetch})
        for (cycle_t& c : *of) c = random() % 4 == 0 ? never : 1000 + random() % 8;
      expect_right(l, n, 1000 + random() % 8);
    }
}

// Cycles around the sign and at both ends; and all, or none, have come.
TEST(due_contexts, at_the_ends) {
  const cycle_t half = cycle_t{1} << 63;
  for (const cycle_t c : {cycle_t{0}, cycle_t{1}, half - 1, half, half + 1, never - 1, never})
    for (const cycle_t now : {cycle_t{0}, cycle_t{1}, half - 1, half, half + 1, never - 1})
      for (const uint32_t n : {1U, 7U, 8U, 10U, 63U, 64U}) {
        lists l;
        l.ready.fill(c);
        l.fetch.fill(never);
        expect_right(l, n, now);
        std::swap(l.ready, l.fetch);
        expect_right(l, n, now);
        l.ready.fill(0);  // what stands behind the first n is due, and does not matter
        l.fetch.fill(0);
        std::fill_n(l.ready.begin(), n, c);
        std::fill_n(l.fetch.begin(), n, never);
        expect_right(l, n, now);
      }
}

TEST(due_contexts, every_level_has_one) {
  for (const char* level : {"x86-64", "x86-64-v3", "x86-64-v4"}) EXPECT_NE(models::find_due_of(level), nullptr);
  EXPECT_EQ(models::find_due_of("x86-64-v9"), nullptr);
}

}  // namespace
}  // namespace pws::test::due_contexts_test
