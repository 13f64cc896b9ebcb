// SPDX-License-Identifier: Apache-2.0
// Paths that take turns: convergence barriers, who has the turn, yields, waits for memory, ends and barriers of the
// workgroup.
#include "models/divergence/path_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "models/isa/code/decode.h"
#include "tests/models/scheme_bench.h"

namespace pws::test::path_turns_test {
namespace {

using models::after_divergence;
using models::divergence_kind;
using models::resident_workgroup;
using models::turn_path;
using models::wf_context;
using models::wf_status;
using place = models::turn_path::place;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t all = ~uint64_t{0}, low = 0xffffffff, high = ~low;

struct turns_bench : scheme_bench {
  explicit turns_bench(divergence_kind k, const std::function<void(models::machine_config&)>& change = {})
      : scheme_bench(config(k, change)) {}
  static models::machine_config config(divergence_kind k, const std::function<void(models::machine_config&)>& change) {
    models::machine_config c = one_simd(k, 0, 2);
    c.convergence.yield_branches = 3;
    if (change) change(c);
    return c;
  }
  const models::path_turns& turns() { return dynamic_cast<const models::path_turns&>(scheme()); }
  const turn_path& path(const wf_context& w, unsigned work_item) {
    for (const turn_path& p : turns().paths(w))
      if ((p.context->state.split_mask >> work_item & 1) != 0) return p;
    throw std::logic_error("nobody has this work-item");
  }
  wf_context& of(const wf_context& w, unsigned work_item) { return *path(w, work_item).context; }
  std::vector<uint64_t> masks(const wf_context& w) {
    std::vector<uint64_t> list;
    for (const turn_path& p : turns().paths(w)) list.push_back(p.context->state.split_mask);
    return list;
  }
  // The work-items that have the turn; 0: nobody's.
  uint64_t issuing(const wf_context& w) {
    uint64_t lanes = 0;
    for (const turn_path& p : turns().paths(w)) {
      const bool runs = p.context->status == wf_status::running || p.context->status == wf_status::waitcnt;
      EXPECT_EQ(runs, p.where == place::active);
      if (runs) lanes |= p.context->state.split_mask;
    }
    return lanes;
  }
  after_divergence split_at(wf_context& w, uint64_t pc, uint64_t mask) {
    w.state.pc = pc;
    return split(w, mask);
  }
  after_divergence merge_at(wf_context& w, uint64_t pc) {
    w.state.pc = pc;
    return merge(w);
  }
  // An instruction of one dword that is executed: s_sleep, or a branch, which goes on at `to`.
  bool executes(wf_context& w, uint32_t word, uint64_t to) {
    const isa::inst i = isa::decode(&word, 1, w.state.pc);
    w.state.pc = to;
    return scheme().may_yield_at(i) && scheme().yields(w, i, *this);
  }
  bool sleeps(wf_context& w) { return executes(w, 0xbf8e0001, w.state.pc + 4); }
  bool branches_back(wf_context& w) { return executes(w, 0xbf82fff0, w.state.pc - 60); }
  bool branches_ahead(wf_context& w) { return executes(w, 0xbf820010, w.state.pc + 68); }
};

class both_schemes : public testing::TestWithParam<divergence_kind> {};
INSTANTIATE_TEST_SUITE_P(path_turns, both_schemes,
                         testing::Values(divergence_kind::subwarps, divergence_kind::convergence),
                         [](const auto& k) { return std::string(models::traits_of(k.param).name); });

TEST_P(both_schemes, one_path_issues_at_a_time_and_all_meet_at_the_merge) {
  turns_bench bench(GetParam());
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_EQ(bench.split_at(w, 0x100, low), after_divergence::goes_on);
  EXPECT_THAT(bench.masks(w), ElementsAre(low, high));
  EXPECT_EQ(bench.issuing(w), low) << "the left side goes on";
  wf_context& r = bench.of(w, 63);
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::stops);
  EXPECT_EQ(w.status, wf_status::merge);
  EXPECT_EQ(bench.issuing(w), high);
  bench.told.clear();
  EXPECT_EQ(bench.merge_at(r, 0x200), after_divergence::stops);
  EXPECT_THAT(bench.told, ElementsAre("leave further", "resume 1"));
  EXPECT_THAT(bench.masks(w), ElementsAre(all));
  EXPECT_EQ(w.state.pc, 0x204u);
  EXPECT_FALSE(w.is_split());
  EXPECT_EQ(bench.counted_wrong(w), "");
  EXPECT_EQ(bench.scheme().statistics().merges, 1u);
  EXPECT_EQ(bench.scheme().statistics().turns, 2u);
  bench.end(w);
  EXPECT_EQ(bench.told.back(), "finish");
}

TEST_P(both_schemes, nested_splits_meet_from_the_inside_out) {
  turns_bench bench(GetParam());
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  bench.split_at(w, 0x110, 0xff);
  EXPECT_THAT(bench.masks(w), ElementsAre(0xff, high, low & ~uint64_t{0xff}));
  EXPECT_EQ(bench.scheme().statistics().open_barriers, 2u);
  bench.merge_at(w, 0x150);
  EXPECT_EQ(bench.issuing(w), high) << "in the order of the table";
  bench.merge_at(bench.of(w, 63), 0x200);
  wf_context& inner = bench.of(w, 8);
  EXPECT_EQ(bench.issuing(w), low & ~uint64_t{0xff});
  EXPECT_EQ(bench.merge_at(inner, 0x150), after_divergence::stops) << "one with the wavefront's own context";
  EXPECT_EQ(bench.issuing(w), low) << "the outer barrier waits for it";
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
  EXPECT_THAT(bench.masks(w), ElementsAre(all));
  EXPECT_EQ(bench.counted_wrong(w), "");
}

TEST_P(both_schemes, a_side_without_work_items_has_a_merge_too) {
  turns_bench bench(GetParam());
  resident_workgroup g;
  wf_context& w = bench.launch(g, 32);
  for (const uint64_t mask : {uint64_t{0}, all, low, high}) {
    EXPECT_EQ(bench.split_at(w, 0x100, mask), after_divergence::goes_on);
    EXPECT_FALSE(w.is_split()) << "lanes without work-item are no side";
    EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined);
  }
  EXPECT_EQ(bench.scheme().statistics().one_sided, 4u);
  EXPECT_EQ(bench.scheme().statistics().splits, 0u);
}

// Whichever ends, with the wavefront's own context or another one.
TEST_P(both_schemes, nobody_waits_for_who_has_ended) {
  for (const unsigned ends : {0u, 63u})
    for (const bool waits_first : {false, true}) {
      turns_bench bench(GetParam());
      resident_workgroup g;
      wf_context& w = bench.launch(g);
      bench.split_at(w, 0x100, low);
      wf_context &ending = bench.of(w, ends), &other = bench.of(w, 63 - ends);
      if (waits_first) {
        bench.merge_at(other, 0x200);
        bench.end(ending);
        EXPECT_EQ(other.state.pc, 0x204u);
      } else {
        bench.end(ending);
        EXPECT_EQ(bench.merge_at(other, 0x200), after_divergence::joined);
      }
      EXPECT_EQ(bench.turns().paths(w).size(), 1u);
      EXPECT_EQ(bench.issuing(w), other.state.split_mask);
      EXPECT_THAT(error_of([&] { bench.merge(other); }), HasSubstr("merge without a split"));
      bench.end(other);
      EXPECT_EQ(bench.told.back(), "finish");
      EXPECT_EQ(g.running, 0u);
    }
}

TEST_P(both_schemes, a_barrier_that_all_have_left_is_used_again) {
  turns_bench bench(GetParam(), [](auto& c) { c.child_stack_entries = 1; });
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  for (int k = 0; k < 100; ++k) {
    bench.split_at(w, 0x100, low);
    bench.merge_at(w, 0x200);
    bench.merge_at(bench.of(w, 63), 0x200);
  }
  bench.split_at(w, 0x100, low);
  bench.end(w);
  wf_context& r = bench.of(w, 63);
  EXPECT_EQ(bench.merge_at(r, 0x200), after_divergence::joined);
  bench.split_at(r, 0x100, uint64_t{1} << 40);
  EXPECT_EQ(bench.scheme().statistics().open_barriers, 1u);
}

TEST_P(both_schemes, errors_of_programs) {
  turns_bench bench(GetParam(), [](auto& c) { c.child_stack_entries = 2; });
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("merge without a split"));
  bench.split_at(w, 0x100, low);
  EXPECT_THAT(error_of([&] { bench.scheme().check_barrier(w); }), HasSubstr("s_barrier inside a split region"));
  EXPECT_THAT(error_of([&] { bench.scheme().check_grid_barrier(w); }), HasSubstr("has other paths"));
  bench.split_at(w, 0x110, 1);
  EXPECT_THAT(error_of([&] { bench.split_at(w, 0x120, 0); }),
              HasSubstr("all 2 convergence barriers of this path are open"));
  bench.merge_at(w, 0x200);
  EXPECT_THAT(error_of([&] { bench.merge_at(bench.of(w, 1), 0x240); }),
              HasSubstr("this merge meets another one, at 0x200"));
}

TEST_P(both_schemes, what_waveform_and_debug_window_show) {
  turns_bench bench(GetParam());
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  bench.of(w, 63).state.pc = 0x300;
  bench.merge_at(w, 0x200);
  const std::vector<models::shown_register> registers = bench.scheme().shown();
  std::vector<uint64_t> values(registers.size());
  bench.scheme().show(w, values.data());
  std::map<std::string, uint64_t> shown;
  for (size_t k = 0; k < registers.size(); ++k) shown[registers[k].name] = values[k];
  EXPECT_EQ(shown.at("turns.paths"), 2u);
  EXPECT_EQ(shown.at("turns.active"), 2u);
  EXPECT_EQ(shown.at("turns.path0.mask"), low);
  EXPECT_EQ(shown.at("turns.path0.place"), static_cast<uint64_t>(place::at_merge));
  EXPECT_EQ(shown.at("turns.path0.barriers"), 1u);
  EXPECT_EQ(shown.at("turns.path1.pc"), 0x300u);
  EXPECT_EQ(shown.at("turns.path1.mask"), high);
  EXPECT_EQ(shown.at("turns.path1.place"), static_cast<uint64_t>(place::active));
  EXPECT_EQ(shown.at("turns.path2.mask"), 0u);
  uint64_t last = 0;
  for (const models::shown_register& r : registers) last = std::max(last, r.record_offset + r.record_bytes);
  EXPECT_LE(last, 0x400u) << "a record";
}

// ---- convergence

TEST(convergence_barriers, a_path_yields_at_s_sleep_and_after_some_backward_branches) {
  turns_bench bench(divergence_kind::convergence);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  w.state.pc = 0x1000;
  for (int k = 0; k < 9; ++k) EXPECT_FALSE(bench.sleeps(w) || bench.branches_back(w)) << "there is no other path";
  bench.split_at(w, 0x1000, low);
  wf_context& r = bench.of(w, 63);
  EXPECT_FALSE(bench.branches_back(w) || bench.branches_back(w) || bench.branches_ahead(w));
  EXPECT_TRUE(bench.branches_back(w)) << "the third";
  EXPECT_EQ(bench.issuing(w), high);
  EXPECT_EQ(bench.path(w, 0).where, place::ready);
  r.state.pc = 0x2000;
  EXPECT_TRUE(bench.sleeps(r));
  EXPECT_EQ(bench.issuing(w), low);
  EXPECT_FALSE(bench.branches_back(w)) << "counted from its turn on";
  EXPECT_EQ(bench.scheme().statistics().yields, 2u);
}

TEST(convergence_barriers, branches_are_not_counted_if_the_key_is_0) {
  turns_bench bench(divergence_kind::convergence, [](auto& c) { c.convergence.yield_branches = 0; });
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x1000, low);
  for (int k = 0; k < 1000; ++k) {
    w.state.pc = 0x1000;
    EXPECT_FALSE(bench.branches_back(w));
  }
  EXPECT_TRUE(bench.sleeps(w));
}

// The patent's claim 1: a barrier is cleared when every participant is blocked or has yielded.
TEST(convergence_barriers, who_has_yielded_is_not_waited_for) {
  turns_bench bench(divergence_kind::convergence);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  wf_context& r = bench.of(w, 63);
  bench.merge_at(w, 0x200);
  r.state.pc = 0x180;
  EXPECT_TRUE(bench.sleeps(r));
  EXPECT_EQ(bench.issuing(w), low);
  EXPECT_EQ(w.state.pc, 0x204u) << "it has passed";
  EXPECT_EQ(bench.scheme().statistics().late, 0u);
  // They stay apart, and each comes to s_barrier by itself.
  EXPECT_EQ(error_of([&] { bench.scheme().check_barrier(w); }), "none");
  w.become(wf_status::barrier);
  bench.scheme().waits_at_barrier(w, bench);
  EXPECT_EQ(bench.path(w, 63).where, place::active);
  EXPECT_EQ(bench.merge_at(r, 0x200), after_divergence::joined) << "alone";
  EXPECT_EQ(bench.scheme().statistics().late, 1u);
  r.become(wf_status::barrier);
  bench.scheme().waits_at_barrier(r, bench);
  EXPECT_TRUE(g.barrier_complete());
  for (wf_context* c : {&w, &r}) {
    c->become(wf_status::running);
    bench.scheme().leaves_barrier(*c, bench);
  }
  EXPECT_EQ(bench.issuing(w), low) << "one at a time";
  bench.end(w);
  EXPECT_EQ(bench.issuing(w), high);
  bench.end(r);
  EXPECT_EQ(bench.told.back(), "finish");
}

// Nor further out, while it has not had its turn again. Then it passes what the others have passed by itself.
TEST(convergence_barriers, who_has_yielded_is_late_at_each_barrier_that_is_passed_meanwhile) {
  turns_bench bench(divergence_kind::convergence);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  bench.split_at(w, 0x110, 0xff);
  wf_context &outer = bench.of(w, 63), &inner = bench.of(w, 8);
  bench.merge_at(w, 0x150);
  bench.merge_at(outer, 0x200);
  inner.state.pc = 0x130;
  EXPECT_TRUE(bench.sleeps(inner));
  EXPECT_EQ(bench.issuing(w), 0xffu);
  EXPECT_EQ(bench.merge_at(w, 0x200), after_divergence::joined) << "with the outer split's other side";
  EXPECT_THAT(bench.masks(w), ElementsAre(high | 0xff, low & ~uint64_t{0xff}));
  EXPECT_TRUE(bench.sleeps(w));
  EXPECT_EQ(bench.merge_at(inner, 0x150), after_divergence::joined);
  EXPECT_EQ(bench.merge_at(inner, 0x200), after_divergence::joined);
  EXPECT_EQ(bench.scheme().statistics().late, 2u);
  EXPECT_EQ(bench.counted_wrong(w), "");
  bench.split_at(inner, 0x300, uint64_t{1} << 8);
  bench.merge_at(inner, 0x340);
  EXPECT_EQ(bench.issuing(w), low & ~uint64_t{0x1ff}) << "in the order of the table";
}

// ---- subwarps

TEST(subwarp_interleaving, a_path_that_waits_for_memory_is_set_aside) {
  turns_bench bench(divergence_kind::subwarps);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_FALSE(bench.scheme().stalls(w, bench)) << "in one piece";
  bench.split_at(w, 0x100, low);
  wf_context& r = bench.of(w, 63);
  EXPECT_TRUE(bench.scheme().stalls(w, bench));
  EXPECT_EQ(bench.issuing(w), high);
  EXPECT_EQ(bench.path(w, 0).where, place::stalled);
  EXPECT_FALSE(bench.scheme().stalls(r, bench)) << "nobody can issue: it keeps the turn";
  r.become(wf_status::waitcnt);
  r.front.ready_at = models::never;
  bench.scheme().data_is_here(w, 100, bench);
  EXPECT_EQ(bench.issuing(w), low) << "taken from the one that waits";
  EXPECT_EQ(bench.path(w, 63).where, place::stalled);
  bench.scheme().data_is_here(r, 110, bench);
  EXPECT_EQ(bench.issuing(w), low) << "from one that issues nothing is taken";
  EXPECT_EQ(bench.path(w, 63).where, place::ready);
}

TEST(subwarp_interleaving, if_all_are_stalled_the_first_with_data_goes_on) {
  turns_bench bench(divergence_kind::subwarps);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  EXPECT_TRUE(bench.scheme().stalls(w, bench));
  bench.merge_at(bench.of(w, 63), 0x200);
  EXPECT_EQ(bench.issuing(w), 0u);
  bench.scheme().data_is_here(w, 100, bench);
  EXPECT_EQ(bench.issuing(w), low);
}

// Four paths in a table of two: the third begins when one of the first two has come to its merge.
TEST(subwarp_interleaving, so_many_paths_begin_as_there_are_entries) {
  turns_bench bench(divergence_kind::subwarps, [](auto& c) { c.subwarps.entries = 2; });
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  bench.split_at(w, 0x110, 0xff);
  EXPECT_TRUE(bench.scheme().stalls(w, bench));
  wf_context& r = bench.of(w, 63);
  EXPECT_EQ(bench.issuing(w), high);
  EXPECT_FALSE(bench.scheme().stalls(r, bench)) << "two have begun";
  bench.merge_at(r, 0x200);
  EXPECT_EQ(bench.issuing(w), low & ~uint64_t{0xff});
  turns_bench alone(divergence_kind::subwarps, [](auto& c) { c.subwarps.entries = 1; });
  wf_context& x = alone.launch(g);
  alone.split_at(x, 0x100, low);
  EXPECT_FALSE(alone.scheme().stalls(x, alone)) << "as on a stack";
}

}  // namespace
}  // namespace pws::test::path_turns_test
