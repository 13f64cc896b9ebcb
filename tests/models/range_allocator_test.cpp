// SPDX-License-Identifier: Apache-2.0
// The first-fit allocator against one that looks at every unit.
#include "models/context/range_allocator.h"

#include <gtest/gtest.h>

#include <random>

namespace pws::test::range_allocator_test {
namespace {

using models::range_allocator;

class unit_by_unit {
 public:
  unit_by_unit(uint32_t size, uint32_t granule) : granule_(granule), used_(size / granule) {}
  std::optional<uint32_t> allocate(uint32_t count) {
    const uint32_t need = (count + granule_ - 1) / granule_;
    for (uint32_t first = 0; first + need <= used_.size(); ++first) {
      uint32_t n = 0;
      while (n < need && !used_[first + n]) ++n;
      if (n != need) continue;
      for (uint32_t k = 0; k < need; ++k) used_[first + k] = true;
      return first * granule_;
    }
    return std::nullopt;
  }
  void release(uint32_t first, uint32_t count) {
    for (uint32_t k = 0; k < (count + granule_ - 1) / granule_; ++k) used_[first / granule_ + k] = false;
  }
  uint32_t room(uint32_t count, uint32_t limit) const {
    unit_by_unit trial = *this;
    uint32_t n = 0;
    while (n < limit && trial.allocate(count)) ++n;
    return n;
  }

 private:
  uint32_t granule_;
  std::vector<bool> used_;
};

struct block {
  uint32_t first, count;
};

TEST(range_allocator, hands_out_the_first_run_that_is_long_enough) {
  std::mt19937_64 random(1);
  const auto below = [&](uint64_t n) { return static_cast<uint32_t>(random() % n); };
  for (int sequence = 0; sequence < 200; ++sequence) {
    const uint32_t granule = 1 + below(8), size = below(300), longest = 1 + below(60);
    range_allocator a(size, granule);
    unit_by_unit reference(size, granule);
    std::vector<block> held;
    for (int step = 0; step < 200; ++step) {
      if (below(5) < 3) {
        const uint32_t count = 1 + below(longest);
        const std::optional<uint32_t> got = a.allocate(count);
        ASSERT_EQ(got, reference.allocate(count)) << "sequence " << sequence << " step " << step;
        if (got) held.push_back({*got, count});
      } else if (!held.empty()) {
        std::swap(held[below(held.size())], held.back());
        a.release(held.back().first, held.back().count);
        reference.release(held.back().first, held.back().count);
        held.pop_back();
      }
      const uint32_t count = 1 + below(longest), limit = below(12);
      ASSERT_EQ(a.room(count, limit), reference.room(count, limit)) << "sequence " << sequence << " step " << step;
    }
    for (const block& b : held) a.release(b.first, b.count);
    const uint32_t all = size / granule * granule;
    EXPECT_EQ(a.room(1, all), size / granule) << "sequence " << sequence << ": not all of it is free again";
    EXPECT_EQ(a.allocate(all), 0u) << "sequence " << sequence << ": free, but in pieces";
  }
}

TEST(range_allocator, nothing_always_fits) {
  range_allocator a(8, 4), none(0, 4);
  EXPECT_EQ(a.room(0, 5), 5u);
  EXPECT_EQ(a.allocate(8), 0u);
  EXPECT_EQ(a.allocate(0), 0u);
  a.release(0, 0);
  EXPECT_EQ(a.room(1, 5), 0u);
  EXPECT_EQ(a.allocate(1), std::nullopt);
  EXPECT_EQ(none.room(0, 5), 5u);
  EXPECT_EQ(none.allocate(1), std::nullopt);
}

}  // namespace
}  // namespace pws::test::range_allocator_test
