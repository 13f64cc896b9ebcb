// SPDX-License-Identifier: Apache-2.0
// A reconvergence stack: the entries in the order of the DPE paper's Figure 2, sides that end, and errors.
#include "models/divergence/reconvergence_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/models/scheme_bench.h"

namespace pws::test::reconvergence_stack_test {
namespace {

using models::after_divergence;
using models::divergence_kind;
using models::reconvergence_stack;
using models::resident_workgroup;
using models::wf_context;
using models::wf_status;
using place = models::stacked_path::place;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t all = ~uint64_t{0}, low = 0xffffffff;
// The figure's masks: B 1000, C 0111, D 0100, E 0011, a bit for 16 work-items.
constexpr uint64_t mask_b = 0xffff, mask_d = 0xffff0000;

// A bench whose program the test walks through by itself.
struct stack_bench : scheme_bench {
  explicit stack_bench(uint32_t limit = 64, bool isolation = false) : scheme_bench(config(limit, isolation)) {}
  static models::machine_config config(uint32_t limit, bool isolation) {
    models::machine_config c = one_simd(divergence_kind::stack, 0);
    c.child_stack_entries = limit;
    c.check.split_isolation = isolation;
    return c;
  }
  const std::deque<models::stack_entry>& entries(const wf_context& w) {
    return dynamic_cast<const reconvergence_stack&>(scheme()).entries(w);
  }
  after_divergence merge_at(wf_context& w, uint64_t pc) {
    w.state.pc = pc;
    return merge(w);
  }
  after_divergence split_at(wf_context& w, uint64_t pc, uint64_t mask) {
    w.state.pc = pc;
    return split(w, mask);
  }
  // PCs and masks as waveform and debug window show them: path, depth, then the entries.
  std::vector<uint64_t> shown(const wf_context& w, size_t registers) {
    std::vector<uint64_t> values(scheme().shown().size());
    scheme().show(w, values.data());
    values.resize(registers);
    return values;
  }
};

TEST(reconvergence_stack, figure_2) {
  constexpr uint64_t after_a = 0x104, block_c = 0x140, after_c = 0x164, block_f = 0x200, block_g = 0x240;
  stack_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_THAT(bench.shown(w, 7), ElementsAre(0, 0, 0, 0, 0, 0, 0));
  EXPECT_EQ(bench.split_at(w, after_a - 4, mask_b), after_divergence::goes_on);  // (b): B goes first
  EXPECT_EQ(w.state.split_mask, mask_b);
  EXPECT_THAT(bench.shown(w, 7), ElementsAre(1, 1, after_a, mask_b, after_a, ~mask_b, 0));
  EXPECT_EQ(bench.merge_at(w, block_g), after_divergence::goes_on);  // (c): C
  EXPECT_EQ(w.state.pc, after_a);
  EXPECT_EQ(w.state.split_mask, ~mask_b);
  w.state.pc = block_c;
  EXPECT_THAT(bench.shown(w, 7), ElementsAre(2, 1, block_g + 4, 0, block_c, ~mask_b, block_g));
  EXPECT_EQ(bench.split_at(w, after_c - 4, mask_d), after_divergence::goes_on);  // (d): D
  EXPECT_EQ(w.state.split_mask, mask_d);
  // C's place is where D and E meet, as soon as that is known.
  const uint64_t e = ~(mask_b | mask_d);
  EXPECT_THAT(bench.shown(w, 12),
              ElementsAre(1, 2, block_g + 4, 0, 0, ~mask_b, block_g, after_c, mask_d, after_c, e, 0));
  EXPECT_EQ(bench.merge_at(w, block_f), after_divergence::goes_on);  // E
  EXPECT_THAT(bench.shown(w, 12),
              ElementsAre(2, 2, block_g + 4, 0, block_f, ~mask_b, block_g, block_f + 4, 0, after_c, e, block_f));
  EXPECT_EQ(bench.merge_at(w, block_f), after_divergence::joined);  // (e): F
  EXPECT_EQ(w.state.split_mask, ~mask_b);
  EXPECT_THAT(bench.shown(w, 12), ElementsAre(2, 1, block_g + 4, 0, block_f + 4, ~mask_b, block_g, 0, 0, 0, 0, 0));
  EXPECT_EQ(bench.merge_at(w, block_g), after_divergence::joined);  // (f): G
  EXPECT_EQ(w.state.split_mask, all);
  EXPECT_EQ(w.state.pc, block_g + 4);
  EXPECT_THAT(bench.entries(w), IsEmpty());
  EXPECT_EQ(bench.scheme().statistics().splits, 2u);
  EXPECT_EQ(bench.scheme().statistics().merges, 2u);
  EXPECT_EQ(bench.scheme().statistics().deepest, 2u);
  EXPECT_THAT(bench.told, IsEmpty()) << "one context, which always runs";
  EXPECT_FALSE(w.is_split());
  EXPECT_EQ(bench.counted_wrong(w), "");
  bench.end(w);
  EXPECT_THAT(bench.told, ElementsAre("finish"));
}

TEST(reconvergence_stack, each_side_has_its_own_scalar_registers) {
  stack_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  w.state.scalar[20] = 1;
  w.state.scc = true;
  w.state.set_scalar64(isa::exec_lo, 0xf0);
  w.state.time = 500;
  bench.merge_at(w, 0x200);
  EXPECT_EQ(w.state.scalar[20], 0u) << "as at the split";
  EXPECT_FALSE(w.state.scc);
  EXPECT_EQ(w.state.scalar64(isa::exec_lo), all);
  EXPECT_EQ(w.state.time, 500u) << "time goes on";
  w.state.scalar[20] = 2;
  w.state.set_scalar64(isa::exec_lo, uint64_t{0xf} << 40);
  bench.merge_at(w, 0x200);
  EXPECT_EQ(w.state.scalar[20], 1u) << "the left side's";
  EXPECT_TRUE(w.state.scc);
  EXPECT_EQ(w.state.scalar64(isa::exec_lo), 0xf0 | uint64_t{0xf} << 40);
}

TEST(reconvergence_stack, sides_without_a_work_item) {
  stack_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g, 33);
  bench.split(w, uint64_t{1} << 63);  // a lane that has none
  bench.split(w, 0);
  bench.split(w, all);
  EXPECT_EQ(bench.scheme().statistics().one_sided, 3u);
  EXPECT_FALSE(w.is_split());
  EXPECT_EQ(w.state.split_mask, all);
  bench.split(w, uint64_t{1} << 32);  // the last one alone
  EXPECT_TRUE(w.is_split());
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::goes_on);
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(bench.merge(w), after_divergence::joined);
  EXPECT_EQ(bench.scheme().statistics().merges, 1u);
  EXPECT_THAT(bench.entries(w), IsEmpty());
}

// Either side, or both, or a side of a side; what is left goes on where it stands, and every merge finds its split.
TEST(reconvergence_stack, sides_that_end) {
  for (const bool left_ends : {true, false}) {
    stack_bench bench;
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    bench.split_at(w, 0x100, low);
    if (!left_ends) {
      EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::goes_on);
    }
    bench.end(w);
    EXPECT_EQ(w.status, wf_status::running);
    EXPECT_EQ(g.running, 1u);
    EXPECT_EQ(w.state.split_mask, left_ends ? ~low : low);
    EXPECT_EQ(w.state.pc, left_ends ? 0x104u : 0x204u);
    EXPECT_THAT(bench.told, ElementsAre(left_ends ? "replace 1" : "resume 1"));
    EXPECT_FALSE(w.is_split());
    if (left_ends) {
      EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
    }
    EXPECT_THAT(bench.entries(w), IsEmpty());
    EXPECT_EQ(bench.counted_wrong(w), "");
    bench.end(w);
    EXPECT_EQ(bench.told.back(), "finish");
    EXPECT_EQ(g.running, 0u);
  }
  stack_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  bench.split_at(w, 0x110, 1);
  bench.end(w);  // the left side's left side
  bench.end(w);  // and its right side: nobody comes to the inner merge
  EXPECT_THAT(bench.told, ElementsAre("replace 1", "replace 1"));
  EXPECT_EQ(w.state.split_mask, ~low);
  EXPECT_EQ(w.state.pc, 0x104u);
  EXPECT_EQ(bench.entries(w).size(), 1u);
  EXPECT_EQ(bench.entries(w)[0].left.where, place::nowhere);
  bench.end(w);
  EXPECT_EQ(bench.told.back(), "finish");
  EXPECT_THAT(bench.entries(w), IsEmpty());
}

TEST(reconvergence_stack, a_barrier_waits_for_a_side_that_waits) {
  stack_bench bench;
  resident_workgroup g;
  wf_context &w = bench.launch(g), &other = bench.launch(g);
  other.become(wf_status::barrier);
  bench.split_at(w, 0x100, low);
  w.become(wf_status::draining);  // the left side is past s_endpgm, the right one has not begun
  EXPECT_FALSE(g.barrier_complete());
  bench.end(w);
  EXPECT_FALSE(g.barrier_complete());
  w.become(wf_status::draining);
  EXPECT_TRUE(g.barrier_complete()) << "nobody of the wavefront will come";
}

TEST(reconvergence_stack, errors_of_the_program) {
  stack_bench bench(2);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("merge without a split"));
  EXPECT_EQ(error_of([&] { bench.scheme().check_barrier(w); }), "none");
  bench.split(w, all);
  EXPECT_EQ(error_of([&] { bench.scheme().check_barrier(w); }), "none") << "in one piece";
  bench.split_at(w, 0x100, low);
  EXPECT_THAT(error_of([&] { bench.scheme().check_barrier(w); }), HasSubstr("s_barrier inside a split region"));
  EXPECT_THAT(error_of([&] { bench.split(w, low); }), HasSubstr("the stack is full: 2 splits"));
  bench.merge_at(w, 0x200);
  EXPECT_THAT(error_of([&] { bench.merge_at(w, 0x208); }), HasSubstr("this merge meets another one, at 0x200"));
}

TEST(reconvergence_stack, wavefronts_have_stacks_of_their_own) {
  stack_bench bench;
  resident_workgroup g;
  wf_context &w = bench.launch(g), &v = bench.launch(g);
  bench.split_at(w, 0x100, low);
  EXPECT_THAT(bench.entries(v), IsEmpty());
  bench.split_at(v, 0x100, 1);
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::goes_on);
  EXPECT_EQ(v.state.split_mask, 1u);
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
  EXPECT_EQ(bench.entries(v).size(), 1u);
}

// As deep as work-items allow: every split takes one lane off. Entries that neither waveform nor record have room for
// are in the stack all the same.
TEST(reconvergence_stack, sixty_three_nested_splits) {
  stack_bench bench(64);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  for (unsigned k = 0; k < 63; ++k) bench.split_at(w, 0x100, all << (k + 1));
  EXPECT_EQ(w.state.split_mask, uint64_t{1} << 63);
  EXPECT_EQ(w.tree.stacked, 63u);
  EXPECT_EQ(bench.shown(w, 2)[1], 63u);
  EXPECT_EQ(bench.shown(w, 6)[5], 1u) << "the first right side: lane 0";
  for (unsigned k = 63; k-- > 0;) {
    EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::goes_on);
    EXPECT_EQ(w.state.split_mask, uint64_t{1} << k);
    EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
    EXPECT_EQ(w.state.split_mask, all << k);
  }
  EXPECT_EQ(bench.scheme().statistics().deepest, 63u);
  EXPECT_FALSE(w.is_split());
}

}  // namespace
}  // namespace pws::test::reconvergence_stack_test
