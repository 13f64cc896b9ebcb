// SPDX-License-Identifier: Apache-2.0
// In how few places lanes' values are: what is said of results against values that lanes really have, at the places
// where numbers wrap around and where their order is cut, and the number of lines against every placement.
#include "sw/wcet/lanes/lane_cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sw/wcet/lanes/lane_state.h"
#include "tests/wcet/concretisation.h"
#include "tests/wcet/lane_random.h"

namespace pws::test::lane_cover_test {
namespace {

using wcet::cover_size;

constexpr uint64_t all = ~uint64_t{0};
constexpr uint32_t top = uint32_t{1} << 31;

row_words each(uint32_t first, uint32_t step) {
  row_words w;
  for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = first + step * l;
  return w;
}
template <class F>
row_words each_of(const row_words& v, F f) {
  row_words w;
  for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = f(v[l]);
  return w;
}

// Lane by lane one more, from an unknown number on.
lane_value run(uint32_t step = 1) {
  return {word_set::any(), {}, each(0, step)};
}
// Numbers of which nothing is known but that they have such a cover.
lane_value somewhere(uint32_t arcs, uint64_t total) {
  return lane_value::unknown().with_cover(lane_cover::of(arcs, total));
}
bool implies(const lane_value& v, uint32_t arcs, uint64_t total) {
  return v.cover().implies({arcs, total});
}

TEST(lane_cover, sizes_that_another_one_implies_are_left_out) {
  lane_cover c = lane_cover::of(4, 100);
  c.add({4, 200});
  c.add({5, 100});
  EXPECT_EQ(c.sizes().size(), 1u);
  c.add({2, 300});
  c.add({8, 0});
  EXPECT_EQ(c.sizes().size(), 3u);
  EXPECT_EQ(c.points(), 8u);
  c.add({1, 90});
  EXPECT_EQ(c.sizes().size(), 2u);
  c.add({64, 0});  // every wavefront has that
  EXPECT_EQ(c.points(), 8u);
  EXPECT_TRUE(lane_cover::of(1, lane_cover::most_total + 1).empty());
  lane_cover many;
  for (uint32_t k = 1; k < 20; ++k) many.add({k, 100 - 5 * k});
  EXPECT_LE(many.sizes().size(), lane_cover::most_sizes);
  EXPECT_TRUE(many.implies({1, 95}) && many.implies({19, 5}));
}

TEST(lane_cover, numbers_in_arcs_on_the_circle) {
  EXPECT_TRUE(is_covered({}, 0xffffffff, {0, 0}));
  EXPECT_TRUE(is_covered({7}, 0xffffffff, {1, 0}));
  EXPECT_FALSE(is_covered({7, 8}, 0xffffffff, {1, 0}));
  EXPECT_TRUE(is_covered({0xffffffff, 0}, 0xffffffff, {1, 1}));  // across 2^32
  EXPECT_FALSE(is_covered({0xffffffff, 0}, ~uint64_t{0}, {1, 1}));
  EXPECT_TRUE(is_covered({1, 5, 100, 103}, 0xffffffff, {2, 7}));
  EXPECT_FALSE(is_covered({1, 5, 100, 103}, 0xffffffff, {2, 6}));
  EXPECT_TRUE(is_covered({1, 5, 100, 103}, 0xffffffff, {3, 3}));
}

TEST(lane_cover, of_patterns) {
  EXPECT_TRUE(implies(run(4), 1, 252));
  EXPECT_FALSE(implies(run(4), 1, 251));
  row_words tile;
  for (unsigned l = 0; l < lanes_per_wave; ++l) tile[l] = l % 16 + l / 16 * 1000;
  const lane_value rows(word_set::any(), {}, tile);
  EXPECT_TRUE(implies(rows, 4, 60) && implies(rows, 1, 3015));
  EXPECT_FALSE(implies(rows, 4, 59) || implies(rows, 3, 1000));
  EXPECT_TRUE(implies(lane_value::each_of(word_set::range(10, 29)), 1, 19));
  EXPECT_TRUE(implies(lane_value::each_of(word_set::range(10, 29)), 20, 0));
  EXPECT_TRUE(lane_value::unknown().cover().empty());
  // Two bases, each with its lanes side by side.
  lane_numbers halves;
  for (unsigned l = 0; l < lanes_per_wave; ++l) halves[l] = l / 32;
  const lane_value two(word_set::any(), lane_relation::by_keys(halves, 64), each(0, 1));
  EXPECT_TRUE(implies(two, 2, 62));
  EXPECT_FALSE(implies(two, 1, 63) || implies(two, 2, 61));
}

// A clamp to signed bounds, of each number that the first lane may have near where the order is cut.
TEST(lane_cover, clamp) {
  const auto turned = [](const lane_value& v) { return v + lane_value::constant(top); };
  for (const auto& [low, high] :
       {std::pair<int32_t, int32_t>{0, 31}, {31, 0}, {-5, 5}, {7, 7}, {INT32_MIN, INT32_MAX}}) {
    const auto constant = [](int32_t c) { return lane_value::constant(static_cast<uint32_t>(c)); };
    const lane_value clamped = turned(median(turned(run()), turned(constant(low)), turned(constant(high))));
    const lane_value in_order =
        turned(larger(turned(turned(smaller(turned(run()), turned(constant(high))))), turned(constant(low))));
    EXPECT_TRUE(implies(clamped, 2, 63));
    // (Between the two it is not known any more where the order is cut.)
    EXPECT_TRUE(implies(in_order, 3, 63)) << low << " " << high;
    for (uint32_t first :
         {0u, 1u, 40u, top - 70, top - 64, top - 63, top - 10, top - 1, top, top + 1, 0 - 70u, 0 - 40u, 0 - 1u}) {
      const row_words x = each(first, 1);
      EXPECT_TRUE(holds(clamped,
                        each_of(x,
                                [&, l = low, h = high](uint32_t v) {
                                  const auto s = static_cast<int32_t>(v);
                                  return static_cast<uint32_t>(std::max(std::min(l, h), std::min(s, std::max(l, h))));
                                }),
                        all))
          << first;
      EXPECT_TRUE(holds(in_order,
                        each_of(x,
                                [&, l = low, h = high](uint32_t v) {
                                  return static_cast<uint32_t>(std::max(std::min(static_cast<int32_t>(v), h), l));
                                }),
                        all))
          << first;
    }
  }
  // Bounds that are not known: the lanes that they hold are one place.
  EXPECT_TRUE(implies(median(run(), {word_set::any()}, {word_set::any()}), 2, 63));
  // One that is another pattern is another place.
  EXPECT_FALSE(implies(smaller(run(), run(5)), 2, 63 + 5 * 63 - 1));
  EXPECT_TRUE(implies(smaller(run(), run(5)), 2, 63 + 5 * 63));
}

TEST(lane_cover, shifts_and_wrapping) {
  EXPECT_TRUE(implies(shifted_right(run(), 31), 2, 0));
  const lane_value quotient = shifted_right(somewhere(1, 63), 4);
  EXPECT_TRUE(implies(quotient, 2, 4 + 1));
  for (uint32_t first : {0u, 1u, 15u, 16u, 0 - 1u, 0 - 63u, 0 - 64u, top - 5})
    for (unsigned bits : {1u, 4u, 5u, 31u}) {
      const row_words x = each(first, 1);
      EXPECT_TRUE(holds(shifted_right(somewhere(1, 63), bits), each_of(x, [&](uint32_t v) { return v >> bits; }), all));
      EXPECT_TRUE(holds(shifted_right_signed(somewhere(1, 63), bits),
                        each_of(x, [&](uint32_t v) { return static_cast<uint32_t>(static_cast<int32_t>(v) >> bits); }),
                        all));
      EXPECT_TRUE(holds(shifted_left(somewhere(1, 63), bits), each_of(x, [&](uint32_t v) { return v << bits; }), all));
      const uint32_t low = low_bits_mask(bits);
      EXPECT_TRUE(
          holds((somewhere(1, 63) & lane_value::constant(low)), each_of(x, [&](uint32_t v) { return v & low; }), all));
      EXPECT_TRUE(holds((somewhere(1, 63) & lane_value::constant(~low)),
                        each_of(x, [&](uint32_t v) { return v & ~low; }), all));
    }
  EXPECT_TRUE(implies(somewhere(3, 60) * lane_value::constant(0 - 4u), 3, 240));  // downwards
  EXPECT_FALSE(implies(somewhere(3, 60) * lane_value::constant(5), 3, 299));
  EXPECT_TRUE(implies(somewhere(3, 60) - lane_value(word_set::any()), 3, 60));
  EXPECT_TRUE(implies(somewhere(2, 10) + somewhere(3, 1), 6, 32));
  EXPECT_FALSE(implies(somewhere(2, 10) + somewhere(3, 1), 6, 31));
}

TEST(lane_cover, choices_and_paths) {
  const lane_value a = somewhere(2, 10), b = somewhere(3, 4);
  EXPECT_TRUE(implies(mixed(a, b), 5, 14));
  EXPECT_FALSE(implies(mixed(a, b), 4, 14) || implies(mixed(a, b), 5, 13));
  EXPECT_TRUE(implies(join(a, b), 3, 10));
  EXPECT_FALSE(implies(join(a, b), 2, 10) || implies(join(a, b), 3, 9));
  EXPECT_TRUE(implies(replaced(a, b, 0xff, all), 5, 14));
  EXPECT_FALSE(implies(replaced(a, b, 0xff, all), 4, 100));
  EXPECT_TRUE(mixed(a, lane_value::unknown()).cover().empty());
  EXPECT_TRUE(join(lane_value::unknown(), b).cover().empty());
  EXPECT_TRUE(implies(mixed(a, a), 4, 20));  // two of which no more is known than that
  EXPECT_FALSE(implies(mixed(a, a), 2, 10));
  // A loop whose places grow comes to an end.
  lane_value before = a;
  for (uint64_t round = 1; round < 4; ++round) before = widen(before, somewhere(2, 10 + round));
  EXPECT_FALSE(implies(before, 63, 0x7fffffff));
  EXPECT_TRUE(implies(widen(a, somewhere(1, 3)), 2, 10));
  EXPECT_TRUE(somewhere(1, 0) != somewhere(2, 0));
}

TEST(lane_cover, random_values_have_the_sizes_that_are_said) {
  unsigned few = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    random_source r(seed);
    // Some runs of numbers, anywhere; what is known of them is their size.
    const auto lanes = [&] {
      const uint32_t arcs = 1 + r.below(4);
      std::array<uint32_t, 4> first, width;
      uint64_t total = 0;
      for (uint32_t k = 0; k < arcs; ++k) {
        first[k] = r.number();
        width[k] = r.one_in(3) ? 0 : r.below(r.one_in(2) ? 8 : 100);
        total += width[k];
      }
      described d{somewhere(arcs, total), {}};
      for (uint32_t& w : d.concrete) {
        const uint32_t k = r.below(arcs);
        w = first[k] + r.below(width[k] + 1);
      }
      return d;
    };
    described a = lanes();
    for (unsigned step = 0; step < 5; ++step) {
      described b = lanes();
      if (r.one_in(2)) {
        b.value = lane_value(word_set::any());
        b.concrete.fill(r.number());
      }
      const uint32_t c = r.number(), bits = r.below(32);
      const auto with = [&](const lane_value& v, auto f) {
        a.value = v;
        for (unsigned l = 0; l < lanes_per_wave; ++l) a.concrete[l] = f(a.concrete[l], b.concrete[l]);
      };
      const uint32_t what = r.below(12);
      if (what == 0) with(a.value + b.value, [](uint32_t x, uint32_t y) { return x + y; });
      if (what == 1) with(a.value - b.value, [](uint32_t x, uint32_t y) { return x - y; });
      if (what == 2) with(a.value * lane_value::constant(c), [&](uint32_t x, uint32_t) { return x * c; });
      if (what == 3) with(smaller(a.value, b.value), [](uint32_t x, uint32_t y) { return std::min(x, y); });
      if (what == 4) with(larger(a.value, b.value), [](uint32_t x, uint32_t y) { return std::max(x, y); });
      if (what == 5) with(shifted_right(a.value, bits), [&](uint32_t x, uint32_t) { return x >> bits; });
      if (what == 6) with(shifted_left(a.value, bits), [&](uint32_t x, uint32_t) { return x << bits; });
      if (what == 7)
        with(a.value & lane_value::constant(low_bits_mask(bits)),
             [&](uint32_t x, uint32_t) { return x & low_bits_mask(bits); });
      if (what == 8)
        with(a.value & lane_value::constant(~low_bits_mask(bits)),
             [&](uint32_t x, uint32_t) { return x & ~low_bits_mask(bits); });
      if (what == 9) with(mixed(a.value, b.value), [&](uint32_t x, uint32_t y) { return r.one_in(2) ? x : y; });
      if (what == 10)
        with(shifted_right_signed(a.value, bits),
             [&](uint32_t x, uint32_t) { return static_cast<uint32_t>(static_cast<int32_t>(x) >> bits); });
      if (what == 11)
        with(median(a.value, b.value, lane_value::constant(c)),
             [&](uint32_t x, uint32_t y) { return std::max(std::min(x, y), std::min(std::max(x, y), c)); });
      ASSERT_TRUE(holds(a.value, a.concrete, all)) << "seed " << seed << " step " << step << " operation " << what;
      few += !a.value.cover().empty();
    }
  }
  EXPECT_GT(few, 8000u);
}

// Covers of addresses are joined too where two paths meet, and in a loop.
TEST(lane_cover, of_64_bits_where_paths_meet) {
  const auto state = [](uint32_t arcs, uint64_t total) {
    wcet::lane_state s(2, all, all);
    s.set_wide_cover(0, lane_cover::of(arcs, total));
    return s;
  };
  wcet::lane_state s = state(1, 5);
  EXPECT_TRUE(s.join_with(state(3, 2), false));
  EXPECT_EQ(s.wide_cover(0), lane_cover::of(3, 5));
  EXPECT_FALSE(s.join_with(state(2, 1), false));
  EXPECT_TRUE(s.join_with(state(3, 6), true));
  EXPECT_TRUE(s.wide_cover(0).empty());
  s = state(1, 5);
  s.set_vector(1, lane_value::unknown());
  EXPECT_TRUE(s.wide_cover(0).empty());
}

// All pairs of runs of accesses, at each place in two lines, against the lines that they touch.
TEST(lane_cover, lines_of_every_placement) {
  for (const uint32_t line : {16u, 64u})
    for (const uint32_t alignment : {1u, 4u, 8u, 128u})
      for (const uint32_t bytes : {1u, 4u, 8u, 16u})
        for (const uint32_t total :
             {0u, alignment, 3 * alignment, 60u / alignment * alignment, 64u / alignment * alignment}) {
          uint32_t most = 0;
          for (uint32_t width = 0; width <= total; width += alignment)
            for (uint32_t first = 0; first < line; first += alignment)
              for (uint32_t second = 0; second < line; second += alignment) {
                const auto lines = [&](uint32_t at, uint32_t w) { return (at + w + bytes - 1) / line - at / line + 1; };
                most = std::max(most, lines(first, width) + lines(second, total - width));
              }
          EXPECT_GE(lines_of(lane_cover::of(2, total), bytes, alignment, line), most)
              << line << " " << alignment << " " << bytes << " " << total;
          if (bytes <= alignment && alignment <= line) {
            EXPECT_EQ(lines_of(lane_cover::of(2, total), bytes, alignment, line), most);
          }
        }
  EXPECT_EQ(lines_of(lane_cover::of(1, 60), 4, 64, 64), 1u);
  EXPECT_EQ(lines_of(lane_cover::of(1, 60), 4, 4, 64), 2u);
  EXPECT_EQ(lines_of(lane_cover::of(4, 888), 4, 4, 64), 21u);
  EXPECT_EQ(lines_of(lane_cover::of(1, 1), 4, 1, 64), 2u);
  EXPECT_EQ(lines_of(lane_cover::of(5, 0), 4, 4, 64), 5u);
  EXPECT_EQ(lines_of(lane_cover{}, 4, 4, 64), UINT32_MAX);
}

}  // namespace
}  // namespace pws::test::lane_cover_test
