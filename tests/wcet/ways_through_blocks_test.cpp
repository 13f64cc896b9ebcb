// SPDX-License-Identifier: Apache-2.0
// Compilers keep in a register by which way a block has been reached, and branch on it there. Then not every way in
// goes on by every way out, and the bound has no path that no wavefront takes (docs/wcet.md, "A launch, wavefront by
// wavefront"). No run takes longer than that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::ways_through_blocks_test {
namespace {

const std::string add = "  v_add_u32 v6, vcc, v6, v7\n", load = "  flat_load_dword v4, v[8:9]\n  s_waitcnt vmcnt(0)\n";

struct compared {
  uint64_t bound = 0, observed = 0;
  double ratio() const { return static_cast<double>(bound) / static_cast<double>(observed); }
};

compared compare(const std::string& body, const models::machine_config& machine, uint32_t work_items = 512,
                 uint32_t workgroup = 64) {
  assembly_file file;
  file.add_kernel(body);
  const loader::program_image program = assemble(file.text());
  batch_launch launch;
  launch.kernel = "k0";
  launch.work_items = work_items;
  launch.workgroup = workgroup;
  const batch_report report = run_batch(machine, program, {launch});
  EXPECT_EQ(report.launches.front().error, "");
  const platform::scheme_bound bound = bound_of(program, "k0", machine, platform::timing_of(machine), launch);
  EXPECT_GE(bound.e_kernel, report.launches.front().cycles);
  return {bound.e_kernel, report.launches.front().cycles};
}

models::machine_config in_sequence() {
  return predictable({1, 2, 4, 16});
}
models::machine_config splitting() {
  return predictable({1, 2, 4, 16, models::divergence_kind::pws, 1});
}

// Workgroups whose bit 0 is set take the first way, the others the second one; each says in s[20:21] which it was. Both
// meet in one block, which branches on that: 20 loads stand on the first way in and on the second way's way out.
std::string two_ways(const std::string& at_the_meeting = "") {
  return "  s_bitcmp1_b32 s2, 0\n  s_cbranch_scc0 .Lsecond\n" + repeated(load, 20) +
         "  s_mov_b64 s[20:21], 0\n  s_branch .Lmeet\n.Lsecond:\n  s_mov_b64 s[20:21], -1\n.Lmeet:\n" + at_the_meeting +
         "  s_andn2_b64 vcc, exec, s[20:21]\n  s_cbranch_vccnz .Lend\n" + repeated(load, 20) + ".Lend:\n";
}

TEST(ways_through_blocks, a_way_out_follows_some_ways_in_only) {
  const compared c = compare(two_ways(), in_sequence());
  EXPECT_LE(c.ratio(), 1.2) << c.bound << " " << c.observed;
}

TEST(ways_through_blocks, in_every_iteration_of_a_loop) {
  // The ways take turns with the iterations.
  const compared c = compare("  s_movk_i32 s60, 3\n.Lagain:\n  s_and_b32 s2, s60, 1\n" + two_ways() +
                                 "  s_sub_u32 s60, s60, 1\n  s_cmp_lg_u32 s60, 0\n  s_cbranch_scc1 .Lagain\n",
                             in_sequence());
  EXPECT_LE(c.ratio(), 1.2) << c.bound << " " << c.observed;
}

// One workgroup, number 0: its bits are known, and with them that the loads are not reached.
TEST(ways_through_blocks, bits_of_a_known_number_decide) {
  for (const char* skips : {"s_bitcmp0_b32 s2, 0\n  s_cbranch_scc1", "s_bitcmp1_b32 s2, 0\n  s_cbranch_scc0",
                            "s_bitcmp1_b32 s2, 63\n  s_cbranch_scc0"}) {
    const compared c =
        compare(std::string("  ") + skips + " .Lend\n" + repeated(load, 20) + ".Lend:\n", in_sequence(), 64);
    EXPECT_LE(c.ratio(), 1.3) << skips << ": " << c.bound << " " << c.observed;
  }
}

// A loop's first instruction lies across two fetches, wherever these end: each time round waits for the second one.
TEST(ways_through_blocks, a_target_across_two_fetches) {
  assembly_file file;
  file.add_kernel("  s_movk_i32 s60, 20\n  s_branch .Lfirst\n  .p2align 8\n" + repeated("  s_nop 0\n", 63) +
                  ".Lagain:\n  s_mov_b32 s61, 0x12345678\n.Lfirst:\n  s_sub_u32 s60, s60, 1\n"
                  "  s_cmp_lg_u32 s60, 0\n  s_cbranch_scc1 .Lagain\n");
  const loader::program_image program = assemble(file.text());
  batch_launch launch;
  launch.kernel = "k0";
  const batch_report report = run_batch(in_sequence(), program, {launch});
  ASSERT_EQ(report.launches.front().error, "");
  const platform::scheme_bound bound =
      bound_of(program, "k0", in_sequence(), platform::timing_of(in_sequence()), launch, 20);
  EXPECT_GE(bound.e_kernel, report.launches.front().cycles);
}

// The launch has 40 work-items. EXEC is written with all lanes, and all of them execute: the compare says so, and what
// follows from it is known.
TEST(ways_through_blocks, lanes_that_were_not_launched_are_in_exec_if_they_are_written_to_it) {
  for (const bool skipped : {true, false}) {
    const compared c = compare(
        "  s_mov_b64 s[22:23], exec\n  s_mov_b64 exec, -1\n  v_mov_b32 v4, 1\n  v_cmp_eq_u32 vcc, 1, v4\n"
        "  s_mov_b64 exec, s[22:23]\n  s_cmp_eq_u32 vcc_hi, -1\n"
        "  s_cbranch_" +
            std::string(skipped ? "scc1" : "scc0") + " .Lend\n" + repeated(load, 20) + ".Lend:\n",
        in_sequence(), 40);
    if (skipped) {
      EXPECT_LE(c.ratio(), 1.2) << c.bound << " " << c.observed;
    }
  }
}

// Data decide the way in; the way out follows from it all the same.
TEST(ways_through_blocks, data_may_decide_the_way_in) {
  const compared c =
      compare(load + "  v_readfirstlane_b32 s30, v4\n  s_bitcmp1_b32 s30, 0\n  s_cselect_b32 s2, 1, 0\n" + two_ways(),
              in_sequence());
  EXPECT_LE(c.ratio(), 1.2) << c.bound << " " << c.observed;
}

// The first way in leads to what the second one leads to as well, but for a third of the workgroups.
TEST(ways_through_blocks, a_way_in_that_goes_on_by_both) {
  const compared c = compare("  s_cmp_eq_u32 s2, 6\n  s_cselect_b32 s30, 1, 0\n" +
                                 two_ways("  s_cmp_lg_u32 s30, 0\n  s_cselect_b64 s[20:21], -1, s[20:21]\n"
                                          "  s_cmp_eq_u32 s2, 7\n  s_cselect_b64 s[20:21], -1, s[20:21]\n"),
                             in_sequence());
  EXPECT_LE(c.ratio(), 1.2) << c.bound << " " << c.observed;
}

// Data decide the way in, and the launch the way out: either may follow. The block is too long to be followed from each
// way in.
TEST(ways_through_blocks, all_ways_in_of_one_execution) {
  for (const char* first : {"scc0", "scc1"})
    for (const char* second : {"scc0", "scc1"})
      for (const bool loads_first : {true, false})
        compare(load + "  v_readfirstlane_b32 s30, v4\n  s_cmp_lg_u32 s30, 0\n  s_cbranch_" + first + " .Lother\n" +
                    (loads_first ? repeated(load, 20) : add) + "  s_branch .Lmeet\n.Lother:\n" +
                    (loads_first ? add : repeated(load, 20)) + ".Lmeet:\n" + repeated(add, 20) +
                    "  s_and_b32 s31, s2, 1\n  s_cmp_lg_u32 s31, 0\n  s_cbranch_" + second + " .Lend\n" +
                    repeated(load, 5) + ".Lend:\n",
                in_sequence());
}

// A loop's header is entered from before and from behind, which tells nothing new if nothing is known of what counts.
// However many iterations there is work for to tell apart.
TEST(ways_through_blocks, of_a_loop_whose_iterations_are_alike) {
  assembly_file file;
  file.add_kernel(load + "  v_readfirstlane_b32 s30, v4\n  s_add_u32 s30, s30, 20\n.Lagain:\n" +
                  repeated("  v_mov_b32 v4, v4\n", 10) +
                  "  s_cmp_eq_u32 s30, 0\n  s_cbranch_scc1 .Lend\n  s_sub_u32 s30, s30, 1\n" + load +
                  "  s_branch .Lagain\n.Lend:\n");
  const loader::program_image program = assemble(file.text());
  batch_launch launch;
  launch.kernel = "k0";
  const batch_report report = run_batch(in_sequence(), program, {launch});
  ASSERT_EQ(report.launches.front().error, "");
  for (size_t work = 100; work < 1'000'000; work += work / 2) {
    const platform::scheme_bound bound =
        bound_of(program, "k0", in_sequence(), platform::timing_of(in_sequence()), launch, 21, work);
    EXPECT_GE(bound.e_kernel, report.launches.front().cycles) << work;
  }
}

// The kernel's first block, to which it comes back: what it does the first time follows from no way in.
TEST(ways_through_blocks, of_the_block_that_begins_the_kernel) {
  assembly_file file;
  file.add_bare_kernel(".Lagain:\n  s_cmp_eq_u32 s2, 99\n  s_cbranch_scc1 .Lend\n  s_movk_i32 s2, 99\n" +
                       repeated(add, 500) + "  s_branch .Lagain\n.Lend:\n" + repeated(add, 500) + "  s_endpgm\n");
  const loader::program_image program = assemble(file.text());
  batch_launch launch;
  launch.kernel = "k0";
  const batch_report report = run_batch(in_sequence(), program, {launch});
  ASSERT_EQ(report.launches.front().error, "");
  EXPECT_GE(bound_of(program, "k0", in_sequence(), platform::timing_of(in_sequence()), launch).e_kernel,
            report.launches.front().cycles);
}

// A barrier where the ways meet: wavefronts of a workgroup go on together, each from its own way.
TEST(ways_through_blocks, over_a_barrier) {
  // By wavefront in its workgroup: v0 / 64.
  const std::string by_wavefront = "  v_readfirstlane_b32 s2, v0\n  s_lshr_b32 s2, s2, 6\n";
  for (const std::string& meeting : {std::string("  s_barrier\n"), std::string()})
    for (const uint32_t workgroup : {64u, 128u, 256u}) {
      const compared c = compare(by_wavefront + two_ways(meeting) + "  s_barrier\n" + repeated(load, 10), in_sequence(),
                                 512, workgroup);
      EXPECT_LE(c.ratio(), 1.2) << workgroup << ": " << c.bound << " " << c.observed;
    }
}

// A split whose sides are two ways: `first` and `second` are written in them, `behind` at the merge, in its block.
std::string split_ways(const std::string& first, const std::string& second, const std::string& behind) {
  return "  v_cmp_gt_u32 vcc, 32, v0\n  s_and_saveexec_b64 s[22:23], vcc\n  s_xor_b64 s[22:23], exec, s[22:23]\n" +
         split_exec + "  s_cbranch_execz .Lelse\n" + first +
         ".Lelse:\n  s_or_saveexec_b64 s[22:23], s[22:23]\n  s_xor_b64 exec, exec, s[22:23]\n  s_cbranch_execz "
         ".Lend_if\n" +
         second + ".Lend_if:\n  s_or_b64 exec, exec, s[22:23]\n" + merge + behind;
}

// The part that comes to its merge last decides when, the first part's scalars decide where it goes on: the block has
// been reached by one way and is left by what belongs to another one.
TEST(ways_through_blocks, parts_that_meet_have_come_by_all_their_ways) {
  const std::string choose = "  s_cmp_eq_u32 s24, 1\n  s_cbranch_scc1 .Lbehind\n" + repeated(add, 400) + ".Lbehind:\n";
  for (const unsigned long_first : {1u, 600u})
    for (const unsigned long_second : {1u, 600u})
      for (const int flag : {0, 1})
        compare("  s_mov_b32 s24, 0\n" +
                    split_ways(fmt::format("  s_mov_b32 s24, {}\n", flag) + repeated(add, long_first),
                               fmt::format("  s_mov_b32 s24, {}\n", 1 - flag) + repeated(add, long_second), choose),
                splitting(), 64, 64);
}

// In the branch serialisation block, where a part begins that has come by no way in.
TEST(ways_through_blocks, parts_begin_within_the_code) {
  for (const unsigned long_first : {1u, 600u})
    for (const unsigned long_second : {1u, 600u})
      compare("  s_mov_b32 s24, 0\n" +
                  split_ways("  s_mov_b32 s24, 1\n" + repeated(add, long_first),
                             "  s_cmp_eq_u32 s24, 1\n  s_cbranch_scc1 .Lend_if\n" + repeated(add, long_second),
                             repeated(load, 5)),
              splitting(), 512, 64);
}

// Blocks one after the other, each leaving for a later one by a flag that any before it may have set.
std::string random_blocks(std::mt19937& random, bool split, unsigned kernel) {
  const auto below = [&](unsigned n) { return random() % n; };
  constexpr unsigned blocks = 14, flags = 4;
  // The label of a kind ('b': blocks) for a block.
  const auto label = [&](char kind, unsigned b) { return fmt::format(".L{}{}_{}", kind, kernel, b); };
  std::string code;
  for (unsigned f = 0; f < flags; ++f)
    code += fmt::format("  s_bfe_u32 s{}, s2, {:#x}\n", 30 + f, 1u << 16 | f);  // bit f of the workgroup's number
  for (unsigned b = 0; b < blocks; ++b) {
    code += label('b', b) + ":\n";
    for (unsigned k = below(3); k > 0; --k) {
      const unsigned f = 30 + below(flags);
      switch (below(4)) {
        case 0:
          code += fmt::format("  s_mov_b32 s{}, {}\n", f, below(2));
          break;
        case 1:
          code += fmt::format("  s_xor_b32 s{}, s{}, 1\n", f, f);
          break;
        case 2:
          code += fmt::format("  s_and_b32 s{}, s{}, s{}\n", f, f, 30 + below(flags));
          break;
        default:
          code += fmt::format("  s_xor_b32 s{}, s{}, s{}\n", f, f, 30 + below(flags));
      }
    }
    if (below(3) == 0) code += repeated(load, below(8));
    if (below(3) == 0) code += repeated(add, below(200));
    if (split && below(4) == 0)
      code +=
          fmt::format(
              "  v_cmp_gt_u32 vcc, {}, v0\n  s_and_saveexec_b64 s[22:23], vcc\n  s_xor_b64 s[22:23], exec, s[22:23]\n",
              below(64)) +
          split_exec + "  s_cbranch_execz " + label('e', b) + "\n" + repeated(load, below(6)) +
          fmt::format("  s_xor_b32 s{0}, s{0}, 1\n", 30 + below(flags)) + label('e', b) + ":\n" +
          "  s_or_saveexec_b64 s[22:23], s[22:23]\n  s_xor_b64 exec, exec, s[22:23]\n" + "  s_cbranch_execz " +
          label('m', b) + "\n" + repeated(load, below(6)) + label('m', b) + ":\n  s_or_b64 exec, exec, s[22:23]\n" +
          merge;
    if (below(4) != 0)
      code += fmt::format("  s_cmp_eq_u32 s{}, 0\n  s_cbranch_scc{} {}\n", 30 + below(flags), below(2),
                          label('b', b + 1 + below(blocks - b)));
  }
  return code + label('b', blocks) + ":\n";
}

// The launches are small, so each wavefront is followed.
TEST(ways_through_blocks, random_blocks_never_take_longer) {
  std::mt19937 random(20);
  for (const bool split : {false, true}) {
    const models::machine_config machine = split ? splitting() : in_sequence();
    assembly_file file;
    std::vector<batch_launch> launches;
    for (unsigned k = 0; k < 40; ++k) {
      file.add_kernel(random_blocks(random, split, k));
      batch_launch l;
      l.kernel = fmt::format("k{}", k);
      l.work_items = 64 * (1 + random() % 16);
      launches.push_back(l);
    }
    const loader::program_image program = assemble(file.text());
    const batch_report report = run_batch(machine, program, launches);
    ASSERT_EQ(report.launches.size(), launches.size());
    double sum = 0;
    for (size_t k = 0; k < launches.size(); ++k) {
      ASSERT_EQ(report.launches[k].error, "") << k;
      const platform::scheme_bound bound =
          bound_of(program, launches[k].kernel, machine, platform::timing_of(machine), launches[k]);
      EXPECT_GE(bound.e_kernel, report.launches[k].cycles) << "kernel " << k << (split ? ", split" : "");
      sum += static_cast<double>(bound.e_kernel) / static_cast<double>(report.launches[k].cycles);
    }
    fmt::print("{} bound / observed on average {:.3f}\n", split ? "with splits" : "without splits",
               sum / launches.size());
  }
}

}  // namespace
}  // namespace pws::test::ways_through_blocks_test
