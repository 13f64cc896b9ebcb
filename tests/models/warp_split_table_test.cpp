// SPDX-License-Identifier: Apache-2.0
// The warp-split table: who is subdivided and who goes on the stack, merges that are passed, warp-splits that meet, the
// reconvergence PC, ends and barriers.
#include "models/divergence/warp_split_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/models/code_words.h"
#include "tests/models/scheme_bench.h"

namespace pws::test::warp_split_table_test {
namespace {

using models::after_divergence;
using models::resident_workgroup;
using models::warp_split_table;
using models::wf_context;
using models::wf_status;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t all = ~uint64_t{0}, low = 0xffffffff, high = ~low;

// Code in which a split at dword 0 is closed by the merge at dword 1, with `behind` instructions behind it.
struct code {
  explicit code(unsigned behind) : words(2 + behind, s_nop), program(words.data(), 0, words.size()) {
    words[0] = split;
    words[1] = merge;
    words.push_back(s_endpgm);
    program = isa::program(words.data(), 0, words.size());
  }
  std::vector<uint32_t> words;
  isa::program program;
};

struct table_bench : scheme_bench {
  explicit table_bench(std::optional<uint32_t> threshold = {}) : scheme_bench(config(threshold)) {}
  explicit table_bench(const models::machine_config& c) : scheme_bench(c) {}
  static models::machine_config config(std::optional<uint32_t> threshold) {
    models::machine_config c = one_simd(models::divergence_kind::dws_table, 0, 2);
    c.dws.threshold = threshold;
    return c;
  }
  const warp_split_table& table() { return dynamic_cast<const warp_split_table&>(scheme()); }
  // The context of the wavefront's warp-split with this work-item.
  wf_context& of(const wf_context& w, unsigned work_item) {
    for (const models::warp_split& s : table().splits(w))
      if ((s.context->state.split_mask >> work_item & 1) != 0) return *s.context;
    throw std::logic_error("nobody has this work-item");
  }
  std::vector<uint64_t> masks(const wf_context& w) {
    std::vector<uint64_t> list;
    for (const models::warp_split& s : table().splits(w)) list.push_back(s.context->state.split_mask);
    return list;
  }
  after_divergence merge_at(wf_context& w, uint64_t pc) {
    w.state.pc = pc;
    return merge(w);
  }
  after_divergence split_at(wf_context& w, uint64_t pc, uint64_t mask) {
    w.state.pc = pc;
    return split(w, mask);
  }
};

TEST(warp_split_table, a_short_block_behind_the_merge_subdivides) {
  for (const unsigned behind : {0u, 1u, 9u, 10u, 11u}) {
    const code c(behind);
    for (const uint32_t threshold : {0u, 10u}) {
      table_bench bench(threshold);
      resident_workgroup g;
      wf_context& w = bench.launch(g);
      isa::program program = c.program;
      w.code = &program;
      w.state.pc = 0;
      bench.split(w, low);
      // s_endpgm is an instruction of the block.
      EXPECT_EQ(bench.table().splits(w).empty(), behind + 1 > threshold) << behind << ", " << threshold;
      EXPECT_EQ(bench.scheme().statistics().splits, 1u);
    }
  }
}

// Figure 3: B and C on the stack, D and E in the table; both pass F, and G is their reconvergence PC.
TEST(warp_split_table, figure_3) {
  constexpr uint64_t mask_b = 0xffff, mask_d = 0xffff0000, mask_e = ~(mask_b | mask_d), block_f = 0x200,
                     block_g = 0x240;
  const code long_block(3), short_block(0);
  isa::program of_a = long_block.program, of_c = short_block.program;
  table_bench bench(2);
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  w.code = &of_a;
  bench.split_at(w, 0, mask_b);
  EXPECT_THAT(bench.masks(w), IsEmpty());
  EXPECT_EQ(bench.merge_at(w, block_g), after_divergence::goes_on) << "B; C begins";
  w.code = &of_c;
  bench.split_at(w, 0, mask_d);
  EXPECT_THAT(bench.masks(w), ElementsAre(mask_d, mask_e));
  EXPECT_THAT(bench.told, ElementsAre("begin further"));
  wf_context &d = bench.of(w, 16), &e = bench.of(w, 63);
  EXPECT_EQ(w.tree.paths, 2u);
  e.state.pc = 0x180;
  EXPECT_EQ(bench.merge_at(d, block_f), after_divergence::goes_on) << "D does not wait for E";
  EXPECT_EQ(d.state.split_mask, mask_d);
  EXPECT_EQ(bench.merge_at(d, block_g), after_divergence::stops) << "the reconvergence PC";
  EXPECT_EQ(bench.merge_at(e, block_f), after_divergence::goes_on);
  EXPECT_EQ(bench.scheme().statistics().late, 1u) << "F runs a second time";
  bench.told.clear();
  EXPECT_EQ(bench.merge_at(e, block_g), after_divergence::stops);
  EXPECT_THAT(bench.told, ElementsAre("leave further", "resume 1"));
  EXPECT_THAT(bench.masks(w), IsEmpty());
  EXPECT_EQ(w.state.split_mask, all);
  EXPECT_EQ(w.state.pc, block_g + 4);
  EXPECT_FALSE(w.is_split());
  EXPECT_EQ(bench.counted_wrong(w), "");
  EXPECT_EQ(bench.scheme().statistics().most_splits, 2u);
  EXPECT_EQ(bench.scheme().statistics().merges, 1u) << "of the stack";
}

// Whoever of the two comes last, in the wavefront's own context or another.
TEST(warp_split_table, warp_splits_that_meet_at_the_merge_of_their_split_become_one) {
  for (const bool own_context_acts : {true, false}) {
    table_bench bench;
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    bench.split_at(w, 0x100, low);
    wf_context &l = bench.of(w, 0), &r = bench.of(w, 63);
    l.state.scalar[20] = r.state.scalar[20] = 7;
    l.state.pc = r.state.pc = 0x200;  // both stand at it
    bench.told.clear();
    EXPECT_EQ(bench.merge(own_context_acts ? l : r),
              own_context_acts ? after_divergence::goes_on : after_divergence::stops);
    EXPECT_THAT(bench.masks(w), ElementsAre(all));
    EXPECT_EQ(bench.table().splits(w)[0].context, &w);
    EXPECT_EQ(w.state.split_mask, all);
    EXPECT_EQ(w.state.pc, 0x204u);
    EXPECT_EQ(bench.told, own_context_acts ? (std::vector<std::string>{"leave further"})
                                           : (std::vector<std::string>{"leave further", "resume 1"}));
    EXPECT_EQ(bench.scheme().statistics().late, 0u);
    EXPECT_EQ(bench.scheme().statistics().merges, 1u);
    EXPECT_EQ(bench.counted_wrong(w), "");
  }
}

// At one merge, but of two splits: the same one executed twice, as in a loop. Their scalar registers need not agree.
TEST(warp_split_table, warp_splits_at_one_merge_of_different_splits_stay_apart) {
  table_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  wf_context &l = bench.of(w, 0), &r = bench.of(w, 63);
  bench.merge_at(l, 0x200);
  bench.split_at(l, 0x100, 0xff);
  l.state.pc = r.state.pc = 0x200;
  EXPECT_EQ(bench.merge(l), after_divergence::goes_on);
  EXPECT_THAT(bench.masks(w), ElementsAre(0xff, high, low & ~uint64_t{0xff}));
  EXPECT_EQ(bench.scheme().statistics().merges, 0u);
}

// Nobody waits at the merge until counters have room: as many become one as the counters of one can hold.
TEST(warp_split_table, warp_splits_with_too_much_under_way_stay_apart) {
  constexpr unsigned paths = 6, each = 6, fit = models::outstanding::capacity / each;
  models::operation_pool operations;
  table_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  for (unsigned k = 0; k + 2 < paths; ++k) {  // work-item k by itself, behind a merge of its own
    wf_context& rest = bench.of(w, 31);
    bench.split_at(rest, 0x110, uint64_t{1} << k);
    bench.merge_at(bench.of(w, k), 0x150);
    bench.merge_at(bench.of(w, 31), 0x150);
  }
  ASSERT_EQ(bench.masks(w).size(), paths);
  for (const models::warp_split& x : bench.table().splits(w)) {
    x.context->state.pc = 0x200;
    for (unsigned n = 0; n < each; ++n) x.context->front.vm.add(operations.acquire());
  }
  bench.merge(bench.of(w, 31));
  EXPECT_EQ(bench.masks(w).size(), paths - (fit - 1));
  EXPECT_EQ(bench.of(w, 31).front.vm.count(), fit * each);
}

TEST(warp_split_table, splits_of_one_side_have_merges_of_their_own) {
  table_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split(w, all);
  EXPECT_THAT(bench.masks(w), IsEmpty()) << "on the stack";
  EXPECT_EQ(bench.merge(w), after_divergence::joined);
  bench.split_at(w, 0x100, low);
  wf_context& r = bench.of(w, 63);
  bench.split_at(r, 0x110, 0);
  EXPECT_EQ(bench.merge_at(r, 0x120), after_divergence::goes_on);
  EXPECT_EQ(bench.table().splits(w)[1].open.size(), 1u);
  EXPECT_EQ(bench.scheme().statistics().one_sided, 2u);
}

TEST(warp_split_table, sixty_four_warp_splits_of_every_wavefront) {
  table_bench bench;
  resident_workgroup g;
  wf_context &v = bench.launch(g), &w = bench.launch(g);
  for (unsigned k = 0; k < 63; ++k)
    for (wf_context* x : {&v, &w}) bench.split(k == 0 ? *x : bench.of(*x, 63), uint64_t{1} << k);
  EXPECT_EQ(bench.table().splits(v).size(), 64u);
  EXPECT_EQ(bench.table().splits(w).size(), 64u);
  EXPECT_EQ(bench.contexts().of(v).in_use(), 128u) << "every context that there is";
  EXPECT_EQ(bench.scheme().statistics().most_splits, 64u);
  EXPECT_EQ(bench.counted_wrong(w), bench.counted_wrong(v));
  for (wf_context* x : {&v, &w})
    for (unsigned k = 0; k < 64; ++k) bench.end(bench.of(*x, k));
  EXPECT_EQ(bench.contexts().of(v).in_use(), 2u);
  EXPECT_EQ(g.running, 0u);
}

TEST(warp_split_table, warp_splits_that_end) {
  for (unsigned order = 0; order < 2; ++order)
    for (const bool one_goes_on : {false, true}) {
      const code c(30);
      isa::program program = c.program;
      table_bench bench(5);
      resident_workgroup g;
      wf_context& w = bench.launch(g);
      w.code = &program;
      bench.split_at(w, 0, low);  // on the stack
      const code inner(0);
      isa::program inner_program = inner.program;
      w.code = &inner_program;
      bench.split_at(w, 0, 0xff);
      wf_context &l = bench.of(w, 0), &r = bench.of(w, 8);
      wf_context &first = order == 0 ? l : r, &second = order == 0 ? r : l;
      bench.end(first);
      EXPECT_EQ(bench.table().splits(w).size(), 1u);
      if (one_goes_on) {
        bench.merge_at(second, 0x200);
        bench.merge_at(second, 0x240);
      } else {
        bench.end(second);
      }
      // The stack's other side runs, in the wavefront's own context.
      EXPECT_THAT(bench.masks(w), IsEmpty());
      EXPECT_EQ(w.status, wf_status::running);
      EXPECT_EQ(w.state.split_mask, high);
      EXPECT_EQ(bench.counted_wrong(w), "");
      bench.end(w);
      if (one_goes_on) {
        EXPECT_EQ(w.state.split_mask, second.is_swf() ? (low & ~uint64_t{0xff}) : uint64_t{0xff});
        EXPECT_EQ(w.state.pc, 0x244u);
        bench.end(w);
      }
      EXPECT_EQ(bench.told.back(), "finish");
      EXPECT_EQ(g.running, 0u);
    }
}

TEST(warp_split_table, barriers_and_errors) {
  table_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  EXPECT_THAT(error_of([&] { bench.merge(w); }), HasSubstr("merge without a split"));
  bench.split_at(w, 0x100, low);
  wf_context& r = bench.of(w, 63);
  EXPECT_THAT(error_of([&] { bench.scheme().check_barrier(r); }), HasSubstr("s_barrier inside a split region"));
  bench.merge_at(r, 0x200);
  EXPECT_EQ(error_of([&] { bench.scheme().check_barrier(r); }), "none") << "behind its merge it takes part by itself";
  EXPECT_THAT(error_of([&] { bench.merge(r); }), HasSubstr("merge without a split"));
}

TEST(warp_split_table, who_stands_at_one_pc_counts_as_one_path) {
  for (const bool together : {true, false}) {
    models::machine_config c = table_bench::config({});
    c.dws.pc_reconvergence = together;
    table_bench bench(c);
    resident_workgroup g;
    wf_context& w = bench.launch(g);
    std::vector<wf_context*> standing;
    bench.scheme().standing_with(w, standing);
    EXPECT_THAT(standing, ElementsAre(&w));
    EXPECT_EQ(bench.scheme().schedulable_paths(w), 1u);
    EXPECT_EQ(bench.scheme().issues_together(), together);
    bench.split_at(w, 0x100, low);
    wf_context& r = bench.of(w, 63);
    bench.split_at(r, 0x100, uint64_t{0xff} << 32);
    wf_context& s = bench.of(w, 63);
    wf_context& t = &s == &r ? bench.of(w, 32) : r;
    bench.scheme().standing_with(s, standing);
    EXPECT_THAT(standing, ::testing::UnorderedElementsAre(&w, &s, &t));
    EXPECT_EQ(bench.scheme().schedulable_paths(w), together ? 1u : 3u);
    s.state.pc = 0x200;
    bench.scheme().standing_with(w, standing);
    EXPECT_THAT(standing, ElementsAre(&w, &t));
    EXPECT_EQ(bench.scheme().schedulable_paths(s), together ? 2u : 3u);
    t.become(wf_status::barrier);
    bench.scheme().standing_with(w, standing);
    EXPECT_THAT(standing, ElementsAre(&w)) << "who waits at a barrier stands nowhere";
    EXPECT_EQ(bench.scheme().schedulable_paths(w), 3u);
  }
}

// Two that count more than the counters hold stay two at the merge of their split; what both count is one operation.
TEST(warp_split_table, counters_hold_what_both_count) {
  for (const unsigned shared : {0u, 1u}) {
    table_bench bench;
    resident_workgroup g;
    models::operation_pool operations;
    wf_context& w = bench.launch(g);
    bench.split_at(w, 0x100, low);
    wf_context& r = bench.of(w, 63);
    models::pending_operation& both = operations.acquire();
    for (unsigned k = 0; k < 8; ++k) {
      w.front.vm.add(k < shared ? both : operations.acquire());
      r.front.vm.add(k < shared ? both : operations.acquire());
    }
    w.state.pc = r.state.pc = 0x200;
    bench.merge(w);
    EXPECT_EQ(bench.table().splits(w).size(), shared == 0 ? 2u : 1u);
    EXPECT_EQ(w.front.vm.count(), shared == 0 ? 8u : 15u);
    for (wf_context* c : {&w, &r}) c->front.clear();
  }
}

// At the reconvergence PC all of them become one: each waits until it counts its part of what the counters hold.
TEST(warp_split_table, waits_at_the_reconvergence_pc_until_one_path_can_count_all) {
  models::machine_config config = table_bench::config(5);
  config.scoreboard = models::path_scoreboard::optimistic;
  table_bench bench(config);
  const code outer(30), inner(0);
  isa::program of_outer = outer.program, of_inner = inner.program;
  resident_workgroup g;
  models::operation_pool operations;
  wf_context& w = bench.launch(g);
  w.code = &of_outer;
  bench.split_at(w, 0, low);
  w.code = &of_inner;
  bench.split_at(w, 0, 0xff);
  wf_context& r = bench.of(w, 31);
  const auto counts = [&](wf_context& c, unsigned n, models::cycle_t first) {
    for (unsigned k = 0; k < n; ++k) {
      models::pending_operation& o = operations.acquire();
      o.done = first + k;
      c.front.vm.add(o);
    }
  };
  const isa::inst& merge_there = of_inner.at(4);
  counts(w, 7, 100);
  counts(r, 8, 200);
  for (wf_context* c : {&w, &r}) bench.merge_at(*c, 0x200);
  w.state.pc = r.state.pc = 0x240;
  EXPECT_EQ(bench.scheme().waits_for(w, merge_there).until, 0u) << "fifteen";
  counts(w, 1, 107);
  EXPECT_EQ(bench.scheme().waits_for(w, merge_there).until, 200u) << "seven of each";
  EXPECT_EQ(bench.scheme().waits_for(r, merge_there).until, 200u);
  r.state.pc = 0x230;
  EXPECT_EQ(bench.scheme().waits_for(w, merge_there).until, 0u) << "the other one is not there yet";
  for (wf_context* c : {&w, &r}) c->front.clear();
}

TEST(warp_split_table, what_waveform_and_debug_window_show) {
  table_bench bench;
  resident_workgroup g;
  wf_context& w = bench.launch(g);
  bench.split_at(w, 0x100, low);
  bench.of(w, 63).state.pc = 0x300;
  const std::vector<models::shown_register> registers = bench.scheme().shown();
  std::vector<uint64_t> values(registers.size());
  bench.scheme().show(w, values.data());
  std::map<std::string, uint64_t> shown;
  for (size_t k = 0; k < registers.size(); ++k) shown[registers[k].name] = values[k];
  EXPECT_EQ(shown.at("table.splits"), 2u);
  EXPECT_EQ(shown.at("table.split0.pc"), 0x104u);
  EXPECT_EQ(shown.at("table.split0.mask"), low);
  EXPECT_EQ(shown.at("table.split1.pc"), 0x300u);
  EXPECT_EQ(shown.at("table.split1.mask"), high);
  EXPECT_EQ(shown.at("table.split2.mask"), 0u);
  EXPECT_EQ(shown.at("stack.depth"), 0u);
  uint64_t last = 0;
  for (const models::shown_register& r : registers) last = std::max(last, r.record_offset + r.record_bytes);
  EXPECT_LE(last, 0x400u) << "a record";
}

}  // namespace
}  // namespace pws::test::warp_split_table_test
