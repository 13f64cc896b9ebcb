// SPDX-License-Identifier: Apache-2.0
// Rules and uses one at a time, on instructions that an assembler has made.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/check/init_fixture.h"
#include "tests/isa/llvm_tools.h"

namespace pws::check::test::init_checker_test {
namespace {

using isa::test::memory_bench;
using testing::HasSubstr;

class init_rules : public testing::Test {
 protected:
  // Executes lines of assembly, each at an address of its own.
  void run(const std::vector<std::string>& lines) {
    for (const isa::test::words& w : isa::test::llvm_assemble(lines)) {
      ASSERT_FALSE(w.empty());
      bench.execute(isa::decode(w.data(), static_cast<unsigned>(w.size()), pc_));
      pc_ += 8;
    }
  }
  void undefine(unsigned r, uint32_t bits = ~0u) {
    for (unsigned l = 0; l < 64; ++l) bench.vectors.set(r, l, bits, 0);
  }
  void undefine_scalar(unsigned r, uint32_t bits = ~0u) { bench.known.scalars.bits[r] = bits; }
  void put(unsigned r, uint32_t value) {
    for (uint32_t& lane : bench.machine.vgprs[r].lane) lane = value;
  }
  uint32_t bits(unsigned r, unsigned lane = 5) const { return bench.vectors.bits(r, lane); }
  uint32_t scalar_bits(unsigned r) const { return bench.known.scalars.bits[r]; }
  const std::vector<finding>& found() const { return bench.found.all; }

  init_bench bench;

 private:
  uint64_t pc_ = 0x1000;
};

TEST_F(init_rules, a_copy_is_no_use) {
  undefine(1);
  run({"v_mov_b32_e32 v2, v1", "v_mov_b32_e32 v3, v2"});
  EXPECT_EQ(bits(3), ~0u);
  EXPECT_TRUE(found().empty());
}

TEST_F(init_rules, lanes_that_are_off_keep_what_they_have) {
  undefine(1);
  bench.machine.set_mask(0xf0);
  run({"v_mov_b32_e32 v1, 0"});
  EXPECT_EQ(bits(1, 5), 0u);
  EXPECT_EQ(bits(1, 3), ~0u);
}

TEST_F(init_rules, defined_bits_decide_and_and_or) {
  undefine(1);
  put(2, 0xff);
  put(3, 0xffff0000);
  run({"v_and_b32_e32 v4, v1, v2", "v_or_b32_e32 v5, v1, v3"});
  EXPECT_EQ(bits(4), 0xffu);
  EXPECT_EQ(bits(5), 0xffffu);
}

TEST_F(init_rules, shifts_and_bit_fields_take_definedness_along) {
  undefine(1, 0x0000ff00);
  run({"v_lshlrev_b32_e32 v2, 8, v1", "v_lshrrev_b32_e32 v3, 12, v1", "v_bfe_u32 v4, v1, 12, 8",
       "v_bfe_i32 v5, v1, 4, 12", "v_and_b32_e32 v6, 0xff, v1"});
  EXPECT_EQ(bits(2), 0x00ff0000u);
  EXPECT_EQ(bits(3), 0x0000000fu);
  EXPECT_EQ(bits(4), 0x0000000fu);
  EXPECT_EQ(bits(5), 0xfffffff0u);  // the sign is undefined
  EXPECT_EQ(bits(6), 0u);
}

TEST_F(init_rules, carries_go_up_only) {
  undefine(1, 0x00010000);
  run({"v_add_u32_e32 v2, vcc, v1, v3", "v_add_f32_e32 v4, v1, v3"});
  EXPECT_EQ(bits(2), 0xffff0000u);
  EXPECT_EQ(bits(4), ~0u);
  EXPECT_EQ(scalar_bits(isa::vcc_lo), ~0u);
}

TEST_F(init_rules, a_select_takes_the_definedness_of_what_it_selects) {
  undefine(1);
  bench.machine.state.set_scalar64(isa::vcc_lo, 1u << 5);
  run({"v_cndmask_b32_e32 v2, v1, v3, vcc"});
  EXPECT_EQ(bits(2, 5), 0u);
  EXPECT_EQ(bits(2, 6), ~0u);
}

TEST_F(init_rules, a_compare_of_one_undefined_lane_is_undefined_there) {
  bench.vectors.set(1, 7, 1, 0);
  put(1, 4);
  run({"v_cmp_eq_u32_e32 vcc, 5, v1", "v_cmp_gt_u32_e64 s[4:5], 9, v1"});
  EXPECT_EQ(scalar_bits(isa::vcc_lo), 1u << 7);
  EXPECT_EQ(scalar_bits(4), 0u);  // 4 or 5: below 9 either way
}

TEST_F(init_rules, masks_are_defined_where_lanes_are_off) {
  bench.machine.set_mask(0xff);
  undefine_scalar(isa::vcc_lo, 0xffffff00);
  undefine_scalar(isa::vcc_lo + 1);
  run({"s_and_saveexec_b64 s[0:1], vcc"});
  EXPECT_TRUE(found().empty());
}

TEST_F(init_rules, exec_of_an_undefined_compare_is_reported_once) {
  bench.vectors.set(1, 7, ~0u, 0);
  run({"v_cmp_eq_u32_e32 vcc, 0, v1", "s_and_saveexec_b64 s[0:1], vcc", "v_mov_b32_e32 v2, 0"});
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found()[0].rule, "mask_undefined");
  EXPECT_EQ(found()[0].here.lanes, 1u << 7);
  EXPECT_THAT(found()[0].other_is, HasSubstr("v1, which nothing has written"));
}

TEST_F(init_rules, branches_on_undefined_flags) {
  undefine_scalar(3);
  run({"s_cmp_eq_u32 s3, 0", "s_cbranch_scc1 4"});
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found()[0].rule, "branch_undefined");
  EXPECT_THAT(found()[0].what, HasSubstr("SCC"));
  EXPECT_THAT(found()[0].other_is, HasSubstr("s3"));
}

TEST_F(init_rules, vccz_is_known_where_one_bit_is_set) {
  undefine_scalar(isa::vcc_lo, 0xff);
  bench.machine.state.set_scalar64(isa::vcc_lo, 0x100);
  run({"s_cbranch_vccnz 4"});
  EXPECT_TRUE(found().empty());
  bench.machine.state.set_scalar64(isa::vcc_lo, 0);
  run({"s_cbranch_vccnz 4"});
  EXPECT_EQ(found().size(), 1u);
}

TEST_F(init_rules, addresses_are_uses_and_stored_values_are_not) {
  undefine(4);
  for (int l = 0; l < 64; ++l) bench.machine.set_address(2, l, memory_bench::data + 4 * static_cast<unsigned>(l));
  run({"flat_store_dword v[2:3], v4", "flat_load_dword v5, v[2:3]"});
  EXPECT_TRUE(found().empty());
  EXPECT_EQ(bits(5), ~0u);
  bench.vectors.set(2, 9, 4, 0);
  run({"flat_load_dword v6, v[2:3]"});
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found()[0].rule, "address_undefined");
  EXPECT_EQ(found()[0].here.lanes, 1u << 9);
}

TEST_F(init_rules, lds_keeps_definedness_by_byte) {
  undefine(4, 0xff00);
  put(1, 64);
  bench.machine.set_mask(1);
  run({"ds_write_b32 v1, v4", "ds_read_u8 v5, v1", "ds_read_u8 v6, v1 offset:1", "ds_read_i16 v7, v1"});
  EXPECT_EQ(bits(5, 0), 0u);
  EXPECT_EQ(bits(6, 0), 0xffu);
  EXPECT_EQ(bits(7, 0), 0xffffff00u);
}

TEST_F(init_rules, a_spilled_scalar_comes_back_as_it_was) {
  undefine(10);
  undefine_scalar(4, 0xf);
  run({"v_writelane_b32 v10, s4, 3", "v_writelane_b32 v10, s5, 4", "v_readlane_b32 s8, v10, 3",
       "v_readlane_b32 s9, v10, 4", "v_readlane_b32 s10, v10, 5"});
  EXPECT_EQ(scalar_bits(8), 0xfu);
  EXPECT_EQ(scalar_bits(9), 0u);
  EXPECT_EQ(scalar_bits(10), ~0u);
}

TEST_F(init_rules, permutes_and_dpp_move_definedness_between_lanes) {
  bench.vectors.set(1, 4, ~0u, 0);
  put(2, 4 * 4);
  run({"ds_bpermute_b32 v3, v2, v1", "v_mov_b32_dpp v5, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf"});
  EXPECT_EQ(bits(3, 40), ~0u);
  EXPECT_EQ(bits(5, 5), ~0u);
  EXPECT_EQ(bits(5, 4), 0u);
}

TEST_F(init_rules, sdwa_chooses_bytes) {
  undefine(1, 0xff00);
  run({"v_mov_b32_sdwa v2, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0",
       "v_mov_b32_sdwa v3, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1"});
  EXPECT_EQ(bits(2), 0u);
  EXPECT_EQ(bits(3), 0xffu);
}

TEST_F(init_rules, an_exchange_defines_memory_and_an_addition_does_not) {
  put(1, 128);
  bench.machine.set_mask(1);
  const uint8_t all[4] = {0xff, 0xff, 0xff, 0xff};
  bench.lds.store(128, 4, all, 0);
  run({"ds_add_u32 v1, v2", "ds_read_b32 v3, v1", "ds_wrxchg_rtn_b32 v4, v1, v2", "ds_read_b32 v5, v1"});
  EXPECT_EQ(bits(3, 0), ~0u);
  EXPECT_EQ(bits(4, 0), ~0u);
  EXPECT_EQ(bits(5, 0), 0u);
}

TEST_F(init_rules, nobody_is_at_work_where_no_lane_is_active) {
  undefine_scalar(3);
  bench.machine.set_mask(0);
  run({"s_cmp_eq_u32 s3, 0", "s_cbranch_scc1 4"});
  EXPECT_TRUE(found().empty());
}

TEST_F(init_rules, the_host_reads_what_a_kernel_has_not_written) {
  init::memory_shadow& m = bench.checker.memory();
  m.undefine(memory_bench::data + 16, 3);  // as between members of a structure
  bench.checker.host_reads(memory_bench::data, 64);
  EXPECT_TRUE(found().empty());
  m.undefine(memory_bench::data + 60, 4);  // the last work-item's
  bench.checker.host_reads(memory_bench::data, 60);
  EXPECT_TRUE(found().empty());
  bench.checker.host_reads(memory_bench::data, 64);
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found()[0].rule, "host_read_undefined");
  EXPECT_EQ(found()[0].address, memory_bench::data + 60);
  EXPECT_EQ(found()[0].bytes, 4u);
}

TEST_F(init_rules, hardware_registers_take_the_bits_that_they_have) {
  undefine_scalar(4, 0xfffffff0);
  run({"s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s4"});
  EXPECT_TRUE(found().empty());
  run({"s_setreg_b32 hwreg(HW_REG_MODE, 0, 5), s4"});
  EXPECT_EQ(found().size(), 1u);
}

TEST(memory_shadow, copies_overlap_as_memmove) {
  constexpr uint64_t base = 0x10000;
  init::memory_shadow m(base, 1 << 20);
  m.define(base, 100);
  m.copy(base + 50, base + 48, 100);  // 48..99 defined -> 50..101
  const auto r = m.next_undefined(base, base + 200);
  EXPECT_EQ(r.begin, base + 102);
  EXPECT_EQ(r.end, base + 200);
}

TEST(memory_shadow, whole_pages_and_their_edges) {
  constexpr uint64_t base = 0x10000, page = init::memory_shadow::page_bytes;
  init::memory_shadow m(base, 8 * page);
  m.define(base + page - 1, page + 2);
  EXPECT_TRUE(m.pages_defined(base + page, base + 2 * page - 1));
  EXPECT_FALSE(m.pages_defined(base + page - 1, base + page));
  uint8_t bits[4];
  m.load(base + page - 2, 4, bits);
  EXPECT_THAT(bits, testing::ElementsAre(0xff, 0, 0, 0));
  m.define(base + 7 * page, 100 * page);  // past the end: left out
  EXPECT_EQ(m.next_undefined(base + 7 * page, base + 9 * page).begin, base + 8 * page);
  m.undefine(base, 8 * page);
  EXPECT_EQ(m.next_undefined(base, base + 8 * page).end, base + 8 * page);
}

// ---- images

class init_images : public init_rules {
 protected:
  // Eight floats in a row, in s[8:15], and a sampler with a linear filter in s[16:19].
  void SetUp() override {
    uint32_t* w = &bench.machine.state.scalar[8];
    w[0] = static_cast<uint32_t>(memory_bench::data >> 8);
    w[1] = static_cast<uint32_t>(memory_bench::data >> 40) | 4u << 20 | 7u << 26;
    w[2] = 7;
    w[3] = 4 | 8u << 20 | 8u << 28;
    w[4] = w[5] = w[6] = w[7] = 0;
    w[8] = 2 | 1u << 15;
    w[9] = w[11] = 0;
    w[10] = 5u << 20 | 2u << 24;
    const uint8_t all = 0xff;
    bench.checker.memory().store(memory_bench::data + 3 * 4, 1, &all, 0);
  }
  void put_lane(unsigned r, unsigned lane, float v) { std::memcpy(&bench.machine.vgprs[r].lane[lane], &v, sizeof v); }
};

TEST_F(init_images, filters_are_undefined_where_a_texel_is) {
  for (unsigned l = 0; l < 64; ++l) put_lane(1, l, 0.5f);
  put_lane(1, 5, 3.0f);  // texels 2 and 3
  put_lane(1, 6, 2.0f);  // texels 1 and 2
  undefine(2);           // no register of its address
  run({"image_sample_lz v4, v1, s[8:15], s[16:19] dmask:0x1"});
  EXPECT_NE(bits(4, 5), 0u);
  EXPECT_EQ(bits(4, 6), 0u);
  EXPECT_TRUE(found().empty());
}

TEST_F(init_images, stores_take_definedness_to_memory) {
  undefine(4);
  for (uint32_t l = 0; l < 64; ++l) bench.machine.vgprs[1].lane[l] = l;
  bench.machine.set_mask(0x3);
  run({"image_store v4, v1, s[8:15] dmask:0x1 unorm"});
  bench.machine.set_mask(0xf);
  run({"image_load v5, v1, s[8:15] dmask:0x1 unorm"});
  EXPECT_NE(bits(5, 0), 0u);
  EXPECT_NE(bits(5, 1), 0u);
  EXPECT_EQ(bits(5, 2), 0u);
  EXPECT_NE(bits(5, 3), 0u);
}

TEST_F(init_images, addresses_are_used) {
  undefine(1);
  run({"image_load v5, v1, s[8:15] dmask:0x1 unorm"});
  ASSERT_EQ(found().size(), 1u);
}

}  // namespace
}  // namespace pws::check::test::init_checker_test
