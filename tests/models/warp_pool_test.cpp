// SPDX-License-Identifier: Apache-2.0
// The warp pool alone: how warps are formed (warp formation paper, Fig. 9, Fig. 11, 4.1, 4.2) and which of them issues
// (4.3), on pools made by hand.
#include "models/formation/warp_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pws::test::warp_pool_test {
namespace {

using models::formed_warp;
using models::issue_heuristic;
using models::path_id;
using models::pool_entry;
using models::warp_register_file;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

constexpr uint32_t any_port = ~0u;

models::machine_config four_wide(issue_heuristic h = issue_heuristic::time_stamp) {
  models::machine_config c;
  c.divergence = models::divergence_kind::dwf;
  c.dwf.warp_size = 4;
  c.dwf.heuristic = h;
  return c;
}

// A pool, and paths that are nothing but home lanes.
class pool_bench final : public models::path_cutter {
 public:
  explicit pool_bench(const models::machine_config& c, uint32_t capacity = 64) : pool(c, capacity, true, statistics) {}

  path_id path(uint64_t lanes) {
    lanes_.push_back(lanes);
    return static_cast<path_id>(lanes_.size() - 1);
  }
  // A new path with these lanes comes to `pc`. False: the pool is full.
  bool enter(uint64_t pc, uint64_t lanes, uint32_t passed = 0, uint8_t port = 0) {
    models::pool_request r;
    r.pc = pc;
    r.port = port;
    r.entries.push_back({path(lanes), lanes, passed});
    return enter(r);
  }
  bool enter(models::pool_request& r) { return pool.enter(r, *this); }
  path_id cut(path_id p, uint64_t lanes) override {
    EXPECT_EQ(lanes_[p] & lanes, lanes);
    EXPECT_NE(lanes_[p], lanes) << "nothing would be left";
    lanes_[p] &= ~lanes;
    return path(lanes);
  }
  struct issued {
    uint64_t pc = 0;
    std::vector<uint64_t> lanes;  // of its members
  };
  issued issue(uint32_t ports = any_port) {
    const formed_warp* w = pool.pick(ports);
    if (w == nullptr) return {};
    issued i{w->pc, {}};
    std::vector<pool_entry> members;
    pool.take(*w, members);
    for (const pool_entry& e : members) i.lanes.push_back(e.lanes);
    return i;
  }
  std::vector<uint64_t> issue_all() {
    std::vector<uint64_t> pcs;
    while (!pool.empty()) pcs.push_back(issue().pc);
    return pcs;
  }
  const formed_warp& warp_at(uint64_t pc) const {
    for (uint32_t k = 0; k < pool.in_use(); ++k)
      if (pool.at(k).pc == pc) return pool.at(k);
    throw std::runtime_error("no warp there");
  }
  // What is wrong with the pool; empty: nothing.
  std::string wrong(bool lane_aware, uint32_t size) const {
    std::map<path_id, uint64_t> seen;
    for (uint32_t k = 0; k < pool.in_use(); ++k) {
      const formed_warp& w = pool.at(k);
      uint64_t lanes = 0;
      uint32_t work_items = 0;
      for (const pool_entry& e : w.members) {
        if (lane_aware && (lanes & e.lanes) != 0) return "two work-items of one home lane";
        lanes |= e.lanes;
        work_items += static_cast<uint32_t>(__builtin_popcountll(e.lanes));
        if (lanes_[e.path] != e.lanes) return "a path is only partly in the warp";
        if (!seen.emplace(e.path, e.lanes).second) return "a path is in two warps";
      }
      if (w.members.empty() || work_items > size || work_items != w.work_items || lanes != w.occupied)
        return "its work-items are not counted right";
      if (w.place != k) return "it does not know its place";
      if (w.lut_entry != models::pc_warp_lut::none) {
        const auto& e = pool.lut()[w.lut_entry];
        if (e.pc != w.pc || e.occupied != w.occupied) return "the LUT says something else of it";
      }
    }
    return "";
  }

  models::formation_statistics statistics;
  models::warp_pool pool;

 private:
  std::vector<uint64_t> lanes_;
};

// ---- Formation

// Fig. 9: two warps take an if/else, and the parts that go the same way make a whole warp.
TEST(warp_pool, sides_of_two_warps_make_two_full_warps) {
  pool_bench bench(four_wide());
  constexpr uint64_t a = 0x100, b = 0x200;
  bench.enter(a, 0b1101);  // of W0
  bench.enter(b, 0b0010);
  bench.enter(a, 0b0010);  // of W1
  bench.enter(b, 0b1101);
  ASSERT_EQ(bench.pool.in_use(), 2u);
  EXPECT_EQ(bench.warp_at(a).occupied, 0b1111u);
  EXPECT_EQ(bench.warp_at(b).occupied, 0b1111u);
  EXPECT_EQ(bench.statistics.formed, 2u);
  EXPECT_EQ(bench.statistics.joined, 4u);
  EXPECT_EQ(bench.statistics.conflicts, 0u);
  const auto first = bench.issue();
  EXPECT_EQ(first.pc, a);
  EXPECT_THAT(first.lanes, ElementsAre(0b1101, 0b0010));
}

// Fig. 11: the request vector against the occupancy vector; what is in conflict opens a warp, to which the PC belongs
// from then on, and the older one is no longer updated.
TEST(warp_pool, a_conflict_opens_another_warp) {
  pool_bench bench(four_wide());
  constexpr uint64_t pc = 0x100;
  bench.enter(pc, 0b0110);
  const formed_warp& older = bench.warp_at(pc);
  const uint32_t entry = older.lut_entry;
  EXPECT_EQ(bench.pool.lut()[entry].occupied, 0b0110u);
  bench.enter(pc, 0b1100);  // lane 3 is free, lane 2 is not
  ASSERT_EQ(bench.pool.in_use(), 2u);
  EXPECT_EQ(older.occupied, 0b1110u) << "what is in no conflict goes to the warp that is there";
  EXPECT_EQ(older.lut_entry, models::pc_warp_lut::none);
  const formed_warp& newer = bench.pool.at(1);
  EXPECT_EQ(newer.occupied, 0b0100u);
  EXPECT_EQ(newer.lut_entry, entry);
  EXPECT_EQ(bench.pool.lut()[entry].occupied, 0b0100u);
  EXPECT_EQ(bench.statistics.conflicts, 1u);
  EXPECT_EQ(bench.statistics.cuts, 1u);
  bench.enter(pc, 0b0001);  // free in the older one too
  EXPECT_EQ(older.occupied, 0b1110u);
  EXPECT_EQ(newer.occupied, 0b0101u);
  EXPECT_EQ(bench.wrong(true, 4), "");
}

// The members of one request are looked at together: what one of them opens is not where the next one goes.
TEST(warp_pool, conflicts_of_a_request_come_after_what_fits) {
  pool_bench bench(four_wide());
  bench.enter(0x100, 0b0001);
  models::pool_request r;
  r.pc = 0x100;
  for (const uint64_t lanes : {0b0001, 0b0010, 0b0100}) r.entries.push_back({bench.path(lanes), lanes, 0});
  EXPECT_TRUE(bench.enter(r));
  ASSERT_EQ(bench.pool.in_use(), 2u);
  EXPECT_EQ(bench.pool.at(0).occupied, 0b0111u);
  EXPECT_EQ(bench.pool.at(1).occupied, 0b0001u);
}

TEST(warp_pool, an_issued_warp_is_no_longer_found) {
  pool_bench bench(four_wide());
  bench.enter(0x100, 0b0001);
  bench.issue();
  EXPECT_EQ(bench.pool.lut().in_use(), 0u);
  bench.enter(0x100, 0b0010);
  EXPECT_EQ(bench.pool.at(0).occupied, 0b0010u);
  EXPECT_EQ(bench.statistics.lut_misses, 2u);
  EXPECT_EQ(bench.statistics.lut_hits, 0u);
}

TEST(warp_pool, warps_are_of_one_dispatch) {
  pool_bench bench(four_wide());
  models::pool_request r;
  r.pc = 0x100;
  const int kernels[2] = {};
  for (const int& kernel : kernels) {
    r.kernel = reinterpret_cast<const models::dispatch*>(&kernel);
    r.entries = {{bench.path(1u << (&kernel - kernels)), uint64_t{1} << (&kernel - kernels), 0}};
    EXPECT_TRUE(bench.enter(r));
  }
  EXPECT_EQ(bench.pool.in_use(), 2u);
}

TEST(warp_pool, other_register_files_know_no_lanes) {
  for (const warp_register_file file : {warp_register_file::banked, warp_register_file::ideal}) {
    models::machine_config c = four_wide();
    c.dwf.register_file = file;
    pool_bench bench(c);
    bench.enter(0x100, 0b0011);
    bench.enter(0x100, 0b0001);
    ASSERT_EQ(bench.pool.in_use(), 1u);
    EXPECT_EQ(bench.pool.at(0).work_items, 3u);
    bench.enter(0x100, 0b0111);  // one place is left
    ASSERT_EQ(bench.pool.in_use(), 2u);
    EXPECT_EQ(bench.pool.at(0).work_items, 4u);
    EXPECT_EQ(bench.pool.at(1).work_items, 2u);
    EXPECT_EQ(bench.statistics.conflicts, 2u);
    EXPECT_EQ(bench.wrong(false, 4), "");
  }
}

// Where any lane will do, those first that come first, and of a path those with the lowest numbers.
TEST(warp_pool, room_for_some_is_for_the_first) {
  for (const bool exchanged : {false, true}) {
    models::machine_config c = four_wide();
    c.dwf.register_file = warp_register_file::ideal;
    pool_bench bench(c);
    models::pool_request r;
    r.pc = 0x100;
    r.entries = {{bench.path(0b0101), 0b0101, 0, exchanged}};
    EXPECT_TRUE(bench.enter(r));
    r.entries = {{bench.path(0b0001), 0b0001, 0, exchanged}, {bench.path(0b1100), 0b1100, 0, exchanged}};
    EXPECT_TRUE(bench.enter(r));
    ASSERT_EQ(bench.pool.in_use(), 2u);
    EXPECT_EQ(bench.statistics.cuts, 1u);
    const uint64_t first = exchanged ? 0b1000 : 0b0100;  // which of the two has the lower number
    EXPECT_THAT(bench.issue().lanes, ElementsAre(0b0101, 0b0001, first));
    EXPECT_THAT(bench.issue().lanes, ElementsAre(0b1100 & ~first));
  }
}

TEST(warp_pool, without_joining_every_request_is_a_warp) {
  models::formation_statistics statistics;
  models::machine_config c = four_wide();
  models::warp_pool pool(c, 4, false, statistics);
  struct nobody_cuts final : models::path_cutter {
    path_id cut(path_id, uint64_t) override { throw std::logic_error("cut"); }
  } nobody;
  for (path_id p = 0; p < 4; ++p) {
    models::pool_request r;
    r.pc = 0x100;
    r.entries.push_back({p, 0b1111, 0});
    EXPECT_TRUE(pool.enter(r, nobody));
  }
  EXPECT_EQ(pool.in_use(), 4u);
  EXPECT_EQ(pool.pick(any_port)->number, 0u) << "first come, first served";
}

// ---- Finite structures

// Two ways: a third PC of the same set displaces the one that was asked for longest ago.
TEST(warp_pool, a_full_set_of_the_lut_loses_its_oldest) {
  models::machine_config c = four_wide();
  c.dwf.lut_entries = 2;
  pool_bench bench(c);
  bench.enter(0x100, 0b0001);
  bench.enter(0x200, 0b0001);
  bench.enter(0x100, 0b0010);  // asked for again
  bench.enter(0x300, 0b0001);  // displaces 0x200
  EXPECT_EQ(bench.statistics.lut_displaced, 1u);
  EXPECT_EQ(bench.warp_at(0x200).lut_entry, models::pc_warp_lut::none);
  bench.enter(0x200, 0b0010);  // its warp is in the pool, but not found
  EXPECT_EQ(bench.pool.in_use(), 4u);
  EXPECT_EQ(bench.wrong(true, 4), "");
  EXPECT_EQ(bench.issue_all().size(), 4u);
  EXPECT_EQ(bench.pool.lut().in_use(), 0u);
}

TEST(warp_pool, a_full_pool_lets_requests_wait) {
  pool_bench bench(four_wide(), 1);
  EXPECT_TRUE(bench.enter(0x100, 0b0011));
  models::pool_request r;
  r.pc = 0x100;
  r.entries.push_back({bench.path(0b0110), 0b0110, 0});
  EXPECT_FALSE(bench.enter(r));
  EXPECT_EQ(bench.pool.at(0).occupied, 0b0111u) << "what needs no new warp has come in";
  ASSERT_EQ(r.entries.size(), 1u);
  EXPECT_EQ(r.entries[0].lanes, 0b0010u);
  EXPECT_EQ(bench.statistics.pool_full, 1u);
  bench.issue();
  EXPECT_TRUE(bench.enter(r));
  EXPECT_EQ(bench.pool.at(0).occupied, 0b0010u);
}

TEST(warp_pool, uncounted_work_items_issue_last_and_are_counted_later) {
  models::machine_config c = four_wide(issue_heuristic::minority);
  c.dwf.majority_entries = 1;
  pool_bench bench(c);
  bench.enter(0x300, 0b0111);
  bench.enter(0x100, 0b0001);  // no entry for it, nor for the next
  bench.enter(0x200, 0b0001);
  bench.enter(0x200, 0b0010);
  EXPECT_EQ(bench.statistics.not_counted, 3u);
  EXPECT_EQ(bench.issue().pc, 0x300u) << "more work-items than elsewhere, but counted";
  EXPECT_EQ(bench.pool.counted().in_use(), 1u);
  EXPECT_TRUE(bench.pool.counted().has(0x100)) << "the oldest has the entry now";
  EXPECT_EQ(bench.issue().pc, 0x100u);
  EXPECT_TRUE(bench.pool.counted().has(0x200));
  EXPECT_EQ(bench.issue().pc, 0x200u);
  EXPECT_EQ(bench.pool.counted().in_use(), 0u);
}

// ---- Heuristics (4.3): a pool of one old warp with one work-item, three at 0x300 with nine, and one at 0x400 with
// two.

pool_bench& filled(pool_bench& bench) {
  bench.enter(0x400, 0b0011, 7);
  bench.enter(0x300, 0b1111, 5);
  bench.enter(0x300, 0b1111, 4);
  bench.enter(0x300, 0b0001, 3);
  bench.enter(0x200, 0b1000, 9);
  return bench;
}

TEST(warp_pool, majority_stays_at_the_most_common_pc) {
  pool_bench bench(four_wide(issue_heuristic::majority));
  filled(bench);
  EXPECT_EQ(bench.issue().pc, 0x300u);
  bench.enter(0x200, 0b0111);
  bench.enter(0x200, 0b1111);  // eight there now, five at 0x300
  EXPECT_THAT(bench.issue_all(), ElementsAre(0x300, 0x300, 0x200, 0x200, 0x400));
}

TEST(warp_pool, majority_of_equals_is_the_lowest_pc) {
  pool_bench bench(four_wide(issue_heuristic::majority));
  bench.enter(0x300, 0b0001);
  bench.enter(0x200, 0b0001);
  EXPECT_THAT(bench.issue_all(), ElementsAre(0x200, 0x300));
}

// A unit that is busy for long lets nothing issue: what has come meanwhile counts.
TEST(warp_pool, majority_chooses_when_a_warp_can_issue) {
  pool_bench bench(four_wide(issue_heuristic::majority));
  bench.enter(0x200, 0b0011);
  EXPECT_EQ(bench.pool.pick(0), nullptr);
  bench.enter(0x300, 0b0111);
  EXPECT_THAT(bench.issue_all(), ElementsAre(0x300, 0x200));
}

TEST(warp_pool, minority_looks_in_every_cycle) {
  pool_bench bench(four_wide(issue_heuristic::minority));
  filled(bench);
  EXPECT_EQ(bench.issue().pc, 0x200u);
  bench.enter(0x200, 0b0111);  // three there, two at 0x400
  EXPECT_THAT(bench.issue_all(), ElementsAre(0x400, 0x200, 0x300, 0x300, 0x300));
}

TEST(warp_pool, time_stamp_is_first_come_first_served) {
  pool_bench bench(four_wide(issue_heuristic::time_stamp));
  EXPECT_THAT(filled(bench).issue_all(), ElementsAre(0x400, 0x300, 0x300, 0x300, 0x200));
}

TEST(warp_pool, post_dominator_lets_those_behind_go_first) {
  pool_bench bench(four_wide(issue_heuristic::post_dominator));
  filled(bench);
  EXPECT_THAT(bench.issue().lanes, ElementsAre(0b0001)) << "three passed";
  bench.enter(0x500, 0b0001, 6);
  bench.enter(0x500, 0b0010, 1);  // a warp is as far as the last of its work-items
  EXPECT_THAT(bench.issue_all(), ElementsAre(0x500, 0x300, 0x300, 0x400, 0x200));
}

TEST(warp_pool, pc_is_the_lowest) {
  pool_bench bench(four_wide(issue_heuristic::pc));
  EXPECT_THAT(filled(bench).issue_all(), ElementsAre(0x200, 0x300, 0x300, 0x300, 0x400));
}

TEST(warp_pool, only_warps_whose_unit_is_free_issue) {
  for (const issue_heuristic h : {issue_heuristic::majority, issue_heuristic::minority, issue_heuristic::time_stamp,
                                  issue_heuristic::post_dominator, issue_heuristic::pc}) {
    pool_bench bench(four_wide(h));
    bench.enter(0x100, 0b1111, 0, 0);
    bench.enter(0x200, 0b0001, 1, 2);
    bench.enter(0x200, 0b0010, 1, 2);
    EXPECT_EQ(bench.pool.wanted(), 0b101u);
    EXPECT_EQ(bench.pool.pick(0b010), nullptr);
    EXPECT_EQ(bench.issue(0b110).pc, 0x200u) << name_of(h);
    EXPECT_EQ(bench.issue(0b001).pc, 0x100u);
  }
}

// Whatever comes and goes, each path is in one warp, warps hold what they say, and all issue in the end.
TEST(warp_pool, keeps_its_books) {
  constexpr uint32_t size = 8;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    models::machine_config c = four_wide(static_cast<issue_heuristic>(seed % 5));
    c.dwf.warp_size = size;
    c.dwf.register_file = static_cast<warp_register_file>(seed / 5 % 3);
    c.dwf.lut_entries = 2u << random() % 4;
    c.dwf.majority_entries = 1 + random() % 6;
    const uint32_t capacity = seed % 4 == 0 ? 3 : 200;
    pool_bench bench(c, capacity);
    const bool lane_aware = c.dwf.register_file == warp_register_file::lane_aware;
    uint64_t in = 0, out = 0;
    const auto issue = [&] {
      for (const uint64_t lanes : bench.issue().lanes) out += static_cast<uint64_t>(__builtin_popcountll(lanes));
    };
    for (unsigned step = 0; step < 100; ++step) {
      models::pool_request r;
      r.pc = 0x100 + 4 * (random() % 8);
      uint64_t taken = 0;
      for (unsigned n = 1 + random() % 3; n != 0; --n) {
        const uint64_t lanes = random() & 0xff & ~taken;
        if (lanes == 0) continue;
        taken |= lanes;
        r.entries.push_back({bench.path(lanes), lanes, static_cast<uint32_t>(random() % 4)});
      }
      if (r.entries.empty()) continue;
      in += static_cast<uint64_t>(__builtin_popcountll(taken));
      while (!bench.enter(r)) issue();
      ASSERT_EQ(bench.wrong(lane_aware, size), "") << "seed " << seed;
      if (random() % 3 != 0) issue();
      ASSERT_EQ(bench.wrong(lane_aware, size), "") << "seed " << seed;
    }
    while (!bench.pool.empty()) issue();
    EXPECT_EQ(in, out);
    EXPECT_EQ(bench.pool.lut().in_use(), 0u);
    EXPECT_EQ(bench.pool.counted().in_use(), 0u);
  }
}

}  // namespace
}  // namespace pws::test::warp_pool_test
