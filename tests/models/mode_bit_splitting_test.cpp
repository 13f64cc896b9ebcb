// SPDX-License-Identifier: Apache-2.0
// Splitting by a bit of MODE, at branches on EXEC, for good (thesis 4.3 and 4.5).
#include "models/divergence/mode_bit_splitting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/models/scheme_bench.h"

namespace pws::test::mode_bit_splitting_test {
namespace {

using models::divergence_kind;
using models::resident_workgroup;
using models::wf_context;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t low = 0xffffffff, all = ~uint64_t{0};

models::machine_config forced(uint32_t s) {
  models::machine_config c = one_simd(divergence_kind::pws_mode, s);
  c.force_mode_split = true;
  return c;
}

void set_exec(wf_context& w, uint64_t mask) {
  w.state.set_scalar64(isa::exec_lo, mask);
}

TEST(mode_bit_splitting, each_side_goes_its_own_way) {
  scheme_bench bench(forced(1));
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  set_exec(w, low);
  bench.branch_execz(w, 5);
  wf_context& swf = bench.swf_of(w, 2);
  EXPECT_EQ(w.state.split_mask, low);
  EXPECT_EQ(w.state.pc, 4u);
  EXPECT_EQ(swf.state.split_mask, ~low);
  EXPECT_EQ(swf.state.pc, 4u + 5 * 4) << "none of its own is active: it takes the branch";
  EXPECT_EQ(bench.counted_wrong(w), "");
  EXPECT_NO_THROW(bench.scheme().check_barrier(w));
  EXPECT_EQ(g.running, 2u);
}

TEST(mode_bit_splitting, only_where_some_and_not_all_are_active) {
  for (const uint32_t work_items : {64u, 40u}) {
    scheme_bench bench(forced(1));
    resident_workgroup g;
    wf_context& w = bench.launch(g, work_items);
    set_exec(w, 0);
    bench.branch_execz(w, 1);
    EXPECT_EQ(w.state.pc, 8u);
    set_exec(w, all);  // with the lanes that have no work-item
    bench.branch_execz(w, 1);
    set_exec(w, w.tree.launched);
    bench.branch_execz(w, 1);
    EXPECT_THAT(bench.told, IsEmpty());
    set_exec(w, uint64_t{1} << (work_items - 1));  // the last work-item alone
    bench.branch_execz(w, 1);
    EXPECT_THAT(bench.told, ElementsAre("begin 2"));
  }
}

TEST(mode_bit_splitting, the_bit_asks_for_it) {
  scheme_bench bench(one_simd(divergence_kind::pws_mode, 1));
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  set_exec(w, low);
  bench.branch_execz(w, 1);
  EXPECT_THAT(bench.told, IsEmpty());
  w.state.mode |= 1u << 21;
  bench.branch_execz(w, 1);
  EXPECT_THAT(bench.told, ElementsAre("begin 2"));
}

// Whoever is last finishes the wavefront, and nobody before.
TEST(mode_bit_splitting, ends_with_its_last_part) {
  std::mt19937 random(1);
  for (unsigned turn = 0; turn < 200; ++turn) {
    const uint32_t s = turn % 4;
    scheme_bench bench(forced(s));
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    uint32_t live = 1;
    while (live > 0) {
      std::vector<wf_context*> running;
      for (wf_context* c : bench.in_use())
        if (c->status == models::wf_status::running) running.push_back(c);
      ASSERT_EQ(running.size(), live);
      wf_context& c = *running[random() % running.size()];
      if (random() % 3 == 0) {
        bench.end(c);
        --live;
      } else {
        const uint64_t mask = uint64_t{random()} << 32 | random();
        const uint64_t before = bench.scheme().statistics().splits;
        set_exec(c, mask);
        bench.branch_execz(c, 1);
        live += static_cast<uint32_t>(bench.scheme().statistics().splits - before);
      }
      ASSERT_EQ(w.tree.live, live);
      ASSERT_EQ(w.tree.paths, live);
      ASSERT_EQ(g.running, live);
      ASSERT_LE(live, s + 1);
      ASSERT_EQ(std::count(bench.told.begin(), bench.told.end(), "finish"), live == 0 ? 1 : 0);
    }
  }
}

}  // namespace
}  // namespace pws::test::mode_bit_splitting_test
