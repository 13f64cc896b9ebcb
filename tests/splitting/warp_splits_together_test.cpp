// SPDX-License-Identifier: Apache-2.0
// Warp-splits that stand at one PC issue together (docs/splitting.md, "A warp-split table"): one instruction of all
// their lanes, each with scalar registers of its own, when all of them can.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/splitting/batch_run.h"

namespace pws::test::warp_splits_together_test {
namespace {

using models::fidelity;
using models::machine_config;
using testing::Each;

machine_config one_simd() {
  machine_config m;
  m.n_cu = m.n_simd = m.n_wfc = 1;
  m.divergence = models::divergence_kind::dws_table;
  m.scoreboard = models::path_scoreboard::optimistic;
  return m;
}
machine_config apart(machine_config m) {
  m.dws.pc_reconvergence = false;
  return m;
}

struct outcome {
  batch_report report;
  // That dword of the 32 bytes of each work-item.
  std::vector<uint32_t> dword(unsigned k) const {
    std::vector<uint32_t> all;
    for (size_t at = k; at < report.launches.at(0).memory.size(); at += 8) all.push_back(report.launches[0].memory[at]);
    return all;
  }
  uint64_t instructions() const { return report.cu.total_instructions(); }
};

// One wavefront; `value` is in s7.
outcome run(const machine_config& m, const std::string& body, uint32_t value = 0) {
  assembly_file file;
  file.add_kernel(body);
  batch_launch l;
  l.kernel = "k0";
  l.value = value;
  outcome o{run_batch(m, assemble(file.text()), {l})};
  EXPECT_EQ(o.report.launches.at(0).error, "");
  return o;
}

// Splits by these work-items, and by all of them if s7 is -1: a split of one side.
std::string split_by(uint32_t low, uint32_t high) {
  return fmt::format("  s_or_b32 s20, {:#x}, s7\n  s_or_b32 s21, {:#x}, s7\n  .long 0xbf141514\n", low, high);
}
// Each work-item by itself. No branch follows: all stand at one PC until the end.
std::string split_into_64() {
  std::string all;
  for (const uint32_t m : {0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu}) all += split_by(m, m);
  return all + split_by(~0u, 0);
}

// Instructions of every unit, three times; the cycles of the last time in dword 0, the first active work-item in 1.
const std::string timed_code = split_into_64() + R"(  s_mov_b32 s50, 3
again:
  s_waitcnt vmcnt(0) & lgkmcnt(0)
  s_memtime s[92:93]
  s_waitcnt lgkmcnt(0)
  v_mul_lo_u32 v28, v2, v2
  v_add_u32 v28, vcc, v28, v2
  v_rcp_f32 v29, v28
  s_ff1_i32_b64 s41, exec
  flat_load_dwordx2 v[30:31], v[8:9] offset:0
  s_load_dword s42, s[0:1], 0x8
  ds_write_b32 v10, v2
  s_waitcnt vmcnt(0) & lgkmcnt(0)
  ds_read_b32 v28, v10
  s_waitcnt lgkmcnt(0)
  v_add_f64 v[30:31], v[30:31], v[30:31]
  v_mov_b32 v29, s41
  s_memtime s[94:95]
  s_waitcnt lgkmcnt(0)
  s_sub_u32 s96, s94, s92
  v_mov_b32 v28, s96
  flat_store_dwordx2 v[8:9], v[28:29]
  s_sub_u32 s50, s50, 1
  s_cmp_lg_u32 s50, 0
  s_cbranch_scc1 again
)";

TEST(warp_splits_together, sixty_four_take_the_time_of_one) {
  for (const uint32_t lanes : {16u, 64u}) {
    SCOPED_TRACE(lanes);
    machine_config m = one_simd();
    m.valu_lanes = lanes;
    const outcome one = run(m, timed_code, ~0u), all = run(m, timed_code);
    EXPECT_EQ(all.report.divergence.most_splits, 64u);
    EXPECT_THAT(all.dword(0), Each(one.dword(0)[0])) << "cycles of the third time";
    EXPECT_EQ(all.instructions(), one.instructions());
    EXPECT_EQ(all.report.cu.valu_lanes, one.report.cu.valu_lanes);
    EXPECT_EQ(all.report.cu.valu_busy, one.report.cu.valu_busy);
    EXPECT_EQ(all.report.cu.salu_busy, one.report.cu.salu_busy);
    EXPECT_EQ(all.report.cu.branches_taken, one.report.cu.branches_taken);
    EXPECT_EQ(all.report.cu.schedulable_paths, all.instructions()) << "they count as one";
    EXPECT_GT(2 * run(apart(m), timed_code).report.launches[0].cycles, 3 * all.report.launches[0].cycles);
  }
}

TEST(warp_splits_together, each_has_scalar_registers_of_its_own) {
  for (const fidelity f : {fidelity::functional, fidelity::timing}) {
    machine_config m = one_simd();
    m.fidelity = f;
    const std::vector<uint32_t> first_lanes = run(m, timed_code).dword(1);
    for (uint32_t k = 0; k < 64; ++k) EXPECT_EQ(first_lanes[k], k);
  }
}

TEST(warp_splits_together, their_instructions_are_those_of_each_alone) {
  machine_config functional = one_simd();
  functional.fidelity = fidelity::functional;
  const outcome f = run(functional, timed_code), t = run(one_simd(), timed_code),
                a = run(apart(one_simd()), timed_code);
  EXPECT_GT(t.report.cu.issued_together, 63u * 20);
  EXPECT_EQ(f.instructions(), t.instructions() + t.report.cu.issued_together);
  EXPECT_EQ(f.instructions(), a.instructions());
  EXPECT_EQ(a.report.cu.issued_together, 0u);
  EXPECT_EQ(f.report.cu.valu_lanes, t.report.cu.valu_lanes);
}

// Work-items 0 to 31 load; the others come later to the wait that they have nothing to wait for at. The cycle in which
// each is behind it is in dword 0.
TEST(warp_splits_together, who_is_ready_waits_for_those_at_its_pc) {
  const std::string code = split_by(~0u, 0) + R"(  s_mov_b64 s[14:15], exec
  s_cmp_eq_u32 s14, 0
  s_cbranch_scc1 high
  flat_load_dword v28, v[8:9]
  s_branch meet
high:
  s_nop 15
  s_nop 15
meet:
  s_waitcnt vmcnt(0) & lgkmcnt(0)
  s_memtime s[92:93]
  s_waitcnt lgkmcnt(0)
  v_mov_b32 v28, s92
  flat_store_dword v[8:9], v28
)";
  const std::vector<uint32_t> together = run(one_simd(), code).dword(0), alone = run(apart(one_simd()), code).dword(0);
  EXPECT_THAT(together, Each(together[0]));
  EXPECT_LT(alone[63] + 50, alone[0]);
}

// F of the DPE paper's Figure 3: the lower half's side idles so many times for 16 cycles. The first time all go that
// way, so that the code is in the cache the second time.
outcome both_sides(unsigned nops) {
  return run(one_simd(), "  s_mov_b32 s7, -1\n  s_mov_b32 s50, 1\nagain:\n" + split_by(~0u, 0) +
                             "  s_mov_b64 s[14:15], exec\n  s_cmp_eq_u32 s14, 0\n  s_cbranch_scc1 high\n" +
                             repeated("  s_nop 15\n", nops) + "  s_branch meet\nhigh:\n  s_nop 15\nmeet:\n" + merge +
                             R"(  v_mov_b32 v28, s50
  s_mov_b32 s7, 0
  s_sub_u32 s50, s50, 1
  s_cmp_eq_u32 s50, 0
  s_cbranch_scc1 again
  flat_store_dword v[8:9], v28
)");
}

TEST(warp_splits_together, who_stands_at_the_merge_together_runs_what_follows_once) {
  std::set<uint64_t> once, twice;  // vector instructions
  for (unsigned nops = 0; nops < 8; ++nops) {
    const outcome o = both_sides(nops);
    EXPECT_THAT(o.dword(0), Each(0u));
    const models::divergence_statistics& d = o.report.divergence;
    EXPECT_EQ(d.splits, 1u);
    EXPECT_EQ(d.merges + d.late, 1u) << nops;
    (d.merges == 1 ? once : twice).insert(o.report.cu.valu_instructions());
  }
  ASSERT_EQ(once.size(), 1u);
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(*twice.begin(), *once.begin() + 1) << "the instruction behind the merge";
}

// 32 warp-splits with 14 stores under way each, which become one where the stack's path meets its other side. What they
// issue together all count as one; by themselves each has its own, and the last of them wait for room in the counters.
TEST(warp_splits_together, counters_hold_what_those_that_become_one_count) {
  std::string code = split_by(~0u, 0) + R"(  s_mov_b64 s[14:15], exec
  s_cmp_eq_u32 s14, 0
  s_cbranch_scc1 meet
)";
  for (const uint32_t m : {0x55555555u, 0x33333333u, 0x0f0f0f0fu, 0x00ff00ffu, 0x0000ffffu}) code += split_by(m, m);
  for (unsigned k = 0; k < 14; ++k)
    code += fmt::format("  v_add_u32 v28, vcc, {}, v2\n  flat_store_dword v[8:9], v28\n", k);
  for (unsigned k = 0; k < 5; ++k) code += merge;
  code += "meet:\n" + merge + repeated("  v_mov_b32 v29, v2\n", 20) + "  flat_store_dword v[8:9], v29\n";
  for (const auto scoreboard : {models::path_scoreboard::optimistic, models::path_scoreboard::drain}) {
    machine_config m = one_simd(), none = one_simd();
    m.dws.threshold = 2;
    m.scoreboard = scoreboard;
    none.divergence = models::divergence_kind::none;
    const std::vector<uint32_t> expected = run(none, code).dword(0);
    for (const machine_config& c : {m, apart(m)}) {
      const outcome o = run(c, code);
      EXPECT_EQ(o.dword(0), expected);
      EXPECT_EQ(o.report.divergence.most_splits, 32u);
    }
  }
}

}  // namespace
}  // namespace pws::test::warp_splits_together_test
