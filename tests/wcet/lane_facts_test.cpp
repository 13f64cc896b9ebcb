// SPDX-License-Identifier: Apache-2.0
// Single facts about lanes that no random code comes by: what may not be said of a register or a mask.
#include <gtest/gtest.h>

#include "tests/wcet/described_wave.h"

namespace pws::test::lane_facts_test {
namespace {

using namespace wcet;

constexpr uint64_t all = ~uint64_t{0};

row_words filled(uint32_t value) {
  row_words w;
  w.fill(value);
  return w;
}
row_words counted() {
  row_words w;
  for (unsigned l = 0; l < lanes_per_wave; ++l) w[l] = l;
  return w;
}

// Which of two NaNs comes out is the host's choice, so it is not known, even if this host always gives the same one.
TEST(lane_facts, a_nan_is_no_number) {
  const uint32_t add = 1u << 25 | 1u << 17 | 3u << 9 | (256u + 2u);  // v_add_f32 v1, v2, v3
  const analysed_code code({add});
  const auto sum = [&](uint32_t a, uint32_t b) {
    lane_state s(4, all, all);
    s.set_vector(2, lane_value::constant(a));
    s.set_vector(3, lane_value::constant(b));
    code.transfer.apply(s, 0);
    return s.vector(1);
  };
  EXPECT_TRUE(sum(0x3f800000, 0x40000000).is_known()) << "1 + 2";
  const lane_value nan = sum(0x7fc00001, 0x7fc00002);
  EXPECT_TRUE(holds(nan, filled(0x7fc00001), all));
  EXPECT_TRUE(holds(nan, filled(0x7fc00002), all));
}

// Each lane's scratch is its own, so one address there is as many numbers as lanes.
TEST(lane_facts, one_address_of_scratch_is_each_lanes_own) {
  const analysed_code code({0xdc500000, 0x01000002});  // flat_load_dword v1, v[2:3]
  const auto loaded = [&](uint32_t upper) {
    lane_state s(4, all, all);
    s.set_vector(2, lane_value::constant(64));
    s.set_vector(3, lane_value::constant(upper));
    code.transfer.apply(s, 0);
    return s.vector(1);
  };
  EXPECT_FALSE(holds(loaded(1), counted(), all)) << "all lanes read the same there";
  EXPECT_TRUE(holds(loaded(code.facts.apertures.scratch), counted(), all));
  EXPECT_TRUE(loaded(code.facts.apertures.scratch).cover().empty()) << "in any places";
}

// A loop saves EXEC in each iteration, under the number of the instruction. What has been saved before and still lies
// in another register is not that mask any more.
TEST(lane_facts, a_masks_number_goes_to_the_one_saved_last) {
  constexpr unsigned number = 5, older = 20, vcc = 106;
  lane_state s(4, all, all);
  const auto narrow = [&] {  // s_and_b64 exec, exec, vcc
    lane_mask m = s.exec();
    m.is.reset();
    m.is_in_part.reset();
    m.number = std::nullopt;
    m.bits = nullptr;
    s.set_exec(m);
  };
  narrow();
  s.save_exec(number);
  s.set_mask(older, s.exec());
  ASSERT_TRUE(s.mask(older).is_in_part[number]);
  narrow();
  s.save_exec(number);
  EXPECT_FALSE(s.mask(older).is[number]);
  EXPECT_FALSE(s.mask(older).is_in_part[number]);
  EXPECT_FALSE(s.mask(older).within[number]) << "the one before may have more lanes";
  // So what the lanes of the later one alone have written is not known of those of the older one.
  s.set_vector(1, lane_value::constant(7));
  s.set_mask(vcc, s.exec());
  s.set_exec(s.mask(older));
  EXPECT_TRUE(holds(s.vector(1), counted(), all));
}

}  // namespace
}  // namespace pws::test::lane_facts_test
