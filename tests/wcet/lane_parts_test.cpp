// SPDX-License-Identifier: Apache-2.0
// Registers that are written part by part of the lanes: what is known of a part stays while another part's lanes get
// something that nothing is known of, and holds for no other lanes.
#include <gtest/gtest.h>

#include "sw/wcet/lanes/lane_state.h"
#include "tests/wcet/concretisation.h"
#include "tests/wcet/lane_random.h"

namespace pws::test::lane_parts_test {
namespace {

using wcet::lane_mask;
using wcet::lane_state;

constexpr uint64_t all = ~uint64_t{0};
constexpr uint64_t low_half = 0xffffffff, high_half = ~low_half, odd = 0xaaaaaaaaaaaaaaaa;
constexpr unsigned saved = 1, pair = 20;

row_words each(uint32_t first, uint32_t step) {
  row_words w;
  for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = first + step * l;
  return w;
}
row_words but_lane(row_words w, unsigned lane, uint32_t value) {
  w[lane] = value;
  return w;
}

// A wavefront with all lanes, whose EXEC has been saved.
class parts {
 public:
  parts() : s(4, all, all) { s.save_exec(saved); }
  parts& exec(uint64_t lanes) {
    s.set_scalar(pair, word_set::constant(static_cast<uint32_t>(lanes)));
    s.set_scalar(pair + 1, word_set::constant(static_cast<uint32_t>(lanes >> 32)));
    s.set_exec(s.mask(pair));
    return *this;
  }
  parts& write(uint64_t lanes, const lane_value& v) {
    exec(lanes);
    s.set_vector(0, v);
    return *this;
  }
  // What is known of the register where those lanes are active.
  lane_value in(uint64_t lanes) const {
    parts copy = *this;
    copy.exec(0).exec(lanes);  // from what is kept of the lanes, not from what the active ones knew
    return copy.s.vector(0);
  }
  lane_state s;
};

const lane_value numbers = lane_value::of_lanes(each(100, 4));
// A number that all lanes share, and each lane's own beside it.
const lane_value run{word_set::any(), {}, each(0, 4)};

TEST(lane_parts, numbers_of_all_parts_are_numbers) {
  parts p;
  p.write(low_half, numbers).write(high_half, lane_value::of_lanes(each(7, 1)));
  ASSERT_TRUE(p.in(all).is_known());
  EXPECT_EQ(p.in(all).in_lane(31), word_set::constant(100 + 4 * 31));
  EXPECT_EQ(p.in(all).in_lane(32), word_set::constant(7 + 32));
}

TEST(lane_parts, one_part_is_known_while_the_others_hold_anything) {
  parts p;
  p.write(high_half, numbers).write(low_half, lane_value::unknown());
  EXPECT_TRUE(p.in(high_half).is_known());
  EXPECT_TRUE(p.in(high_half & odd).is_known());
  EXPECT_TRUE(holds(p.in(all), but_lane(each(100, 4), 3, 12345), all)) << "lane 3 may hold anything";
  EXPECT_TRUE(holds(p.in(uint64_t{1} << 31), but_lane(each(100, 4), 31, 12345), uint64_t{1} << 31));
  // And then these are numbers too.
  p.write(low_half, numbers);
  EXPECT_TRUE(p.in(all).is_known());
}

TEST(lane_parts, every_write_takes_its_lanes_out) {
  parts p;
  p.write(all, numbers).write(odd, lane_value::unknown()).write(3, lane_value::each_of(word_set::any()));
  EXPECT_TRUE(p.in(~odd & ~uint64_t{3}).is_known());
  for (const unsigned lane : {0u, 1u, 3u, 63u})
    EXPECT_TRUE(holds(p.in(all), but_lane(each(100, 4), lane, 1), all)) << lane;
  p.write(all, lane_value::unknown());
  EXPECT_TRUE(holds(p.in(uint64_t{1} << 2), each(5, 5), uint64_t{1} << 2));
}

// Where nothing was known before, the part alone is known, in its own words: the same sum on both sides of a branch.
TEST(lane_parts, sums_with_an_unknown_number) {
  parts p;
  p.write(low_half, run).write(high_half, run);
  EXPECT_LE(p.in(all).relation().classes, 2u);
  EXPECT_FALSE(p.in(all).is_unknown());
  EXPECT_EQ(p.in(low_half).relation().of[0], p.in(low_half).relation().of[31]);
  // The two numbers need not be one.
  row_words two = each(1000, 4);
  for (unsigned l = 32; l < lanes_per_wave; ++l) two[l] = 77 + 4 * l;
  EXPECT_TRUE(holds(p.in(all), two, all));
  p.write(high_half, lane_value::unknown());
  EXPECT_EQ(p.in(low_half).relation().of[0], p.in(low_half).relation().of[31]);
  EXPECT_TRUE(holds(p.in(all), but_lane(two, 40, 3), all));
}

// A write by lanes that are not known may be in any of them.
TEST(lane_parts, lanes_that_are_not_known) {
  parts p;
  p.write(high_half, numbers).write(low_half, lane_value::unknown());
  p.exec(all);
  p.s.set_exec(p.s.unknown_mask());
  ASSERT_FALSE(p.s.exec_number().has_value());
  p.s.set_vector(0, lane_value::unknown());
  EXPECT_TRUE(holds(p.in(high_half), each(9, 9), high_half));
}

TEST(lane_parts, paths_that_meet_know_what_both_know) {
  parts a, b;
  a.write(high_half, numbers).write(low_half, lane_value::unknown()).exec(all);
  b.write(odd, numbers).write(~odd, lane_value::unknown()).exec(all);
  parts met = a;
  EXPECT_TRUE(met.s.join_with(b.s, false));
  EXPECT_TRUE(holds(met.in(high_half & odd), each(100, 4), high_half & odd));
  for (const unsigned lane : {0u, 1u, 32u, 62u})
    EXPECT_TRUE(holds(met.in(all), but_lane(each(100, 4), lane, 1), all)) << lane;
  const uint64_t lane_1 = 2, lane_62 = uint64_t{1} << 62;  // of one state's lanes alone
  EXPECT_TRUE(holds(met.in(lane_62), each(1, 1), lane_62));
  EXPECT_TRUE(holds(met.in(lane_1), each(1, 1), lane_1));
  EXPECT_FALSE(met.s.join_with(b.s, false)) << "nothing new";
  EXPECT_FALSE(met.s.join_with(a.s, true));
}

// Lanes that no path has hold anything: that they hold different things on two paths says nothing of the others.
TEST(lane_parts, paths_that_meet_differ_only_in_lanes_that_are_there) {
  const auto launched = [](uint64_t lanes, const lane_value& v) {
    lane_state s(4, lanes, lanes);
    s.set_vector(0, v);
    return s;
  };
  const lane_value other_numbers = lane_value::of_lanes(but_lane(each(100, 4), 40, 7));
  lane_state a = launched(low_half, numbers), b = launched(low_half, other_numbers);
  EXPECT_FALSE(a.join_with(b, false));
  EXPECT_TRUE(a.vector(0).is_known());
  EXPECT_EQ(a.vector(0).in_lane(31), word_set::constant(100 + 4 * 31));
  // The same lanes a step further: still one pattern.
  lane_state c = launched(low_half, lane_value::of_lanes(but_lane(each(900, 4), 63, 1)));
  EXPECT_TRUE(c.join_with(a, false));
  EXPECT_EQ(c.vector(0).relation().classes, 1u);
  EXPECT_EQ(c.vector(0).offset(31) - c.vector(0).offset(0), 4u * 31);
  EXPECT_TRUE(holds(c.vector(0), each(900, 4), low_half));
  EXPECT_TRUE(holds(c.vector(0), each(100, 4), low_half));
  // Lane 40 is there: it does count.
  lane_state d = launched(all, numbers);
  EXPECT_TRUE(d.join_with(launched(all, other_numbers), false));
  EXPECT_TRUE(holds(d.vector(0), each(100, 4), all));
  EXPECT_TRUE(holds(d.vector(0), but_lane(each(100, 4), 40, 7), all));
}

TEST(lane_parts, paths_that_meet_differ_only_in_lanes_that_are_known) {
  parts a, b;
  a.write(all, numbers).write(low_half, lane_value::unknown()).exec(all);
  b.write(all, lane_value::of_lanes(but_lane(each(100, 4), 3, 5))).write(low_half, lane_value::unknown()).exec(all);
  EXPECT_FALSE(a.s.join_with(b.s, false));
  EXPECT_TRUE(a.in(high_half).is_known());
  EXPECT_TRUE(holds(a.in(all), but_lane(each(100, 4), 3, 12345), all));
}

// At a merge each part's lanes are as that part has them: what one of them knows nothing of, the other one may know.
TEST(lane_parts, parts_of_a_split_that_meet) {
  const auto part = [](const lane_state& whole, uint64_t lanes) {
    lane_state s = whole;
    s.begin_part(lanes);
    return s;
  };
  parts whole;
  whole.write(all, numbers).exec(all);
  wcet::mask_set before;
  before.set(0).set(saved);
  const std::vector<bool> written = {true, false, false, false};
  for (const bool first_knows : {true, false}) {
    lane_state first = part(whole.s, low_half), second = part(whole.s, high_half);
    first.set_vector(0, first_knows ? lane_value::of_lanes(each(7, 1)) : lane_value::unknown());
    second.set_vector(0, first_knows ? lane_value::unknown() : lane_value::of_lanes(each(7, 1)));
    parts met;
    met.s = lane_state::merged(first, second, written, before);
    const uint64_t known = first_knows ? low_half : high_half;
    EXPECT_TRUE(met.in(known).is_known()) << first_knows;
    EXPECT_TRUE(holds(met.in(known), each(7, 1), known)) << first_knows;
    EXPECT_FALSE(met.in(all).is_known()) << first_knows;
    for (const unsigned lane : {0u, 31u, 32u, 63u}) {
      if ((known >> lane & 1) != 0) continue;
      EXPECT_TRUE(holds(met.in(~known), but_lane(each(7, 1), lane, 99), ~known)) << first_knows;
    }
  }
}

}  // namespace
}  // namespace pws::test::lane_parts_test
