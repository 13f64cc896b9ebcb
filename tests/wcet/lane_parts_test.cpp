// Registers that are written part by part of the lanes: what is known of a part stays while another part's lanes get
// something that nothing is known of, and holds for no other lanes.
#include <gtest/gtest.h>

#include "sw/wcet/lanes/lane_state.h"
#include "tests/wcet/lane_random.h"

namespace pws::test {
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
    copy.exec(lanes);
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
  EXPECT_TRUE(p.in(all).holds(but_lane(each(100, 4), 3, 12345), all)) << "lane 3 may hold anything";
  EXPECT_TRUE(p.in(uint64_t{1} << 31).holds(but_lane(each(100, 4), 31, 12345), uint64_t{1} << 31));
  // And then these are numbers too.
  p.write(low_half, numbers);
  EXPECT_TRUE(p.in(all).is_known());
}

TEST(lane_parts, every_write_takes_its_lanes_out) {
  parts p;
  p.write(all, numbers).write(odd, lane_value::unknown()).write(3, lane_value::each_of(word_set::any()));
  EXPECT_TRUE(p.in(~odd & ~uint64_t{3}).is_known());
  for (const unsigned lane : {0u, 1u, 3u, 63u})
    EXPECT_TRUE(p.in(all).holds(but_lane(each(100, 4), lane, 1), all)) << lane;
  p.write(all, lane_value::unknown());
  EXPECT_TRUE(p.in(uint64_t{1} << 2).holds(each(5, 5), uint64_t{1} << 2));
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
  EXPECT_TRUE(p.in(all).holds(two, all));
  p.write(high_half, lane_value::unknown());
  EXPECT_EQ(p.in(low_half).relation().of[0], p.in(low_half).relation().of[31]);
  EXPECT_TRUE(p.in(all).holds(but_lane(two, 40, 3), all));
}

// A write by lanes that are not known may be in any of them.
TEST(lane_parts, lanes_that_are_not_known) {
  parts p;
  p.write(high_half, numbers).write(low_half, lane_value::unknown());
  p.exec(all);
  p.s.set_exec(p.s.unknown_mask());
  ASSERT_FALSE(p.s.exec_number().has_value());
  p.s.set_vector(0, lane_value::unknown());
  EXPECT_TRUE(p.in(high_half).holds(each(9, 9), high_half));
}

TEST(lane_parts, paths_that_meet_know_what_both_know) {
  parts a, b;
  a.write(high_half, numbers).write(low_half, lane_value::unknown()).exec(all);
  b.write(odd, numbers).write(~odd, lane_value::unknown()).exec(all);
  parts met = a;
  EXPECT_TRUE(met.s.join_with(b.s, false));
  EXPECT_TRUE(met.in(high_half & odd).holds(each(100, 4), high_half & odd));
  for (const unsigned lane : {0u, 1u, 32u, 62u})
    EXPECT_TRUE(met.in(all).holds(but_lane(each(100, 4), lane, 1), all)) << lane;
  const uint64_t lane_1 = 2, lane_62 = uint64_t{1} << 62;  // of one state's lanes alone
  EXPECT_TRUE(met.in(lane_62).holds(each(1, 1), lane_62));
  EXPECT_TRUE(met.in(lane_1).holds(each(1, 1), lane_1));
  EXPECT_FALSE(met.s.join_with(b.s, false)) << "nothing new";
  EXPECT_FALSE(met.s.join_with(a.s, true));
}

}  // namespace
}  // namespace pws::test
