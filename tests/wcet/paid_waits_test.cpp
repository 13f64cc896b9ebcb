// SPDX-License-Identifier: Apache-2.0
// Waits are paid once for each access that they can wait for, and what is issued beside them is not added to them
// (docs/wcet.md, "Waits"): directed kernels against their bounds on machines whose memory or LDS is far away, so that a
// wait too few shows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::paid_waits_test {
namespace {

constexpr uint64_t loop_bound = 4;

std::string loop(const std::string& label, const std::string& body) {
  return "  s_movk_i32 s60, 4\n" + label + ":\n" + body +
         "  s_sub_u32 s60, s60, 1\n  s_cmp_lg_u32 s60, 0\n  s_cbranch_scc1 " + label + "\n";
}

const std::string load_a = "  flat_load_dword v4, v[8:9]\n", load_b = "  flat_load_dword v11, v[8:9]\n",
                  store = "  flat_store_dword v[8:9], v5\n", scalar = "  s_load_dword s18, s[4:5], 0x0\n",
                  local = "  ds_read_b32 v4, v10\n", add = "  v_add_u32 v6, vcc, v6, v7\n", barrier = "  s_barrier\n",
                  flat_local = "  flat_load_dword v3, v[12:13]\n", wait_all = "  s_waitcnt vmcnt(0) & lgkmcnt(0)\n",
                  wait_vector = "  s_waitcnt vmcnt(0)\n", wait_local = "  s_waitcnt lgkmcnt(0)\n";
// Longer than any wait.
const std::string longer = "  s_sleep 127\n  s_sleep 127\n";
std::string wait_vm(unsigned n) {
  return fmt::format("  s_waitcnt vmcnt({})\n", n);
}
// v[12:13]: the work-item's LDS by a FLAT address.
const std::string flat_lds = "  v_mov_b32 v12, v10\n  v_mov_b32 v13, 0x10000\n";
// Never taken, which is not known: s7 is an argument.
std::string unless_argument(const std::string& label, const std::string& body) {
  return "  s_cmp_eq_u32 s7, 0x12345\n  s_cbranch_scc1 " + label + "\n" + body + label + ":\n";
}
// Never taken, which follows from the launch: there are not so many workgroups.
std::string never(const std::string& label, const std::string& body) {
  return "  s_cmp_lg_u32 s2, 0x12345\n  s_cbranch_scc1 " + label + "\n" + body + label + ":\n";
}
// Wavefronts with an odd number, counted with the passes still to go, do the second, the others the first.
std::string by_wavefront(const std::string& label, const std::string& first, const std::string& second) {
  return "  v_readfirstlane_b32 s30, v1\n  s_lshl_b32 s31, s60, 6\n  s_xor_b32 s30, s30, s31\n  s_and_b32 s30, s30, "
         "64\n" +
         fmt::format("  s_cbranch_scc1 {0}\n{1}  s_branch {0}b\n{0}:\n{2}{0}b:\n", label, first, second);
}
// `both`: of both parts, between the split and the skip.
std::string split_sides(const std::string& name, const std::string& first, const std::string& second,
                        const std::string& both = "") {
  return fmt::format(
      "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_and_saveexec_b64 s[20:21], vcc\n"
      "  s_xor_b64 s[20:21], exec, s[20:21]\n  .long 0xbf147f7e\n{3}  s_cbranch_execz .Lelse_{0}\n{1}.Lelse_{0}:\n"
      "  s_or_saveexec_b64 s[20:21], s[20:21]\n  s_xor_b64 exec, exec, s[20:21]\n  s_cbranch_execz .Lend_{0}\n{2}"
      ".Lend_{0}:\n  s_or_b64 exec, exec, s[20:21]\n  .long 0xbf150000\n",
      name, first, second, both);
}

struct directed {
  std::string name, body;
  double closest = 0;  // where memory is far away, bound / observed of a full machine; 0: not looked at
};

const std::vector<directed> kernels = {
    {"load_before_the_loop_and_wait_in_it", load_a + loop(".La", wait_vector + repeated(add, 3)), 1.03},
    {"scalar_load_before_the_loop", scalar + loop(".Lb", wait_local + repeated(add, 3)), 1.03},
    {"store_before_the_loop_and_nothing_at_its_end", store + loop(".Lc", wait_all + add), 1.03},
    {"wait_in_a_loop_in_a_loop",
     load_a + "  s_movk_i32 s61, 4\n.Ld2:\n" + loop(".Ld", wait_vector + add) +
         "  s_sub_u32 s61, s61, 1\n  s_cmp_lg_u32 s61, 0\n  s_cbranch_scc1 .Ld2\n",
     1.03},
    {"load_and_wait_in_the_loop", loop(".Le", load_a + wait_vector + add), 1.03},
    {"load_at_the_loops_end_and_wait_at_its_beginning", loop(".Lf", wait_vector + add + load_a), 1.03},
    {"load_in_the_outer_loop_and_wait_in_the_inner",
     "  s_movk_i32 s61, 4\n.Lg2:\n" + load_a + loop(".Lg", wait_vector + add) +
         "  s_sub_u32 s61, s61, 1\n  s_cmp_lg_u32 s61, 0\n  s_cbranch_scc1 .Lg2\n",
     1.03},
    {"pipelined_loads", load_a + loop(".Lh", load_b + wait_vm(1) + repeated(add, 3)) + wait_vector},
    {"pipelined_two_deep",
     load_a + load_b + loop(".Li", load_a + wait_vm(2) + repeated(add, 3) + load_b + wait_vm(2)) + wait_vector},
    {"one_left_each_time", repeated(load_a + wait_vm(1) + repeated(add, 300), 6) + wait_vector},
    {"one_left_then_none", repeated(load_a + load_b + wait_vm(1) + repeated(add, 3) + wait_vector, 4), 1.03},
    {"none_is_older_than_the_one_left", repeated(load_a + wait_vm(1) + add + wait_vector, 4), 1.03},
    {"one_local_left_and_then_none", repeated(local + "  s_waitcnt lgkmcnt(1)\n" + add + wait_local, 4)},
    {"flat_of_lds_left_by_lgkmcnt",
     flat_lds + repeated(flat_local + "  s_waitcnt lgkmcnt(1)\n" + wait_vm(1) + add + wait_vector, 4)},
    {"one_left_before_the_loop", load_a + load_b + wait_vm(1) + loop(".Lj", wait_vector + add), 1.03},
    {"local_left_before_the_loop",
     scalar + local + "  s_waitcnt lgkmcnt(1)\n" + loop(".Lk", wait_local + repeated(add, 3))},
    {"load_on_one_side_and_wait_behind", unless_argument(".Ll", load_a) + loop(".Ll2", wait_vector + add), 1.03},
    {"load_on_one_side_in_a_loop", loop(".Lm", unless_argument(".Lm2", load_a) + add + wait_vector), 1.03},
    {"work_on_one_side_beside_a_load", loop(".Ln", load_a + "  s_cmp_lg_u32 s7, 0x12345\n  s_cbranch_scc1 .Ln2\n" +
                                                       repeated(add, 200) + ".Ln2:\n" + wait_vector + add)},
    {"work_on_a_way_that_is_never_taken", loop(".L2", load_a + never(".L2b", repeated(add, 400)) + wait_vector + add),
     1.03},
    {"loads_on_a_way_that_is_never_taken",
     loop(".L3", load_a + never(".L3b", load_b + load_b) + wait_vm(1) + repeated(add, 2) + wait_vector + add)},
    {"work_before_a_load", loop(".Lo", repeated(add, 200) + load_a + wait_vector), 1.03},
    {"work_beside_a_load", loop(".Lp", load_a + repeated(add, 30) + wait_vector), 1.03},
    {"work_longer_than_the_wait", loop(".Lq", load_a + repeated(add, 400) + wait_vector), 1.03},
    {"work_beside_local", loop(".Lr", local + repeated(add, 30) + wait_local)},
    {"counters_that_fill_in_a_loop", loop(".Ls", repeated(load_a, 6) + repeated(add, 2))},
    {"flat_of_lds_by_both_counters", flat_lds + flat_local + loop(".Lt", wait_vector + wait_local + add)},
    {"flat_of_lds_in_the_loop", flat_lds + loop(".Lu", flat_local + wait_local + add + wait_vector)},
    {"load_across_a_barrier", load_a + repeated(add, 20) + barrier + loop(".Lv", wait_vector + add), 1.03},
    {"load_across_a_barrier_in_a_loop", loop(".Lw", barrier + load_a + barrier + repeated(add, 5) + wait_vector), 1.03},
    {"loads_across_two_barriers",
     loop(".L5", load_a + barrier + repeated(add, 20) + barrier + load_b + wait_vm(1) + add + wait_vector), 1.03},
    {"work_across_a_barrier", loop(".L6", load_a + repeated(add, 100) + barrier + repeated(add, 100) + wait_vector),
     1.03},
    {"who_waits_arrives_first", loop(".L7", by_wavefront(".L7c", load_a, repeated(add, 300)) + barrier + wait_vector)},
    {"who_waits_arrives_last",
     loop(".L8", by_wavefront(".L8c", repeated(add, 300) + load_a, load_b) + barrier + wait_vector)},
    {"work_and_a_load_on_either_side",
     loop(".Lb1", by_wavefront(".Lb1c", load_b, repeated(add, 300) + load_a) + wait_vector)},
    {"flat_of_lds_and_one_counter_in_the_loop", flat_lds + loop(".Lb2", flat_local + wait_vector + add) + wait_local},
    {"long_behind_the_barrier_for_one",
     loop(".L9", load_a + barrier + by_wavefront(".L9c", repeated(add, 300), add) + wait_vector + barrier)},
    {"loads_in_a_loop_and_one_wait_behind", loop(".La1", load_a + repeated(add, 3)) + wait_vector},
    {"a_wait_that_may_not_be_reached", loop(".La2", load_a + unless_argument(".La2b", wait_vector) + add) + wait_vector,
     1.03},
    {"a_counter_that_is_full_waits", repeated(load_a, 20) + repeated(add, 3) + wait_vector},
    {"one_of_three_at_a_time",
     loop(".La3", load_a + load_b + load_a + wait_vm(2) + add + wait_vm(1) + add + wait_vector), 1.03},
    {"loads_in_one_part", loop(".Lx", split_sides("x", load_a + wait_vector + add, repeated(add, 30)))},
    {"load_before_a_split", load_a + loop(".Ly", split_sides("y", wait_vector + add, repeated(add, 3)))},
    {"load_in_a_part_before_its_loop", split_sides("z", load_a + loop(".Lz", wait_vector + add), load_b)},
    // Behind the split and the merge there is so much to do that no other wait is charged.
    {"a_split_waits", load_a + split_sides("s2", add, add, longer) + longer},
    {"a_merge_waits", split_sides("s3", load_a, load_b) + longer},
    // Two of one block end two waits: one in it, and one in another block, for what the other counter still has.
    {"flat_of_lds_twice_in_a_block",
     flat_lds + loop(".L4", flat_local + wait_local + flat_local + unless_argument(".L4b", wait_vector))},
    {"flat_of_lds_twice_and_a_wait_in_the_next_block",
     flat_lds + loop(".Lb3", flat_local + wait_local + flat_local + unless_argument(".Lb3b", add) + wait_vector)},
    {"parts_leave_loads_to_the_merge", loop(".L1", split_sides("s1", load_a, store) + wait_all + add)},
};

struct far_away {
  const char* name;
  void (*set)(models::machine_config&);
};
const std::vector<far_away> machines = {
    {"as it is", [](auto&) {}},
    {"memory", [](auto& m) { m.memory.interconnect.latency = 4000; }},
    {"lds", [](auto& m) { m.latency.lds = 4000; }},
};

TEST(paid_waits, no_run_takes_longer_than_its_bound) {
  assembly_file file;
  for (const directed& k : kernels) file.add_kernel(k.body);
  const loader::program_image program = assemble(file.text());
  std::vector<batch_launch> launches;
  for (size_t k = 0; k < kernels.size(); ++k)
    for (const uint32_t work_items : {64u, 8 * 64u}) {
      batch_launch l;
      l.kernel = fmt::format("k{}", k);
      l.work_items = work_items;
      l.workgroup = work_items == 64 ? 64 : 128;
      launches.push_back(l);
    }
  for (const far_away& x : machines)
    for (const uint32_t s : {0u, 1u, 3u}) {
      const auto scheme = s == 0 ? models::divergence_kind::none : models::divergence_kind::pws;
      models::machine_config machine = predictable({1, 2, 4, 16, scheme, s});
      x.set(machine);
      const batch_report report = run_batch(machine, program, launches);
      ASSERT_EQ(report.launches.size(), launches.size()) << report.launches.back().error;
      for (size_t n = 0; n < launches.size(); ++n) {
        const directed& k = kernels[n / 2];
        ASSERT_EQ(report.launches[n].error, "") << k.name;
        const uint64_t observed = report.launches[n].cycles;
        const wcet::machine_timing timing = platform::timing_of(machine);
        const platform::scheme_bound bound =
            bound_of(program, launches[n].kernel, machine, timing, launches[n], loop_bound);
        EXPECT_GE(bound.e_kernel, observed) << k.name << " on machine " << x.name << ", S = " << s;
        if (n % 2 == 1)
          fmt::print("{}, S = {}: {}: bound / observed {:.3f}\n", x.name, s, k.name,
                     static_cast<double>(bound.e_kernel) / static_cast<double>(observed));
        if (k.closest == 0 || x.name != std::string("memory") || n % 2 == 0) continue;
        // A wait too few would be a bound too short; waits too many are what the rule is there to avoid.
        EXPECT_LT(static_cast<double>(bound.e_kernel), k.closest * static_cast<double>(observed)) << k.name;
        const uint64_t far = timing.way_there + timing.way_back;
        EXPECT_LT(bound.d_s * (bound.d + bound.wavefront.cycles - far), observed) << k.name << ", S = " << s;
      }
    }
}

}  // namespace
}  // namespace pws::test::paid_waits_test
