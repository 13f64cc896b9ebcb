// SPDX-License-Identifier: Apache-2.0
// Workgroups of several wavefronts that wait for one another: kernels in which another wavefront is the slow one in
// each phase, ends before a barrier, or goes another way to it. No run is longer than its bound, and where all
// wavefronts decide alike the bound is the longest path's.
#include "sw/wcet/kernel/barrier_check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "platform/run/program/machine_timing.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::barrier_check_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct phases {
  std::string name;
  // {0} makes labels unique. s20: the wavefront's first work-item, s7: an argument (3), s6: another (1).
  std::string body;
  uint64_t loop_bound = 1;
  uint64_t factor = 1;  // expected
  size_t ends = 0;      // ways to leave early, expected
  double closest = 1.3;
};

const std::string slow = "  s_sleep 100\n";  // 6400 cycles
const std::string first_wave = "  s_cmp_lt_u32 s20, 64\n";

const std::vector<phases> kernels = {
    {"ends_before_the_barrier",
     first_wave + "  s_cbranch_scc1 .Lstay{0}\n" + slow + "  s_branch .Lend{0}\n.Lstay{0}:\n  s_barrier\n" + slow +
         ".Lend{0}:\n",
     1, 1, 1},
    {"every_other_wavefront_ends_before_a_barrier_of_its_own",
     "  s_cmp_lt_u32 s20, 192\n  s_cbranch_scc0 .Lslow{0}\n  s_barrier\n  s_cmp_lt_u32 s20, 128\n  s_cbranch_scc0 "
     ".Lslow{0}\n  s_barrier\n" +
         first_wave + "  s_cbranch_scc0 .Lslow{0}\n  s_barrier\n" + slow + "  s_branch .Lend{0}\n.Lslow{0}:\n" + slow +
         ".Lend{0}:\n",
     1, 1, 3},
    {"return_of_whole_wavefronts",  // if (i >= 100) return; ... __syncthreads();
     "  v_cmp_gt_u32 vcc, 100, v0\n  s_and_saveexec_b64 s[22:23], vcc\n  s_cbranch_execz .Lend{0}\n" + slow +
         "  s_barrier\n" + slow + ".Lend{0}:\n",
     1, 1, 1},
    // Who leaves comes to a block by which way it goes on from there; the others have come by another one, later.
    {"ends_by_a_way_through_a_block",
     "  s_mov_b64 s[24:25], 0\n" + first_wave + "  s_cbranch_scc0 .Lmeet{0}\n  s_barrier\n" + slow +
         "  s_mov_b64 s[24:25], -1\n.Lmeet{0}:\n  s_andn2_b64 vcc, exec, s[24:25]\n  s_cbranch_vccz .Lend{0}\n" + slow +
         ".Lend{0}:\n",
     1, 1, 1},
    // The way that is left from is not the others'.
    {"ends_from_a_way_of_its_own",
     ".Lagain{0}:\n  s_nop 0\n" + first_wave + "  s_cbranch_scc1 .Lout{0}\n" + slow +
         "  s_cmp_lt_u32 s20, 1000\n  s_cbranch_scc1 .Lend{0}\n  s_branch .Lagain{0}\n.Lout{0}:\n  s_barrier\n" + slow +
         ".Lend{0}:\n",
     1, 2, 0, 4},
    {"barriers_on_both_sides",
     first_wave + "  s_cbranch_scc1 .Lother{0}\n  s_barrier\n" + slow +
         "  s_barrier\n  s_branch .Lend{0}\n.Lother{0}:\n" + slow + "  s_barrier\n  s_barrier\n.Lend{0}:\n",
     1, 3, 0, 4},
    {"one_barrier_on_each_side",
     first_wave + "  s_cbranch_scc1 .Lother{0}\n  s_barrier\n" + slow + "  s_branch .Lend{0}\n.Lother{0}:\n" + slow +
         "  s_barrier\n.Lend{0}:\n",
     1, 2, 0, 2.1},
    {"barriers_on_both_sides_of_an_argument",
     "  s_cmp_eq_u32 s6, 1\n  s_cbranch_scc1 .Lother{0}\n  s_barrier\n  s_barrier\n  s_branch .Lend{0}\n.Lother{0}:\n" +
         slow + "  s_barrier\n" + slow + "  s_barrier\n.Lend{0}:\n"},
    {"loop_with_a_barrier_in_it",
     "  s_mov_b32 s21, s7\n.Lagain{0}:\n  s_cmp_eq_u32 s21, 2\n  s_cbranch_scc0 .Lquick{0}\n" + slow +
         ".Lquick{0}:\n  s_barrier\n  s_sub_u32 s21, s21, 1\n  s_cmp_lg_u32 s21, 0\n  s_cbranch_scc1 .Lagain{0}\n",
     3, 1, 0, 4},
    {"loop_that_counts_an_argument_down",
     ".Lagain{0}:\n" + slow + "  s_barrier\n  s_sub_u32 s7, s7, 1\n  s_cmp_lg_u32 s7, 0\n  s_cbranch_scc1 .Lagain{0}\n",
     3},
    {"loop_in_which_each_wavefront_is_slow_once",
     "  s_lshr_b32 s20, s20, 6\n  s_mov_b32 s21, s7\n.Lagain{0}:\n  s_cmp_eq_u32 s21, s20\n  s_cbranch_scc0 "
     ".Lquick{0}\n" +
         slow +
         ".Lquick{0}:\n  s_barrier\n  s_sub_u32 s21, s21, 1\n  s_cmp_lg_u32 s21, 0\n  s_cbranch_scc1 "
         ".Lagain{0}\n",
     3},
    // Wavefronts leave the loop one by one; nobody waits behind it.
    {"loop_left_one_by_one",
     "  s_lshr_b32 s21, s20, 6\n  s_add_u32 s21, s21, 1\n.Lagain{0}:\n  s_barrier\n  s_sub_u32 s21, s21, 1\n  "
     "s_cmp_lg_u32 "
     "s21, 0\n  s_cbranch_scc1 .Lagain{0}\n" +
         slow,
     4, 1, 1, 2},
    {"loop_left_one_by_one_and_a_barrier",
     "  s_lshr_b32 s21, s20, 6\n  s_add_u32 s21, s21, 1\n.Lagain{0}:\n  s_barrier\n  s_sub_u32 s21, s21, 1\n  "
     "s_cmp_lg_u32 "
     "s21, 0\n  s_cbranch_scc1 .Lagain{0}\n" +
         slow + "  s_barrier\n",
     4, 4, 0, 5},
    // Four iterations each; one wavefront's barrier is in its first, the others' in their last.
    {"barrier_in_one_iteration",
     "  s_cmp_lt_u32 s20, 64\n  s_cselect_b32 s22, 1, 4\n  s_mov_b32 s21, 4\n.Lagain{0}:\n  s_cmp_eq_u32 s21, s22\n"
     "  s_cbranch_scc0 .Lnone{0}\n  s_barrier\n.Lnone{0}:\n" +
         slow + "  s_sub_u32 s21, s21, 1\n  s_cmp_lg_u32 s21, 0\n  s_cbranch_scc1 .Lagain{0}\n",
     4, 4, 0, 5},
    // Constants, but written while wavefronts are apart.
    {"constants_of_different_ways",
     "  s_mov_b32 s22, 1\n" + first_wave +
         "  s_cbranch_scc1 .Lone{0}\n  s_mov_b32 s22, 2\n.Lone{0}:\n  s_nop 0\n  s_cmp_eq_u32 s22, 1\n  s_cbranch_scc1 "
         ".Lother{0}\n  s_barrier\n" +
         slow + "  s_branch .Lend{0}\n.Lother{0}:\n" + slow + "  s_barrier\n.Lend{0}:\n",
     1, 2, 0, 2.1},
    {"a_counter_of_a_loop_without_barrier",
     "  s_lshr_b32 s21, s20, 6\n  s_add_u32 s21, s21, 1\n  s_mov_b32 s22, 0\n.Lagain{0}:\n  s_add_u32 s22, s22, 1\n"
     "  s_sub_u32 s21, s21, 1\n  s_cmp_lg_u32 s21, 0\n  s_cbranch_scc1 .Lagain{0}\n  s_cmp_eq_u32 s22, 1\n"
     "  s_cbranch_scc1 .Lother{0}\n  s_barrier\n" +
         slow + "  s_branch .Lend{0}\n.Lother{0}:\n" + slow + "  s_barrier\n.Lend{0}:\n",
     4, 2, 0, 2.1},
    {"a_condition_in_vector_registers",
     "  v_mov_b32 v3, s7\n  v_cmp_eq_u32 vcc, 3, v3\n  s_and_b64 vcc, exec, vcc\n  s_cbranch_vccnz .Lother{0}\n"
     "  s_barrier\n  s_branch .Lend{0}\n.Lother{0}:\n" +
         slow + "  s_barrier\n" + slow + ".Lend{0}:\n"},
    {"a_condition_of_work_items",
     "  v_cmp_gt_u32 vcc, 64, v0\n  s_cbranch_vccnz .Lother{0}\n  s_barrier\n" + slow +
         "  s_branch .Lend{0}\n.Lother{0}:\n" + slow + "  s_barrier\n.Lend{0}:\n",
     1, 2, 0, 2.1},
    // Three of the wavefronts have nobody active there, and read what lane 0 has had before.
    {"a_condition_of_no_work_item",
     "  v_mov_b32 v3, v0\n  v_cmp_gt_u32 vcc, 64, v0\n  s_and_saveexec_b64 s[22:23], vcc\n  v_mov_b32 v3, 7\n"
     "  v_readfirstlane_b32 s24, v3\n  s_or_b64 exec, exec, s[22:23]\n  s_cmp_eq_u32 s24, 7\n"
     "  s_cbranch_scc1 .Lother{0}\n  s_barrier\n" +
         slow + "  s_branch .Lend{0}\n.Lother{0}:\n" + slow + "  s_barrier\n.Lend{0}:\n",
     1, 2, 0, 2.1},
    {"a_condition_from_memory",
     "  flat_store_dword v[8:9], v0\n  s_waitcnt vmcnt(0)\n  flat_load_dword v3, v[8:9]\n  s_waitcnt vmcnt(0)\n"
     "  v_readfirstlane_b32 s22, v3\n  s_cmp_lt_u32 s22, 64\n  s_cbranch_scc1 .Lother{0}\n  s_barrier\n" +
         slow + slow + "  s_branch .Lend{0}\n.Lother{0}:\n" + slow + slow + "  s_barrier\n.Lend{0}:\n",
     1, 2, 0, 3},
    {"work_items_part_and_meet_between_barriers",
     "  s_mov_b32 s21, s7\n.Lagain{0}:\n  v_cmp_gt_u32 vcc, 64, v0\n  s_and_saveexec_b64 s[22:23], vcc\n  "
     "s_cbranch_execz "
     ".Ljoin{0}\n" +
         slow +
         ".Ljoin{0}:\n  s_or_b64 exec, exec, s[22:23]\n  s_barrier\n  s_sub_u32 s21, s21, 1\n  s_cmp_lg_u32 s21, "
         "0\n  s_cbranch_scc1 .Lagain{0}\n",
     3},
};

// The longest path of one wavefront by itself.
uint64_t longest_path(const platform::scheme_bound& bound) {
  wcet::flow_problem p = bound.wavefront.problem;
  for (const wcet::early_end& e : bound.wavefront.barriers.ends) p.cycles[e.block] -= e.cycles;
  return wcet::solve_ipet(p).cycles;
}

TEST(barriers, bounds_hold_for_wavefronts_that_wait_for_one_another) {
  assembly_file file;
  for (size_t k = 0; k < kernels.size(); ++k)
    file.add_kernel("  v_readfirstlane_b32 s20, v0\n" + fmt::format(fmt::runtime(kernels[k].body), k));
  const loader::program_image program = assemble(file.text());
  std::vector<batch_launch> launches;
  for (size_t k = 0; k < kernels.size(); ++k) {
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    l.work_items = l.workgroup = 256;  // four wavefronts
    l.mode = 1;
    l.value = 3;
    launches.push_back(l);
  }
  const models::machine_config machine = predictable({1, 2, 2, 16, models::divergence_kind::none, 0});
  const batch_report report = run_batch(machine, program, launches);
  ASSERT_EQ(report.launches.size(), launches.size()) << report.launches.back().error;
  unsigned longer = 0;
  for (size_t k = 0; k < kernels.size(); ++k) {
    SCOPED_TRACE(kernels[k].name);
    ASSERT_EQ(report.launches[k].error, "");
    const uint64_t observed = report.launches[k].cycles;
    const platform::scheme_bound bound = bound_of(program, launches[k].kernel, machine, platform::timing_of(machine),
                                                  launches[k], kernels[k].loop_bound);
    EXPECT_GE(bound.e_kernel, observed);
    EXPECT_LE(static_cast<double>(bound.e_kernel), kernels[k].closest * static_cast<double>(observed));
    EXPECT_EQ(bound.wavefront.barriers.factor, kernels[k].factor);
    EXPECT_EQ(bound.wavefront.barriers.undecided.has_value(), kernels[k].factor != 1);
    EXPECT_EQ(bound.wavefront.barriers.ends.size(), kernels[k].ends);
    if (bound.d + longest_path(bound) < observed) ++longer;
    // A single wavefront waits for nobody.
    batch_launch alone = launches[k];
    alone.work_items = alone.workgroup = 64;
    const platform::scheme_bound one =
        bound_of(program, launches[k].kernel, machine, platform::timing_of(machine), alone, kernels[k].loop_bound);
    EXPECT_EQ(one.wavefront.barriers.factor, 1u);
    EXPECT_TRUE(one.wavefront.barriers.ends.empty());
  }
  EXPECT_GE(longer, 10u) << "the longest path would do as a bound, so the test sees nothing";
}

// As programs have it: whole wavefronts return, or end, before others' __syncthreads().
TEST(barriers, hip_kernels_that_return_early) {
  const temporary_file source(".hip"), yaml(".yaml");
  std::ofstream(source.path()) << R"(#include <hip/hip_runtime.h>
__device__ void slow() {
  __builtin_amdgcn_s_sleep(100);
  __builtin_amdgcn_s_sleep(100);
}
extern "C" __global__ void ends(unsigned* data, unsigned n) {
  if (__builtin_amdgcn_readfirstlane(threadIdx.x) >= n) {
    slow();
    __builtin_amdgcn_endpgm();
  }
  data[threadIdx.x] = n;
  __syncthreads();
  slow();
}
extern "C" __global__ void returns(unsigned* data, unsigned n) {
  if (threadIdx.x >= n) return;
  __shared__ unsigned all[256];
  all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  slow();
  data[threadIdx.x] = all[n - 1 - threadIdx.x];
}
extern "C" __global__ void parts(unsigned* data, unsigned n) {
  if (__builtin_amdgcn_readfirstlane(threadIdx.x) >= n) {
    slow();
    __syncthreads();
  } else {
    __syncthreads();
    slow();
  }
  data[threadIdx.x] = n;
}
)";
  for (const auto& [kernel, said] :
       {std::pair{"ends", "wavefronts may end early at"}, std::pair{"returns", "wavefronts may end early at"},
        std::pair{"parts", "may go different ways to their barriers at"}}) {
    SCOPED_TRACE(kernel);
    std::ofstream(yaml.path()) << fmt::format(
        "machine: {}\nprogram: {{source: {}, kernel: {}}}\nlaunch: {{grid: [128], workgroup: [128]}}\narguments:\n- "
        "{{name: data, type: u32, count: 128}}\n- {{name: n, type: u32, value: 64}}\n",
        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml", source.path(), kernel);
    const program_result r = run_program({PWS_CLI, "wcet", yaml.path(), "--observe"});
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr(said), HasSubstr("bound / observed"), HasSubstr(".hip:"))) << r.err;
  }
}

}  // namespace
}  // namespace pws::test::barrier_check_test
