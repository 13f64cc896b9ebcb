// SPDX-License-Identifier: Apache-2.0
// NaNs, infinities and divisions by zero, one sequence of instructions at a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "tests/check/numbers_fixture.h"

namespace pws::check::test::numbers_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint32_t zero = 0, one = 0x3f800000, infinity = 0x7f800000, largest = 0x7f7fffff;
constexpr uint64_t double_one = 0x3ff0000000000000, double_infinity = 0x7ff0000000000000;

class numbers_rules : public testing::Test, public numbers_bench {
 protected:
  // "rule pc" of what has been found since the last call.
  std::vector<std::string> rules() {
    std::vector<std::string> r;
    for (const std::string& place : found()) r.push_back(place.substr(0, place.rfind(' ')));
    return r;
  }
};

TEST_F(numbers_rules, what_arises_is_found_where_it_is_stored) {
  put(1, largest);
  run({"v_add_f32_e32 v2, v1, v1"});
  EXPECT_TRUE(sink.all.empty());
  store(2);
  ASSERT_EQ(sink.places(), std::vector<std::string>{"infinity_arises 1000 1008"});
  EXPECT_THAT(sink.all[0].what, HasSubstr("v_add_f32 of 3.40282e+38, 3.40282e+38 in lane 5"));
  EXPECT_EQ(sink.all[0].here.lanes, 1u << 5);
  store(2);
  EXPECT_EQ(sink.all.size(), 1u);
  EXPECT_EQ(sink.count, 2u);
}

TEST_F(numbers_rules, what_was_no_number_before_does_not_arise) {
  put(1, infinity);
  run({"v_add_f32_e32 v2, v1, v1", "v_sub_f32_e32 v3, v2, v1", "v_mov_b32_e32 v4, 0x7f800000"});
  for (const unsigned r : {2u, 3u, 4u}) store(r);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, what_no_result_has_is_none) {
  put(1, zero);
  put(2, one);
  run({"v_rcp_f32_e32 v3, v1", "v_min_f32_e32 v3, v3, v2"});  // 1
  store(3);
  run({"v_rcp_f32_e32 v4, v1", "v_cmp_eq_f32_e32 vcc, 0, v1", "v_cndmask_b32_e32 v5, v4, v2, vcc"});
  store(5);
  run({"v_rcp_f32_e32 v6, v1", "v_mov_b32_e32 v6, v2"});  // overwritten
  store(6);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, of_two_infinities_the_one_that_is_selected_counts) {
  put(1, zero);
  put(2, infinity);
  run({"v_rcp_f32_e32 v3, v1", "s_mov_b64 vcc, -1", "v_cndmask_b32_e32 v4, v3, v2, vcc"});
  store(4);
  EXPECT_THAT(found(), IsEmpty());
  run({"s_mov_b64 vcc, 0", "v_cndmask_b32_e32 v4, v3, v2, vcc"});
  store(4);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1000"));
}

TEST_F(numbers_rules, values_are_followed_through_moves_signs_arithmetic_and_scratch) {
  put(1, zero);
  run({"v_rcp_f32_e32 v2, v1", "v_mov_b32_e32 v3, v2", "v_xor_b32_e32 v3, 0x80000000, v3",
       "v_mul_f32_e32 v4, 2.0, v3"});
  spill(4);
  put(7, infinity);
  fill(7);
  store(7);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1000"));
  put(8, infinity);
  spill(8);  // another value in the same place of scratch
  fill(9);
  store(9);
  EXPECT_THAT(found(), IsEmpty());
}

// Through the register that M0 means, and no other.
TEST_F(numbers_rules, values_are_followed_through_registers_that_m0_names) {
  put(1, largest);
  run({"v_add_f32_e32 v2, v1, v1", "s_mov_b32 s0, 1", "s_set_gpr_idx_on s0, 1", "v_mov_b32_e32 v9, v1",
       "s_set_gpr_idx_off"});
  store(9);
  EXPECT_THAT(rules(), ElementsAre(HasSubstr("infinity_arises 1000")));
  run({"v_add_f32_e32 v2, v1, v1", "s_mov_b32 m0, 3", "v_movreld_b32_e32 v10, v2"});
  store(10);
  EXPECT_THAT(found(), IsEmpty());
  store(13);
  EXPECT_EQ(found().size(), 1u);
  run({"v_add_f32_e32 v8, v1, v1", "v_movrels_b32_e32 v14, v5"});
  store(14);
  EXPECT_EQ(found().size(), 1u);
}

// As code that is not optimised takes a double apart.
TEST_F(numbers_rules, a_double_is_followed_by_its_upper_half) {
  put64(2, 0);
  run({"v_rcp_f64_e32 v[4:5], v[2:3]", "s_mov_b32 s4, 32", "v_lshrrev_b64 v[6:7], s4, v[4:5]"});
  store(7);
  EXPECT_THAT(found(), IsEmpty());
  store(6);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1000"));
}

TEST_F(numbers_rules, halves_of_a_register_are_apart) {
  put(1, 0x7bff);  // 65504
  put(2, 0x3c00);
  run({"v_mov_b32_e32 v3, v2",
       "v_add_f16_sdwa v3, v1, v1 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 "
       "src1_sel:WORD_0"});
  ASSERT_EQ(bench.vgprs[3].lane[5], 0x7c003c00u);
  run({"v_and_b32_e32 v4, 0xffff, v3"});
  store(4);
  EXPECT_THAT(found(), IsEmpty());
  run({"v_lshrrev_b32_e32 v5, 16, v3"});
  store(5);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1008"));
  store(3);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1008"));
  run({"v_mul_f16_sdwa v6, v3, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:WORD_0"});
  store(6);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1008"));
  put(7, zero);
  run({"v_rcp_f32_e32 v8, v7", "v_cvt_pkrtz_f16_f32 v9, v2, v8"});
  store(9);
  EXPECT_EQ(rules().size(), 1u);
}

TEST_F(numbers_rules, lanes_give_each_other_values) {
  bench.state.set_scalar64(isa::exec_lo, 0xff);
  put(1, one);
  put_in(1, 1u << 2, zero);
  run({"v_rcp_f32_e32 v2, v1"});  // lane 2
  put(3, 4 * 2);
  run({"ds_bpermute_b32 v4, v3, v2", "ds_swizzle_b32 v5, v2 offset:swizzle(BROADCAST,4,2)",
       "v_mov_b32_dpp v6, v2 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf", "v_readlane_b32 s4, v2, 2",
       "v_mov_b32_e32 v7, s4", "v_readlane_b32 s5, v2, 3", "v_mov_b32_e32 v8, s5", "v_writelane_b32 v9, s4, 6",
       "v_add_f32_dpp v10, v2, v2 quad_perm:[2,2,2,2] row_mask:0xf bank_mask:0xf"});
  bench.state.set_scalar64(isa::exec_lo, 1u << 6);
  for (const unsigned r : {4u, 7u, 9u}) {
    store(r);
    ASSERT_EQ(sink.places().size(), 1u) << r;
    EXPECT_EQ(sink.all[0].here.lanes, 1u << 2) << "the lane that has made it";
    found();
  }
  store(8);
  store(6);  // 6 has lane 6's quad
  EXPECT_THAT(found(), IsEmpty());
  bench.state.set_scalar64(isa::exec_lo, 1u << 1);
  for (const unsigned r : {5u, 6u, 10u}) {
    store(r);
    EXPECT_EQ(rules().size(), 1u) << r;
  }
}

TEST_F(numbers_rules, what_reaches_a_lane_from_another_one_that_was_given_it_is_none) {
  bench.state.set_scalar64(isa::exec_lo, 3);
  put_in(1, 1, zero);
  put_in(1, 2, infinity);
  run({"v_rcp_f32_e32 v2, v1"});  // lane 0: infinity arises, lane 1: 0
  put_in(2, 2, infinity);
  put(3, 4 * 1);
  run({"ds_bpermute_b32 v4, v3, v2"});
  store(4);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, scalar_stores) {
  put(1, zero);
  run({"v_rcp_f32_e32 v2, v1", "v_readfirstlane_b32 s4, v2", "s_mov_b32 s6, s4", "s_bitset1_b32 s6, 31"});
  bench.state.set_scalar64(8, memory_bench::data);
  run({"s_store_dword s5, s[8:9], 0x0"});
  EXPECT_THAT(found(), IsEmpty());
  run({"s_store_dword s6, s[8:9], 0x0"});
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1000"));
}

// A sum in memory, as compilers make it where there is no such atomic: the old value comes to where the operand was.
TEST_F(numbers_rules, a_compare_and_swap_is_a_store_where_it_swaps) {
  for (const bool swaps : {true, false}) {
    reset();
    for (int l = 0; l < 64; ++l) bench.set_address(10, l, memory_bench::data);
    std::memcpy(bench.host(memory_bench::data), &largest, 4);
    put(1, largest);
    put(3, swaps ? largest : one);
    run({"v_add_f32_e32 v2, v3, v1"});
    if (!swaps) put(2, infinity);
    run({"v_add_f32_e32 v2, v1, v1", "flat_atomic_cmpswap v2, v[10:11], v[2:3] glc"});
    if (swaps)
      EXPECT_THAT(rules(), ElementsAre("infinity_arises 1008"));
    else
      EXPECT_THAT(found(), IsEmpty());
    store(2);  // the old value
    EXPECT_THAT(found(), IsEmpty());
  }
}

TEST_F(numbers_rules, a_division_is_judged_by_what_the_program_divides) {
  put(1, one);
  put(2, zero);
  put(3, infinity);  // what the sequence has come to
  run({"v_div_fixup_f32 v4, v3, v2, v1"});
  store(4);
  ASSERT_EQ(sink.all.size(), 1u);
  EXPECT_THAT(sink.all[0].what, HasSubstr("lane 5 divides 1 by 0"));
  found();
  run({"v_div_fixup_f32 v4, v3, v2, v3"});  // infinity by 0
  store(4);
  EXPECT_THAT(found(), IsEmpty());
}

// --- Constants -------------------------------------------------------------------------------------

TEST_F(numbers_rules, a_constant_is_a_mathematical_functions_result) {
  put64(2, 0xbff0000000000000);
  put64(4, double_one);
  const std::vector<std::string> select = {"v_cmp_gt_f64_e32 vcc, 0, v[2:3]", "v_mov_b32_e32 v6, 0x7ff80000",
                                           "v_cndmask_b32_e32 v5, v5, v6, vcc"};
  run(select);
  store(4, 2);
  EXPECT_THAT(found(), IsEmpty());  // the program's own
  put64(4, double_one);
  function = "log";
  run(select);
  store(4, 2);
  ASSERT_EQ(sink.all.size(), 1u);
  EXPECT_EQ(sink.all[0].rule, "nan_arises");
  EXPECT_THAT(sink.all[0].what, HasSubstr("log has no other result for what it is given in lane 5"));
  found();
  put64(4, double_one);
  put64(2, double_one);
  run(select);
  store(4, 2);
  EXPECT_THAT(found(), IsEmpty());  // not selected
}

TEST_F(numbers_rules, without_lines_a_constant_that_takes_the_place_of_what_has_arisen_is_that) {
  put(1, zero);
  put(4, one);
  const std::vector<std::string> select = {"v_rcp_f32_e32 v3, v1", "v_mov_b32_e32 v2, 0x7fc00000",
                                           "v_cmp_eq_f32_e32 vcc, 0, v1", "v_cndmask_b32_e32 v3, v3, v2, vcc"};
  run(select);
  store(3);
  EXPECT_THAT(found(), IsEmpty());
  known = false;
  run(select);
  store(3);
  EXPECT_EQ(rules().size(), 1u);
  run({"v_mov_b32_e32 v3, v4", "v_cndmask_b32_e32 v3, v3, v2, vcc"});
  store(3);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, constants_that_are_no_infinities_are_integers) {
  put(1, one);
  function = "ilogb";
  for (const char* constant : {"0x7fffffff", "-1", "0xfff0ffff"}) {
    run({"v_mov_b32_e32 v2, " + std::string(constant), "v_cmp_eq_f32_e32 vcc, 1.0, v1",
         "v_cndmask_b32_e32 v3, v1, v2, vcc"});
    store(3);
  }
  EXPECT_THAT(found(), IsEmpty());
}

// A function of what was no number may have a constant as its result; one of what has arisen has that as its cause.
TEST_F(numbers_rules, a_functions_constant_depends_on_its_argument) {
  function = "cos";
  const std::vector<std::string> select = {
      "v_mov_b32_e32 v2, 0x7fc00000",       "s_mov_b32 s4, 0x1f8",
      "v_cmp_class_f32_e64 s[6:7], v1, s4", "s_mov_b64 s[8:9], s[6:7]",
      "s_and_b64 s[8:9], s[8:9], exec",     "v_cndmask_b32_e64 v3, v2, v1, s[8:9]"};
  put(1, infinity);
  run(select);
  store(3);
  EXPECT_THAT(found(), IsEmpty());
  put(4, zero);
  const std::string at = "infinity_arises " + [&] {
    char text[32];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(pc));
    return std::string(text);
  }();
  run({"v_rcp_f32_e32 v1, v4"});
  run(select);
  store(3);
  EXPECT_THAT(rules(), ElementsAre(at));
}

TEST_F(numbers_rules, what_a_mask_depends_on_goes_through_registers_lanes_and_scratch) {
  function = "pow";
  put(1, infinity);
  put(4, one);
  run({"v_cmp_lt_f32_e32 vcc, 1.0, v1", "v_writelane_b32 v10, vcc_lo, 3", "v_writelane_b32 v10, vcc_hi, 4",
       "v_readlane_b32 s10, v10, 3", "v_readlane_b32 s11, v10, 4", "v_cndmask_b32_e64 v5, 0, 1, s[10:11]"});
  spill(5);
  fill(6);
  run({"v_cmp_ne_u32_e32 vcc, 0, v6", "v_mov_b32_e32 v2, 0x7f800000", "v_cndmask_b32_e32 v3, v4, v2, vcc"});
  ASSERT_EQ(bench.vgprs[3].lane[5], infinity);
  store(3);
  EXPECT_THAT(found(), IsEmpty());
  put(1, largest);  // the same of a number
  run({"v_cmp_lt_f32_e32 vcc, 1.0, v1", "v_mov_b32_e32 v2, 0x7f800000", "v_cndmask_b32_e32 v3, v4, v2, vcc"});
  store(3);
  EXPECT_EQ(rules().size(), 1u);
}

TEST_F(numbers_rules, a_side_of_a_branch_depends_on_what_has_led_there) {
  function = "pow";
  put(1, infinity);
  put(4, one);
  const std::vector<std::string> select = {"v_mov_b32_e32 v2, 0x7f800000", "v_cmp_eq_f32_e64 s[10:11], 1.0, v4",
                                           "v_cndmask_b32_e64 v3, v4, v2, s[10:11]"};
  run({"v_cmp_lt_f32_e32 vcc, 1.0, v1", "s_and_saveexec_b64 s[6:7], vcc"});
  run(select);
  store(3);
  EXPECT_THAT(found(), IsEmpty());
  run({"s_or_b64 exec, exec, s[6:7]"});  // together again
  run(select);
  store(3);
  EXPECT_EQ(rules().size(), 1u);
}

TEST_F(numbers_rules, bits_of_an_argument_are_looked_at_too) {
  function = "pow";
  put64(6, double_infinity);
  put(4, one);
  run({"v_xor_b32_e32 v1, v7, v4", "v_cmp_gt_i32_e32 vcc, 0, v1", "s_not_b64 vcc, vcc", "v_mov_b32_e32 v2, 0x7f800000",
       "v_cndmask_b32_e32 v3, v4, v2, vcc"});
  ASSERT_EQ(bench.vgprs[3].lane[5], infinity);
  store(3);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, a_constant_argument_is_none_of_the_functions) {
  put(4, one);
  run({"v_mov_b32_e32 v2, 0x7f800000", "s_getpc_b64 s[10:11]", "s_swappc_b64 s[12:13], s[10:11]"});
  function = "fabs";
  run({"v_cmp_eq_f32_e32 vcc, 1.0, v4", "v_cndmask_b32_e32 v3, v4, v2, vcc"});
  store(3);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, a_nan) {
  put(1, 0xbf800000);
  run({"v_sqrt_f32_e32 v2, v1"});
  store(2);
  EXPECT_THAT(rules(), ElementsAre("nan_arises 1000"));
}

TEST_F(numbers_rules, half_and_double) {
  put(1, 0x7bff);  // 65504
  run({"v_add_f16_e32 v2, v1, v1"});
  store(2);
  put(10, 0);
  put(11, 0);
  run({"v_rcp_f64_e32 v[12:13], v[10:11]"});
  store(13);
  put(20, 0x47c35000);  // 1e5
  run({"v_cvt_f16_f32_e32 v21, v20"});
  store(21);
  EXPECT_THAT(rules(), ElementsAre("infinity_arises 1000", "infinity_arises 1010", "infinity_arises 1020"));
}

TEST_F(numbers_rules, an_integer_is_divided_by_zero) {
  put(1, 0);
  run({"v_cvt_f32_u32_e32 v2, v1", "v_rcp_iflag_f32_e32 v3, v2"});
  EXPECT_THAT(found(), ElementsAre("integer_division_by_zero 1008 0"));
  reset();
  put(1, 7);
  run({"v_cvt_f32_u32_e32 v2, v1", "v_rcp_iflag_f32_e32 v3, v2"});
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, a_long_integer_is_divided_by_zero) {
  put(1, 0);
  run({"v_cvt_f32_u32_e32 v2, v1", "v_cvt_f32_u32_e32 v3, v1", "v_madmk_f32 v2, v3, 0x4f800000, v2",
       "v_rcp_f32_e32 v2, v2", "v_mul_f32_e32 v2, 0x5f7ffffc, v2", "v_cvt_u32_f32_e32 v2, v2"});
  EXPECT_THAT(found(), ElementsAre("integer_division_by_zero 1018 0"));
}

TEST_F(numbers_rules, a_short_integer_is_divided_by_zero) {
  put(1, 0);
  run({"v_cvt_f32_i32_e32 v2, v1", "v_rcp_f32_e32 v3, v2", "v_mul_f32_e32 v3, 0x42c80000, v3",
       "v_trunc_f32_e32 v3, v3"});
  EXPECT_THAT(found(), IsEmpty());
  run({"v_cvt_i32_f32_e32 v3, v3"});
  EXPECT_THAT(found(), ElementsAre("integer_division_by_zero 1008 0"));
}

TEST_F(numbers_rules, lanes_that_are_off_make_nothing) {
  put(1, zero);
  put_in(1, 1u << 5, one);
  run({"v_rcp_f32_e32 v2, v1"});
  store(2);
  bench.state.set_scalar64(isa::exec_lo, 0);
  run({"v_rcp_f32_e32 v2, v1", "v_rcp_iflag_f32_e32 v3, v1"});
  EXPECT_THAT(found(), IsEmpty());
}

}  // namespace
}  // namespace pws::check::test::numbers_test
