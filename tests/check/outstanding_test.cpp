// SPDX-License-Identifier: Apache-2.0
// Registers of operations that are under way: each rule at its bound, with the wait that is just enough and with the
// next weaker one.
#include <gmock/gmock.h>

#include "tests/check/waits_code.h"

namespace pws::check::outstanding_test {
namespace {

using namespace code;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> found_in(const std::vector<words>& all) {
  return test_wavefront().run(all).found();
}

struct pair_case {
  const char* name;
  std::vector<words> before;  // the last of them but the wait
  words enough, too_weak;
  words use;
  const char* finding;
};

class waits_at_the_bound : public testing::TestWithParam<pair_case> {};

TEST_P(waits_at_the_bound, enough_is_silent_and_one_weaker_is_found) {
  std::vector<words> good = GetParam().before, weak = good, none = good;
  good.insert(good.end(), {GetParam().enough, GetParam().use});
  weak.insert(weak.end(), {GetParam().too_weak, GetParam().use});
  none.push_back(GetParam().use);
  EXPECT_THAT(found_in(good), IsEmpty());
  EXPECT_THAT(found_in(weak), ElementsAre(GetParam().finding));
  EXPECT_THAT(found_in(none), ElementsAre(GetParam().finding));
}

INSTANTIATE_TEST_SUITE_P(
    counters, waits_at_the_bound,
    testing::Values(pair_case{"flat_load_read",
                              {flat_load_v4},
                              vmcnt(0),
                              vmcnt(1),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt vmcnt(0) in front of it"},
                    pair_case{"older_of_two",
                              {flat_load_v4, flat_load_v5},
                              vmcnt(1),
                              vmcnt(2),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt vmcnt(1) in front of it"},
                    pair_case{"stores_count",
                              {flat_load_v4, flat_store_v6, flat_store_v6},
                              vmcnt(2),
                              vmcnt(3),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt vmcnt(2) in front of it"},
                    pair_case{"buffer_and_flat",
                              {buffer_load_v4, flat_load_v5},
                              vmcnt(1),
                              vmcnt(2),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt vmcnt(1) in front of it"},
                    pair_case{"overwritten",
                              {flat_load_v4},
                              vmcnt(0),
                              vmcnt(1),
                              write_v4,
                              "vgpr_overwritten_too_early: s_waitcnt vmcnt(0) in front of it"},
                    pair_case{"overwritten_by_lds",
                              {flat_load_v4},
                              vmcnt(0),
                              vmcnt(1),
                              ds_read_v4,
                              "vgpr_overwritten_too_early: s_waitcnt vmcnt(0) in front of it"},
                    pair_case{"atomic",
                              {flat_add_v4},
                              vmcnt(0),
                              vmcnt(1),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt vmcnt(0) in front of it"},
                    pair_case{"lds",
                              {ds_read_v4, ds_read_v5},
                              lgkmcnt(1),
                              lgkmcnt(2),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt lgkmcnt(1) in front of it"},
                    pair_case{"lds_behind_write",
                              {ds_read_v4, ds_write_v6},
                              lgkmcnt(1),
                              lgkmcnt(2),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt lgkmcnt(1) in front of it"},
                    pair_case{"swizzle",
                              {ds_swizzle_v4},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"scalar",
                              {s_load_s8},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              valu_reads_s8,
                              "sgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"scalar_out_of_order",
                              {s_load_s8, s_load_s10_s11},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              valu_reads_s8,
                              "sgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"scalar_overwritten",
                              {s_load_s8},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              write_s8,
                              "sgpr_overwritten_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"vcc",
                              {s_load_vcc},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              reads_vcc,
                              "sgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"lds_and_scalar",
                              {ds_read_v4, s_load_s8},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"lds_and_message",
                              {ds_read_v4, message},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              read_v4,
                              "vgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"scalar_store",
                              {s_store_s12},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              write_s12,
                              "sgpr_store_data_overwritten: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"lds_write_at_barrier",
                              {ds_write_v6},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              barrier,
                              "lds_write_not_waited_before_barrier: s_waitcnt lgkmcnt(0) in front of it"},
                    pair_case{"lds_read_at_barrier",
                              {ds_read_v4},
                              lgkmcnt(0),
                              lgkmcnt(1),
                              barrier,
                              "lds_read_not_waited_before_barrier: s_waitcnt lgkmcnt(0) in front of it"}),
    [](const auto& p) { return p.param.name; });

TEST(outstanding, flat_in_lds_needs_both_counters_at_zero) {
  const auto use = [](const words& w) {
    test_wavefront t;
    t.run(flat_load_v4, {~uint64_t{0}, true, 0}).run(w).run(read_v4);
    return t.found();
  };
  const auto both = ElementsAre("vgpr_read_too_early: s_waitcnt vmcnt(0) lgkmcnt(0) in front of it");
  EXPECT_THAT(use(wait(0, 0)), IsEmpty());
  EXPECT_THAT(use(wait(0, 1)), ElementsAre("vgpr_read_too_early: s_waitcnt lgkmcnt(0) in front of it"));
  EXPECT_THAT(use(wait(1, 0)), ElementsAre("vgpr_read_too_early: s_waitcnt vmcnt(0) in front of it"));
  EXPECT_THAT(use(wait(1, 1)), both);
  // It may be done first: a younger one says nothing of vector memory before it.
  test_wavefront t;
  t.run(buffer_load_v4).run(flat_load_v5, {~uint64_t{0}, true, 0}).run(vmcnt(1)).run(read_v4);
  EXPECT_THAT(t.found(), ElementsAre("vgpr_read_too_early: s_waitcnt vmcnt(0) in front of it"));
}

TEST(outstanding, results_that_come_in_order_may_overwrite_each_other) {
  EXPECT_THAT(found_in({flat_load_v4, flat_load_v4_v5}), IsEmpty());
  EXPECT_THAT(found_in({buffer_load_v4, flat_load_v4}), IsEmpty());
  EXPECT_THAT(found_in({ds_read_v4, ds_read_v4}), IsEmpty());
  EXPECT_THAT(found_in({s_load_s8, s_load_s8}),
              ElementsAre("sgpr_overwritten_too_early: s_waitcnt lgkmcnt(0) in front of it"));
}

TEST(outstanding, a_counter_holds_fifteen) {
  for (const unsigned younger : {14u, 15u}) {
    test_wavefront t;
    t.run(flat_load_v4);
    for (unsigned n = 0; n < younger; ++n) t.run(flat_store_v6);
    t.run(read_v4);
    EXPECT_EQ(t.found().empty(), younger == 15) << younger;
  }
  test_wavefront t;
  t.run(ds_read_v4);
  for (unsigned n = 0; n < 15; ++n) t.run(ds_write_v6);
  EXPECT_THAT(t.run(read_v4).found(), IsEmpty());
}

TEST(outstanding, more_operations_than_any_counter_holds) {
  test_wavefront t;
  for (unsigned n = 0; n < 200; ++n) t.run(s_load_s10_s11).run(flat_store_v6);
  EXPECT_LE(t.waits.under_way().size(), outstanding_operations::most);
  t.run(wait(0, 0));
  EXPECT_EQ(t.waits.under_way().size(), 0u);
}

TEST(outstanding, other_lanes_of_a_register_are_not_under_way) {
  const uint64_t low = 0xffffffff;
  const auto use = [&](uint64_t load, uint64_t reader) {
    test_wavefront t;
    t.run(flat_load_v4, {load, false, 0}).run(read_v4, {reader, false, 0});
    return t.found().size();
  };
  EXPECT_EQ(use(low, ~low), 0u);
  EXPECT_EQ(use(low, low << 31), 1u);
  EXPECT_EQ(use(0, ~uint64_t{0}), 0u);
  EXPECT_EQ(use(1, 1), 1u);
  EXPECT_EQ(use(uint64_t{1} << 63, uint64_t{1} << 63), 1u);
  EXPECT_EQ(use(~uint64_t{0}, 0), 0u);
  test_wavefront t;  // v_readlane reads lanes that EXEC does not have
  t.run(flat_load_v4, {low, false, 0}).run(any_lane_of_v4, {~low, false, 0});
  EXPECT_EQ(t.found().size(), 1u);
}

TEST(outstanding, a_load_without_lanes_counts) {
  test_wavefront t;
  t.run(flat_load_v4).run(flat_load_v5, {0, false, 0}).run(vmcnt(1)).run(read_v4);
  EXPECT_THAT(t.found(), IsEmpty());
}

TEST(outstanding, names_both_instructions_and_the_lanes) {
  test_wavefront t;
  t.run(flat_load_v4_v5, {0xff, false, 0}).run(read_v4, {0xf0f0, false, 0});
  ASSERT_EQ(t.sink.findings.size(), 1u);
  const finding& f = t.sink.findings[0];
  EXPECT_EQ(f.what, "v4 is read while the operation that fills it is under way");
  EXPECT_EQ(f.here.pc, 0x1008u);
  EXPECT_EQ(f.here.lanes, 0xf0u);
  EXPECT_EQ(f.other->pc, 0x1000u);
  EXPECT_EQ(f.other->lanes, 0xffu);
}

TEST(outstanding, what_was_found_once_counts_as_waited_for) {
  EXPECT_EQ(found_in({flat_load_v4, read_v4, read_v4}).size(), 1u);
  // ... and so does what is older, but nothing younger
  EXPECT_EQ(found_in({flat_load_v5, flat_load_v4, read_v4}).size(), 1u);
  EXPECT_EQ(found_in({flat_load_v4, ds_read_v5, read_v4}).size(), 1u);
}

TEST(outstanding, registers_that_m0_names) {
  for (const uint32_t m0 : {2u, 3u, 4u, 255u, ~0u}) {
    test_wavefront t;
    t.run(flat_load_v4).run(move_v1_plus_m0, {~uint64_t{0}, false, m0});
    EXPECT_EQ(t.found().size(), m0 == 3 ? 1u : 0u) << m0;
    test_wavefront u;
    u.run(flat_load_v4).run(move_to_v1_plus_m0, {~uint64_t{0}, false, m0});
    EXPECT_EQ(u.found().size(), m0 == 3 ? 1u : 0u) << m0;
  }
}

// VGPR indexing: what the instruction names is not what it reads.
TEST(outstanding, registers_that_m0_names_in_indexing_mode) {
  constexpr uint32_t indexing = isa::mode_indexing, first_source = 1u << 12, destination = 8u << 12;
  const auto findings_of = [](const code::words& w, uint32_t m0, uint32_t mode) {
    test_wavefront t;
    t.run(flat_load_v4).run(w, {~uint64_t{0}, false, m0, mode});
    return t.found().size();
  };
  const words move_v1{0x7e000301}, move_to_v1{0x7e020300};  // v_mov_b32 v0, v1; v_mov_b32 v1, v0
  EXPECT_EQ(findings_of(move_v1, first_source | 3, indexing), 1u);
  EXPECT_EQ(findings_of(move_v1, first_source | 2, indexing), 0u);
  EXPECT_EQ(findings_of(move_v1, destination | 4, indexing), 1u);
  EXPECT_EQ(findings_of(move_v1, first_source | 3, 0), 0u);
  EXPECT_EQ(findings_of(move_to_v1, destination | 3, indexing), 1u);
  EXPECT_EQ(findings_of(read_v4, first_source | 3, indexing), 1u);                     // reads v7 and v4
  EXPECT_EQ(findings_of(read_v4, 2 * first_source | first_source | 3, indexing), 0u);  // v7 alone
  EXPECT_EQ(findings_of(read_v4, first_source | 3, 0), 1u);
}

TEST(outstanding, barriers_of_one_wavefront_order_nothing) {
  EXPECT_THAT(test_wavefront(true).run({ds_write_v6, barrier}).found(), IsEmpty());
  EXPECT_THAT(found_in({ds_swizzle_v4, barrier}), IsEmpty());  // touches no LDS
  EXPECT_THAT(found_in({flat_store_v6, barrier}), IsEmpty());  // in order at the cache that they share
  test_wavefront t;
  t.run(flat_store_v6, {~uint64_t{0}, true, 0}).run(barrier);
  EXPECT_THAT(t.found(),
              ElementsAre("lds_write_not_waited_before_barrier: s_waitcnt vmcnt(0) lgkmcnt(0) in front of it"));
}

TEST(outstanding, the_end_waits_for_nothing_but_the_scalar_cache) {
  EXPECT_THAT(found_in({flat_load_v4, ds_write_v6, s_load_s8, s_memtime_s14, end}), IsEmpty());
  EXPECT_THAT(found_in({s_store_s12, end}),
              ElementsAre("scalar_store_not_written_back: s_dcache_wb in front of s_endpgm"));
  EXPECT_THAT(found_in({s_store_s12, s_dcache_wb, end}), IsEmpty());
  EXPECT_EQ(found_in({s_store_s12, s_dcache_wb, s_store_s12, end}).size(), 1u);
}

TEST(outstanding, lds_that_a_load_fills) {
  const auto use = [](const words& w, uint32_t first, uint32_t end_of_access) {
    test_wavefront t;
    t.run(buffer_load_lds);
    t.waits.fills_lds(0x100, 0x200);
    t.run(w);
    if (t.waits.tracks_lds()) t.waits.lds_accessed(t.pc, 1, first, end_of_access, t.sink);
    return t.found();
  };
  EXPECT_THAT(use(vmcnt(1), 0x1fc, 0x200), ElementsAre("lds_read_before_filled: s_waitcnt vmcnt(0) in front of it"));
  EXPECT_THAT(use(vmcnt(1), 0xfc, 0x104), ElementsAre("lds_read_before_filled: s_waitcnt vmcnt(0) in front of it"));
  EXPECT_THAT(use(vmcnt(1), 0x200, 0x204), IsEmpty());
  EXPECT_THAT(use(vmcnt(1), 0xfc, 0x100), IsEmpty());
  EXPECT_THAT(use(vmcnt(0), 0x100, 0x104), IsEmpty());
  EXPECT_THAT(use(barrier, 0x300, 0x304),
              ElementsAre("lds_write_not_waited_before_barrier: s_waitcnt vmcnt(0) in front of it"));
}

TEST(outstanding, paths) {
  test_wavefront parent, drained, carrying;
  parent.run(flat_load_v4);
  drained.waits.begin_path({}, parent.waits, false);
  carrying.waits.begin_path({}, parent.waits, true);
  EXPECT_THAT(drained.run(read_v4).found(), IsEmpty());
  EXPECT_EQ(carrying.run(read_v4).found().size(), 1u);
  // Where they join, the other one's loads are under way as well; its scalar loads are not.
  test_wavefront a, b;
  b.run(flat_load_v4).run(s_load_s8);
  a.run(flat_load_v5);
  a.waits.join(b.waits);
  a.run(valu_reads_s8);
  EXPECT_THAT(a.found(), IsEmpty());
  a.run(vmcnt(1)).run(read_v4);
  EXPECT_THAT(a.found(), ElementsAre("vgpr_read_too_early: s_waitcnt vmcnt(0) in front of it"));
}

}  // namespace
}  // namespace pws::check::outstanding_test
