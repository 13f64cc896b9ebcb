// NaNs, infinities and divisions by zero, one sequence of instructions at a time.
#include "models/check/numbers/numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/isa/code/decode.h"
#include "tests/check/collected.h"
#include "tests/isa/llvm_tools.h"
#include "tests/isa/memory_fixture.h"

namespace pws::check::test::numbers_test {
namespace {

using isa::test::memory_bench;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr uint32_t zero = 0, one = 0x3f800000, infinity = 0x7f800000, largest = 0x7f7fffff;

class numbers_rules : public testing::Test {
 protected:
  numbers_rules() : bench_(1) {
    wave_.begin({}, memory_bench::n_vgprs);
    bench_.state.set_scalar64(isa::exec_lo, 1u << 5);  // one lane
  }
  void run(const std::vector<std::string>& lines) {
    for (const isa::test::words& w : isa::test::llvm_assemble(lines)) {
      ASSERT_FALSE(w.empty());
      const isa::inst i = isa::decode(w.data(), static_cast<unsigned>(w.size()), pc_);
      check_.executes(wave_, bench_.state, i);
      bench_.execute(i);
      check_.executed(wave_, bench_.state, i);
      pc_ += 8;
    }
  }
  // What the machine does at a store of, and a load into, one register.
  void access(bool store, unsigned r, bool in_scratch, uint64_t at = 0x100) {
    isa::inst i;
    i.unit = isa::unit::vector_memory;
    i.pc = 0x9000;
    isa::operand& o = store ? i.src[1] : i.dst;
    o.kind = isa::operand_kind::vgpr;
    o.index = static_cast<uint16_t>(r);
    o.dwords = 1;
    uint64_t address[64];
    for (uint64_t& a : address) a = at;
    const uint64_t lanes = bench_.state.active();
    check_.accessed(wave_, i, in_scratch ? 0 : lanes, in_scratch ? lanes : 0, address);
  }
  void store(unsigned r) { access(true, r, false); }
  void put(unsigned r, uint32_t value) { bench_.vgprs[r].lane[5] = value; }
  std::vector<std::string> found() const { return sink_.places(); }

  memory_bench bench_;
  collected sink_;
  numbers check_{sink_};
  number_shadow wave_;

 private:
  uint64_t pc_ = 0x1000;
};

TEST_F(numbers_rules, what_arises_is_found_where_it_is_stored) {
  put(1, largest);
  run({"v_add_f32_e32 v2, v1, v1"});
  EXPECT_THAT(found(), IsEmpty());
  store(2);
  ASSERT_THAT(found(), ElementsAre("infinity_arises 1000 9000"));
  EXPECT_THAT(sink_.all[0].what, HasSubstr("v_add_f32 of 3.40282e+38, 3.40282e+38 in lane 5"));
  EXPECT_EQ(sink_.all[0].here.lanes, 1u << 5);
  store(2);
  EXPECT_EQ(sink_.all.size(), 1u);
  EXPECT_EQ(sink_.count, 2u);
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

TEST_F(numbers_rules, values_are_followed_through_moves_signs_arithmetic_and_scratch) {
  put(1, zero);
  run({"v_rcp_f32_e32 v2, v1", "v_mov_b32_e32 v3, v2", "v_xor_b32_e32 v3, 0x80000000, v3",
       "v_mul_f32_e32 v4, 2.0, v3"});
  access(true, 4, true);
  put(7, infinity);
  access(false, 7, true);
  store(7);
  EXPECT_THAT(found(), ElementsAre("infinity_arises 1000 9000"));
  put(8, infinity);
  access(true, 8, true);  // another value in the same place of scratch
  access(false, 9, true);
  sink_ = {};
  store(9);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, a_division_is_judged_by_what_the_program_divides) {
  put(1, one);
  put(2, zero);
  put(3, infinity);  // what the sequence has come to
  run({"v_div_fixup_f32 v4, v3, v2, v1"});
  store(4);
  ASSERT_THAT(found(), ElementsAre("infinity_arises 1000 9000"));
  EXPECT_THAT(sink_.all[0].what, HasSubstr("lane 5 divides 1 by 0"));
  sink_ = {};
  run({"v_div_fixup_f32 v4, v3, v2, v3"});  // infinity by 0
  store(4);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(numbers_rules, a_nan) {
  put(1, 0xbf800000);
  run({"v_sqrt_f32_e32 v2, v1"});
  store(2);
  EXPECT_THAT(found(), ElementsAre("nan_arises 1000 9000"));
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
  EXPECT_THAT(found(),
              ElementsAre("infinity_arises 1000 9000", "infinity_arises 1008 9000", "infinity_arises 1010 9000"));
}

TEST_F(numbers_rules, an_integer_is_divided_by_zero) {
  put(1, 0);
  run({"v_cvt_f32_u32_e32 v2, v1", "v_rcp_iflag_f32_e32 v3, v2"});
  EXPECT_THAT(found(), ElementsAre("integer_division_by_zero 1008 0"));
  sink_ = {};
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
  for (unsigned l = 0; l < 64; ++l) bench_.vgprs[1].lane[l] = l == 5 ? one : zero;
  run({"v_rcp_f32_e32 v2, v1"});
  store(2);
  bench_.state.set_scalar64(isa::exec_lo, 0);
  run({"v_rcp_f32_e32 v2, v1", "v_rcp_iflag_f32_e32 v3, v1"});
  EXPECT_THAT(found(), IsEmpty());
}

}  // namespace
}  // namespace pws::check::test::numbers_test
