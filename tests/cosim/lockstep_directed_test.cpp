// SPDX-License-Identifier: Apache-2.0
// What random programs meet seldom: ends, merges and reuse of a context within the same few cycles, and nesting to the
// stack's depth. In lockstep, and with the RTL alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rtl/wrapper/spsimd_rtl.h"
#include "tests/cosim/rare_programs.h"

namespace pws::test::lockstep_directed_test {
namespace {

void agree(const directed_programs& p) {
  const loader::program_image program = assemble(p.text);
  std::vector<batch_report> reports;
  for (const auto mode : {models::cosim_mode::model, models::cosim_mode::lockstep, models::cosim_mode::rtl}) {
    models::machine_config m = p.machine;
    m.cosim.mode = mode;
    reports.push_back(run_batch(m, program, p.launches, 120));
    ASSERT_EQ(reports.back().launches.back().error, "") << "kernel " << reports.back().launches.size() - 1;
    for (size_t k = 0; k < p.launches.size(); ++k) {
      EXPECT_EQ(reports.back().launches[k].memory, reports[0].launches[k].memory) << "kernel " << k;
      EXPECT_EQ(reports.back().launches[k].cycles, reports[0].launches[k].cycles) << "kernel " << k;
    }
  }
  EXPECT_GT(reports[1].cosim.compared, 0u);
}

// Whichever comes first, the child's end or its parent's merge, or both in one cycle.
TEST(lockstep_directed, a_child_ends_around_its_parents_merge) {
  agree(ends_around_merges());
}

// They are different entries of their parent's stack.
TEST(lockstep_directed, two_children_end_around_each_other) {
  agree(ends_around_ends());
}

// What is left on the child stack of an SWF that has ended does not matter until its child takes over.
TEST(lockstep_directed, a_parent_and_its_child_end_in_the_same_cycle) {
  agree(ends_in_open_splits());
}

// The context is another SWF's soon after.
TEST(lockstep_directed, a_child_ends_with_results_on_their_way) {
  agree(ends_with_results());
  agree(ends_with_results("  v_mul_lo_u32 v4, v5, v6\n"));
}
// What they had under way goes to nobody.
TEST(lockstep_directed, a_child_goes_on_in_place_of_its_parent) {
  agree(parents_that_end());
}
// M0 says which register is written: whoever reads it waits for the result, as of one that is named.
TEST(lockstep_directed, a_register_that_m0_names_is_waited_for) {
  std::vector<std::string> bodies;
  for (unsigned gap = 0; gap < 5; ++gap)
    for (const char* reader : {"  v_mov_b32 v4, s93\n", "  s_add_u32 s96, s93, s96\n  v_mov_b32 v4, s96\n",
                               "  s_cmp_lt_u32 s93, 5\n  s_cselect_b32 s96, 1, 2\n  v_mov_b32 v4, s96\n"})
      bodies.push_back(in_an_swf("  s_mov_b32 s96, 1\n  s_mov_b32 s93, 1\n  s_mov_b32 m0, 2\n  s_movreld_b32 s91, 7\n" +
                                 repeated("  s_nop 0\n", gap) + reader + "  s_mov_b32 m0, -1\n"));
  agree(programs_of(bodies, 1));
}
// STATUS has SCC, EXECZ and VCCZ in it, which may be under way.
TEST(lockstep_directed, hardware_registers_are_those_of_the_instructions_before) {
  agree(hardware_registers_read());
}
// Sixteen registers, a pair in a cycle, where a hit takes no longer than that: the last one is read as soon as it may
// be.
TEST(lockstep_directed, a_load_of_sixteen_registers_at_the_least_latency) {
  const std::string load = "  s_load_dwordx16 s[64:79], s[62:63], 0x0\n  s_waitcnt lgkmcnt(0)\n";
  std::vector<std::string> bodies;
  for (unsigned last = 64; last < 80; ++last)  // the second load is a hit
    bodies.push_back(in_an_swf("  s_getpc_b64 s[62:63]\n" + load + fmt::format("  s_mov_b32 s{}, 0\n", last) + load +
                               fmt::format("  v_mov_b32 v4, s{}\n", last)));
  directed_programs p = programs_of(bodies, 1);
  p.machine.memory.scalar_cache.hit_latency = rtl::spsimd_rtl::load_cycles;
  agree(p);
}
// The constant bus has one scalar register: assemblers refuse what names two, and the RTL leaves it to the model.
TEST(lockstep_directed, what_names_two_scalar_registers_is_the_models) {
  const std::string values = "  s_mov_b32 s90, 1.0\n  s_mov_b32 s91, 2.0\n  s_mov_b32 s92, 4.0\n";
  for (const unsigned source : {1u, 2u})
    for (const unsigned other : {90u, 91u, 92u}) {
      const directed_programs p = programs_of({in_the_swf_alone(values + two_scalars(other, source))}, 1);
      agree(p);
      // s90 and s91 are one pair.
      const batch_report r = run_batch(p.machine, assemble(p.text), p.launches, 60);
      EXPECT_EQ(r.cosim.by_the_model != 0, other == 92) << other << " as source " << source;
    }
}
TEST(lockstep_directed, what_the_model_executes_for_the_rtl) {
  agree(left_to_the_model());
}
TEST(lockstep_directed, dpp_between_rows) {
  agree(moves_between_rows());
}
TEST(lockstep_directed, deep_child_stacks_in_which_paths_end) {
  agree(deep_child_stacks());
}
TEST(lockstep_directed, m0_is_handed_over_whoever_wrote_it) {
  agree(m0_handed_over());
}
TEST(lockstep_directed, vector_registers_above_31) {
  agree(high_vector_registers());
}

// Hand-overs of ten wavefronts' contexts at once, into the same unit and out of it.
TEST(lockstep_directed, hand_overs_of_ten_wavefronts) {
  std::vector<std::string> bodies;
  for (unsigned wait = 0; wait < 24; ++wait)
    bodies.push_back(in_an_swf(repeated("  s_nop 0\n", wait) + contexts_body(6)));
  for (const bool wavefronts : {false, true}) {
    directed_programs p = programs_of(bodies, 2);
    p.machine.vgprs_per_simd = 10 * 32;
    p.machine.sgprs_per_simd = 10 * 112;
    if (wavefronts) p.machine.cosim.spsimds = {1, 2, 3};
    for (batch_launch& l : p.launches) {
      l.workgroup = 64;
      l.work_items = 10 * 64;
    }
    agree(p);
  }
}
TEST(lockstep_directed, a_context_is_used_again_at_once) {
  agree(contexts_used_again());
}

// Splits inside splits up to the last entry of the child stack, and one more, which is the program's error on both
// sides.
TEST(lockstep_directed, nested_to_the_stacks_depth) {
  for (const uint32_t entries : {4u, 64u}) {
    const auto nested = [&](uint32_t n) {  // all lanes on one side: an entry, no SWF
      directed_programs p = programs_of({in_the_swf_alone(repeated(split_exec, n) + repeated(merge, n))}, 1);
      p.machine.child_stack_entries = entries;
      return p;
    };
    agree(nested(entries));
    const directed_programs p = nested(entries + 1);
    const batch_report r = run_batch(p.machine, assemble(p.text), p.launches, 60);
    EXPECT_NE(r.launches.back().error.find("the child stack is full"), std::string::npos) << r.launches.back().error;
  }
}

}  // namespace
}  // namespace pws::test::lockstep_directed_test
