// SPDX-License-Identifier: Apache-2.0
// Dual-path execution: pushes, suspensions and pops in the order of the DPE paper's Figure 4, sides that end,
// forwarding, the constrained scheduler, and errors.
#include "models/divergence/dual_path_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/scheme_bench.h"

namespace pws::test::dual_path_stack_test {
namespace {

using models::after_divergence;
using models::resident_workgroup;
using models::wf_context;
using models::wf_status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t all = ~uint64_t{0}, low = 0xffffffff;
// The figure's masks: B 1000, C 0111, D 0100, E 0011, a bit for 16 work-items.
constexpr uint64_t mask_b = 0xffff, mask_d = 0xffff0000, mask_e = ~(mask_b | mask_d);
constexpr uint64_t after_a = 0x104, block_b = 0x110, block_c = 0x140, after_c = 0x164, block_e = 0x180, block_f = 0x200,
                   block_g = 0x240;

// A bench whose program the test walks through by itself.
struct dual_bench : scheme_bench {
  explicit dual_bench(models::dpe_config dpe = {}, uint32_t limit = 64) : scheme_bench(config(dpe, limit)) {}
  static models::machine_config config(models::dpe_config dpe, uint32_t limit) {
    models::machine_config c = one_simd(models::divergence_kind::dpe, 0);
    c.dpe = dpe;
    c.child_stack_entries = limit;
    return c;
  }
  wf_context& right_of(const wf_context& w) { return contexts().of(w).paired_with(w); }
  after_divergence merge_at(wf_context& w, uint64_t pc) {
    w.state.pc = pc;
    return merge(w);
  }
  after_divergence split_at(wf_context& w, uint64_t pc, uint64_t mask) {
    w.state.pc = pc;
    return split(w, mask);
  }
  // As waveform and debug window show it: path, depth, then PC and mask of both sides and rPC of each entry.
  std::vector<uint64_t> shown(const wf_context& w, size_t registers) {
    std::vector<uint64_t> values(scheme().shown().size());
    scheme().show(w, values.data());
    values.resize(registers);
    return values;
  }
};

// The figure's wavefront when C has split: B is suspended, D and E run.
struct figure_4 : dual_bench {
  explicit figure_4(models::dpe_config dpe = {}) : dual_bench(dpe), w(launch(g)), r(right_of(w)) {
    split_at(w, after_a - 4, mask_b);
    w.state.pc = block_b;
    split_at(r, after_c - 4, mask_d);
  }
  resident_workgroup g;
  wf_context &w, &r;
};

TEST(dual_path_stack, figure_4) {
  dual_bench bench;
  resident_workgroup g;
  wf_context &w = bench.launch(g), &r = bench.right_of(w);
  EXPECT_THAT(bench.shown(w, 7), ElementsAre(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(r.status, wf_status::idle);
  // (b): B and C run.
  EXPECT_EQ(bench.split_at(w, after_a - 4, mask_b), after_divergence::goes_on);
  EXPECT_THAT(bench.told, ElementsAre("begin right"));
  EXPECT_EQ(w.state.split_mask, mask_b);
  EXPECT_EQ(r.state.split_mask, ~mask_b);
  EXPECT_EQ(r.state.pc, after_a);
  EXPECT_EQ(w.tree.paths, 2u);
  w.state.pc = block_b;
  r.state.pc = block_c;
  EXPECT_THAT(bench.shown(w, 7), ElementsAre(3, 1, block_b, mask_b, block_c, ~mask_b, 0));
  EXPECT_THAT(bench.shown(r, 7), ElementsAre(0, 0, 0, 0, 0, 0, 0)) << "the wavefront's context shows it";
  // (c): C splits; D and E run, B is suspended.
  bench.told.clear();
  EXPECT_EQ(bench.split_at(r, after_c - 4, mask_d), after_divergence::goes_on);
  EXPECT_THAT(bench.told, ElementsAre("begin 1")) << "D, in the slot of B";
  EXPECT_EQ(w.state.split_mask, mask_d);
  EXPECT_EQ(r.state.split_mask, mask_e);
  EXPECT_EQ(w.tree.paths, 2u);
  EXPECT_EQ(w.tree.stacked, 1u);
  r.state.pc = block_e;
  EXPECT_THAT(bench.shown(w, 12),
              ElementsAre(3, 2, block_b, mask_b, 0, ~mask_b, 0, after_c, mask_d, block_e, mask_e, 0));
  // (d): D has come to F; B stays suspended.
  bench.told.clear();
  EXPECT_EQ(bench.merge_at(w, block_f), after_divergence::stops);
  EXPECT_THAT(bench.told, ElementsAre("suspend 1"));
  EXPECT_THAT(bench.shown(w, 12),
              ElementsAre(2, 2, block_b, mask_b, block_f, ~mask_b, 0, block_f + 4, 0, block_e, mask_e, block_f));
  // (e): E has too. The entry is popped: F goes on in the slot of C, and B in its own.
  bench.told.clear();
  EXPECT_EQ(bench.merge_at(r, block_f), after_divergence::joined);
  EXPECT_THAT(bench.told, ElementsAre("replace 1"));
  EXPECT_EQ(w.state.pc, block_b);
  EXPECT_EQ(w.state.split_mask, mask_b);
  EXPECT_EQ(r.state.split_mask, ~mask_b);
  EXPECT_THAT(bench.shown(w, 12), ElementsAre(3, 1, block_b, mask_b, block_f + 4, ~mask_b, 0, 0, 0, 0, 0, 0));
  // (f): B comes to G, then F; G goes on in the wavefront's own context.
  bench.told.clear();
  EXPECT_EQ(bench.merge_at(w, block_g), after_divergence::stops);
  EXPECT_EQ(bench.merge_at(r, block_g), after_divergence::stops);
  EXPECT_THAT(bench.told, ElementsAre("suspend 1", "resume 1", "leave right"));
  EXPECT_EQ(w.state.split_mask, all);
  EXPECT_EQ(w.state.pc, block_g + 4);
  EXPECT_EQ(r.status, wf_status::idle);
  EXPECT_FALSE(w.is_split());
  EXPECT_EQ(bench.counted_wrong(w), "");
  EXPECT_EQ(bench.scheme().statistics().splits, 2u);
  EXPECT_EQ(bench.scheme().statistics().merges, 2u);
  EXPECT_EQ(bench.scheme().statistics().deepest, 2u);
  bench.end(w);
  EXPECT_EQ(bench.told.back(), "finish");
  EXPECT_EQ(g.running, 0u);
}

// Whichever side comes last, the left side's scalar registers go on, in the slot of the path that split.
TEST(dual_path_stack, the_left_sides_scalar_registers_go_on) {
  for (const bool left_last : {true, false}) {
    dual_bench bench;
    resident_workgroup g;
    wf_context &w = bench.launch(g), &r = bench.right_of(w);
    bench.split_at(w, 0x100, low);
    w.state.scalar[20] = 1;
    w.state.set_scalar64(isa::exec_lo, 0xf0);
    r.state.scalar[20] = 2;
    r.state.set_scalar64(isa::exec_lo, uint64_t{0xf} << 40);
    EXPECT_EQ(bench.merge_at(left_last ? r : w, 0x200), after_divergence::stops);
    EXPECT_EQ(bench.merge_at(left_last ? w : r, 0x200), left_last ? after_divergence::joined : after_divergence::stops);
    EXPECT_EQ(w.state.scalar[20], 1u);
    EXPECT_EQ(w.state.scalar64(isa::exec_lo), 0xf0 | uint64_t{0xf} << 40);
    EXPECT_EQ(w.state.split_mask, all);
    EXPECT_EQ(w.state.pc, 0x204u);
    EXPECT_EQ(w.status, wf_status::running);
    EXPECT_EQ(bench.counted_wrong(w), "");
  }
}

TEST(dual_path_stack, a_split_of_one_side_leaves_the_other_path_alone) {
  figure_4 f;
  f.told.clear();
  EXPECT_EQ(f.split(f.r, 0), after_divergence::goes_on);
  EXPECT_EQ(f.split(f.r, all), after_divergence::goes_on);
  EXPECT_EQ(f.r.state.split_mask, mask_e);
  EXPECT_EQ(f.merge(f.r), after_divergence::joined);
  EXPECT_EQ(f.merge(f.r), after_divergence::joined);
  EXPECT_THAT(f.told, IsEmpty());
  EXPECT_EQ(f.scheme().statistics().one_sided, 2u);
  EXPECT_EQ(f.scheme().statistics().deepest, 2u);
  EXPECT_EQ(f.merge_at(f.r, block_f), after_divergence::stops) << "its own merge";
}

// Every order in which the four paths can end or come to their merges.
TEST(dual_path_stack, sides_that_end) {
  for (unsigned ends = 0; ends < 16; ++ends)
    for (const bool forwarding : {false, true})
      for (const bool d_first : {true, false}) {
        SCOPED_TRACE(testing::Message() << ends << (forwarding ? ", forwarding" : "") << (d_first ? "" : ", E first"));
        figure_4 f({models::path_scheduler::full, forwarding});
        const auto finish = [&](uint64_t mask, bool end, uint64_t merge_at) {
          for (wf_context* c : {&f.w, &f.r}) {
            if (c->status != wf_status::running || c->state.split_mask != mask) continue;
            if (end)
              f.end(*c);
            else
              f.merge_at(*c, merge_at);
            return;
          }
          ADD_FAILURE() << "nobody has the work-items";
        };
        const bool d = (ends & 1) != 0, e = (ends & 2) != 0, b = (ends & 4) != 0, rest = (ends & 8) != 0;
        finish(d_first ? mask_d : mask_e, d_first ? d : e, block_f);
        ASSERT_EQ(f.counted_wrong(f.w), "");
        finish(d_first ? mask_e : mask_d, d_first ? e : d, block_f);
        ASSERT_EQ(f.counted_wrong(f.w), "");
        finish(mask_b, b, block_g);
        const uint64_t of_f = (d ? 0 : mask_d) | (e ? 0 : mask_e);
        if (of_f != 0) finish(of_f, rest, block_g);
        const uint64_t left = (b ? 0 : mask_b) | (rest ? 0 : of_f);
        if (left != 0) {
          EXPECT_EQ(f.w.state.split_mask, left);
          EXPECT_EQ(f.w.status, wf_status::running);
          EXPECT_FALSE(f.w.is_split());
          f.end(f.w);
        }
        EXPECT_EQ(f.told.back(), "finish");
        EXPECT_EQ(f.g.running, 0u);
        EXPECT_EQ(f.r.status, wf_status::idle);
        EXPECT_EQ(f.counted_wrong(f.w), "");
      }
}

// Figure 4 (d) with forwarding: B runs beside E as soon as D is at its merge.
TEST(dual_path_stack, a_free_slot_is_given_to_a_path_below) {
  figure_4 f({models::path_scheduler::full, true});
  f.told.clear();
  EXPECT_EQ(f.merge_at(f.w, block_f), after_divergence::goes_on) << "B, in the same context";
  EXPECT_EQ(f.w.state.pc, block_b);
  EXPECT_EQ(f.w.state.split_mask, mask_b);
  EXPECT_THAT(f.told, IsEmpty());
  EXPECT_EQ(f.w.tree.paths, 2u);
  EXPECT_EQ(f.shown(f.w, 2)[0], 2u) << "of the innermost entry the right side issues";
  // E comes to F first: the entry is popped, and nobody has to give way.
  EXPECT_EQ(f.merge_at(f.r, block_f), after_divergence::joined);
  EXPECT_EQ(f.w.state.split_mask, mask_b);
  EXPECT_EQ(f.r.state.split_mask, ~mask_b);
  EXPECT_THAT(f.told, IsEmpty());
}

TEST(dual_path_stack, a_forwarded_path_goes_to_its_merge) {
  figure_4 f({models::path_scheduler::full, true});
  f.merge_at(f.w, block_f);
  f.told.clear();
  EXPECT_EQ(f.merge_at(f.w, block_g), after_divergence::stops) << "B, before E";
  EXPECT_EQ(f.merge_at(f.r, block_f), after_divergence::joined);
  EXPECT_EQ(f.merge_at(f.r, block_g), after_divergence::stops);
  EXPECT_THAT(f.told, ElementsAre("suspend 1", "resume 1", "leave right"));
  EXPECT_EQ(f.w.state.split_mask, all);
}

TEST(dual_path_stack, a_forwarded_path_splits_when_its_entry_is_the_innermost) {
  figure_4 f({models::path_scheduler::full, true});
  f.merge_at(f.w, block_f);
  EXPECT_EQ(f.split_at(f.w, block_b, 1), after_divergence::stops);
  EXPECT_EQ(f.scheme().statistics().splits, 2u);
  EXPECT_EQ(f.merge_at(f.r, block_f), after_divergence::joined);
  EXPECT_EQ(f.w.status, wf_status::running);
  EXPECT_EQ(f.w.state.pc, block_b) << "issues it again";
  EXPECT_EQ(f.split_at(f.w, block_b, 1), after_divergence::goes_on);
  EXPECT_EQ(f.scheme().statistics().splits, 3u);
  EXPECT_EQ(f.w.state.split_mask, 1u);
  EXPECT_EQ(f.r.state.split_mask, mask_b & ~uint64_t{1});
}

// The slot of its own side may be taken by then.
TEST(dual_path_stack, a_forwarded_path_runs_in_either_slot) {
  figure_4 f({models::path_scheduler::full, true});
  EXPECT_EQ(f.merge_at(f.r, block_f), after_divergence::goes_on) << "E; B runs in its slot";
  EXPECT_EQ(f.r.state.split_mask, mask_b);
  EXPECT_EQ(f.merge_at(f.w, block_f), after_divergence::joined) << "D; F goes on here, its own slot is taken";
  EXPECT_EQ(f.w.state.split_mask, ~mask_b);
  f.r.state.pc = block_g;
  EXPECT_EQ(f.merge(f.r), after_divergence::stops);
  EXPECT_EQ(f.merge_at(f.w, block_g), after_divergence::joined);
  EXPECT_EQ(f.w.state.split_mask, all);
  EXPECT_EQ(f.r.status, wf_status::idle);
  EXPECT_EQ(f.counted_wrong(f.w), "");
}

TEST(dual_path_stack, one_path_is_visible_to_a_constrained_scheduler) {
  dual_bench bench({models::path_scheduler::constrained, false});
  resident_workgroup g;
  wf_context &w = bench.launch(g), &r = bench.right_of(w);
  EXPECT_TRUE(bench.scheme().wants_long_operations());
  bench.scheme().long_operation_issued(w, bench);
  EXPECT_THAT(bench.told, IsEmpty()) << "in one piece";
  bench.split_at(w, 0x100, low);
  EXPECT_THAT(bench.told, ElementsAre("begin right", "suspend right"));
  EXPECT_EQ(w.tree.paths, 1u);
  bench.told.clear();
  bench.scheme().long_operation_issued(w, bench);
  EXPECT_THAT(bench.told, ElementsAre("suspend 1", "release right"));
  EXPECT_EQ(bench.shown(w, 2)[0], 2u);
  bench.told.clear();
  EXPECT_EQ(bench.merge_at(r, 0x200), after_divergence::stops);
  EXPECT_EQ(w.status, wf_status::running) << "the other one goes on";
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
  EXPECT_EQ(w.tree.paths, 1u);
  EXPECT_EQ(bench.counted_wrong(w), "");
}

TEST(dual_path_stack, a_barrier_waits_for_a_path_that_is_suspended) {
  figure_4 f;  // B is suspended, D and E run
  f.launch(f.g).become(wf_status::barrier);
  f.w.become(wf_status::draining);
  f.r.become(wf_status::draining);
  EXPECT_FALSE(f.g.barrier_complete());
}

TEST(dual_path_stack, errors_of_the_program) {
  dual_bench bench({}, 2);
  resident_workgroup g;
  wf_context &w = bench.launch(g), &r = bench.right_of(w);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("merge without a split"));
  EXPECT_EQ(error_of([&] { bench.scheme().check_barrier(w); }), "none");
  bench.split_at(w, 0x100, low);
  EXPECT_THAT(error_of([&] { bench.scheme().check_barrier(r); }), HasSubstr("s_barrier inside a split region"));
  bench.split_at(w, 0x110, 1);
  EXPECT_THAT(error_of([&] { bench.split(r, 2); }), HasSubstr("the stack is full: 2 splits"));
  bench.merge_at(r, 0x200);
  EXPECT_THAT(error_of([&] { bench.merge_at(w, 0x208); }), HasSubstr("this merge meets another one, at 0x200"));
}

TEST(dual_path_stack, wavefronts_have_slots_of_their_own) {
  dual_bench bench;
  resident_workgroup g;
  wf_context &v = bench.launch(g), &w = bench.launch(g);
  EXPECT_EQ(bench.contexts().of(v).in_use(), 4u);
  EXPECT_EQ(bench.contexts().of(v).wavefronts(), 2u);
  EXPECT_EQ(bench.right_of(v).rank.value, v.rank.value + 1) << "as old as its wavefront";
  EXPECT_EQ(w.rank.value, 2u);
  bench.split_at(v, 0x100, low);
  EXPECT_FALSE(w.is_split());
  EXPECT_EQ(bench.right_of(w).status, wf_status::idle);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("merge without a split"));
}

}  // namespace
}  // namespace pws::test::dual_path_stack_test
