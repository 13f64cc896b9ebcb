// SPDX-License-Identifier: Apache-2.0
// What warp formation has beside its pool: home lanes, storage, the paths that become ready, instruction blocks, the
// accesses of a warp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "models/formation/combined_access.h"
#include "models/formation/formation_storage.h"
#include "models/formation/home_lanes.h"
#include "models/formation/instruction_blocks.h"
#include "models/formation/ready_ring.h"

namespace pws::test::formation_parts_test {
namespace {

using models::cycle_t;
using models::home_lanes;
using models::instruction_blocks;
using models::never;
using models::path_id;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// ---- Home lanes (4.1)

// Each number of work-items of a warp is in one quarter.
TEST(quarter_of_warp, has_every_number_once) {
  for (const uint32_t size : {1u, 2u, 4u, 8u, 16u, 32u, 64u}) {
    uint32_t next = 1;
    for (uint32_t quarter = 0; quarter < 4; ++quarter) {
      const models::work_item_range r = models::quarter_of_warp(size, quarter);
      EXPECT_EQ(r.first, next);
      for (; next <= r.last; ++next) EXPECT_EQ((4 * next - 1) / size, quarter) << next << " of " << size;
    }
    EXPECT_EQ(next, size + 1);
  }
}

TEST(home_lanes, are_the_number_modulo_the_warp_size) {
  const home_lanes lanes(16, false);
  EXPECT_EQ(lanes.of(0x8001, 0), 0x8001u);
  EXPECT_EQ(lanes.of(uint64_t{0x8001} << 48, 5), 0x8001u);
  EXPECT_EQ(home_lanes(64, false).of(~uint64_t{0}, 1), ~uint64_t{0});
  EXPECT_EQ(home_lanes(4, false).of(uint64_t{1} << 63, 0), 0b1000u);
}

// Even and odd in every other static warp of the workgroup, across its wavefronts.
TEST(home_lanes, swizzling_exchanges_even_and_odd) {
  const home_lanes lanes(16, true);
  constexpr uint64_t even = 0x5555;
  EXPECT_EQ(lanes.of(even, 0), even);
  EXPECT_EQ(lanes.of(even << 16, 0), even << 1);
  EXPECT_EQ(lanes.of(even << 32, 0), even);
  EXPECT_EQ(lanes.of(even, 1), even) << "four warps in a wavefront";
  EXPECT_EQ(home_lanes(64, true).of(1, 0), 1u);
  EXPECT_EQ(home_lanes(64, true).of(1, 1), 2u) << "every other wavefront";
  EXPECT_EQ(home_lanes(1, true).of(2, 0), 1u) << "one lane has none to change places with";
}

TEST(home_lanes, know_whether_they_are_exchanged) {
  const home_lanes lanes(16, true);
  EXPECT_FALSE(lanes.are_exchanged(1, 0));
  EXPECT_TRUE(lanes.are_exchanged(1 << 16, 0));
  EXPECT_FALSE(home_lanes(16, false).are_exchanged(1 << 16, 0));
  EXPECT_TRUE(home_lanes(64, true).are_exchanged(1, 1));
  EXPECT_EQ(home_lanes::exchanged(0b1101), 0b1110u);
}

TEST(home_lanes, can_be_found_back) {
  std::mt19937_64 random(1);
  for (const uint32_t size : {4u, 8u, 16u, 32u, 64u})
    for (unsigned turn = 0; turn < 200; ++turn) {
      const home_lanes lanes(size, turn % 2 == 0);
      const auto wave = static_cast<uint32_t>(random() % 16);
      const uint64_t chunk = size == 64 ? ~uint64_t{0} : ((uint64_t{1} << size) - 1) << size * (random() % (64 / size));
      const uint64_t work_items = random() & chunk;
      if (work_items == 0) continue;
      const uint64_t homes = lanes.of(work_items, wave);
      ASSERT_EQ(__builtin_popcountll(homes), __builtin_popcountll(work_items));
      ASSERT_EQ(lanes.work_items_in(homes, work_items, wave), work_items);
      const uint64_t some = random() & homes, found = lanes.work_items_in(some, work_items, wave);
      ASSERT_EQ(__builtin_popcountll(found), __builtin_popcountll(some));
      if (found == 0) continue;
      ASSERT_EQ(lanes.of(found, wave), some);
    }
}

// ---- Storage (Table 1)

TEST(formation_storage, is_table_1_at_its_sizes) {
  const models::formation_storage s = storage_of(models::paper_sizes);
  EXPECT_EQ(s.update_registers, 336u);
  EXPECT_EQ(s.lut, 1792u);
  EXPECT_EQ(s.pool, 43008u);
  EXPECT_EQ(s.allocator, 2048u);
  EXPECT_EQ(s.issue_logic, 1280u);
  EXPECT_EQ(s.total(), 48464u);
}

TEST(formation_storage, follows_the_machine) {
  models::machine_config c;
  c.n_wfc = 4;
  c.dwf.warp_size = 32;
  c.dwf.pool = 100;
  c.dwf.heuristic = models::issue_heuristic::pc;
  const models::formation_storage s = storage_of(formation_sizes_of(c));
  EXPECT_EQ(s.update_registers, 2u * (8 * 32 + 48 + 32));
  EXPECT_EQ(s.lut, 32u * (48 + 32 + 7));
  EXPECT_EQ(s.pool, 100u * (8 * 32 + 48 + 8));
  EXPECT_EQ(s.allocator, 700u);
  EXPECT_EQ(s.issue_logic, 0u) << "nothing is counted";
}

// ---- Ready paths

TEST(ready_ring, gives_each_cycle_its_paths_in_order) {
  std::mt19937 random(3);
  models::ready_ring ring;
  std::map<cycle_t, std::vector<path_id>> expected;
  std::vector<path_id> got;
  cycle_t now = 0;
  EXPECT_EQ(ring.next(), never);
  for (unsigned step = 0; step < 20000; ++step) {
    const cycle_t first = expected.empty() ? never : expected.begin()->first;
    ASSERT_EQ(ring.next(), first) << "at " << now;
    const bool jump = first != never && random() % 4 != 0;
    if (jump) {
      now = first;
      ring.take(now, got);
      ASSERT_THAT(got, ::testing::UnorderedElementsAreArray(expected[now]));
      expected.erase(now);
    }
    for (unsigned n = random() % 3; n != 0; --n) {
      constexpr cycle_t distances[] = {1, 2, 63, 64, 65, 255, 256, 257, 1000, 5000};
      const cycle_t at = now + distances[random() % 10];
      const auto path = static_cast<path_id>(random() % 640);
      ring.add(path, at);
      expected[at].push_back(path);
    }
  }
}

TEST(ready_ring, keeps_the_order_of_one_cycle) {
  models::ready_ring ring;
  std::vector<path_id> got;
  for (const cycle_t at : {cycle_t{5}, cycle_t{1000}}) {
    for (path_id p = 9; p > 2; --p) ring.add(p, at);
    ring.take(at, got);
    EXPECT_THAT(got, ElementsAre(9, 8, 7, 6, 5, 4, 3));
    ring.take(at + 1, got);
    EXPECT_THAT(got, IsEmpty());
  }
}

// ---- Instruction blocks

instruction_blocks two_blocks() {
  models::machine_config c;
  c.n_wfc = 1;
  c.ibuf_dwords = 16;
  c.fetch_bytes = 32;
  return instruction_blocks(c);
}
constexpr uint64_t end = 0x10000;

TEST(instruction_blocks, are_shared_and_fetched_once) {
  instruction_blocks blocks = two_blocks();
  EXPECT_EQ(blocks.block_of(0x123), 0x120u);
  EXPECT_EQ(blocks.ask(0x100, end, 1), never);
  EXPECT_EQ(blocks.ask(0x100, end, 2), never);
  ASSERT_TRUE(blocks.fetches());
  const uint32_t b = blocks.begin_fetch();
  EXPECT_EQ(blocks.address(b), 0x100u);
  std::vector<path_id> told;
  blocks.arrived(b, 50, told);
  EXPECT_THAT(told, ElementsAre(1, 2));
  EXPECT_EQ(blocks.ask(0x100, end, 3), 50u);
  ASSERT_TRUE(blocks.fetches()) << "the block behind it";
  EXPECT_EQ(blocks.address(blocks.begin_fetch()), 0x120u);
  EXPECT_FALSE(blocks.fetches());
}

TEST(instruction_blocks, nothing_behind_the_program_is_fetched) {
  instruction_blocks blocks = two_blocks();
  blocks.ask(0x100, 0x120, 1);
  blocks.begin_fetch();
  EXPECT_FALSE(blocks.fetches());
}

TEST(instruction_blocks, the_oldest_gives_way_and_the_starved_are_told) {
  instruction_blocks blocks = two_blocks();
  blocks.ask(0x100, 0x120, 1);
  blocks.ask(0x200, 0x220, 2);
  EXPECT_EQ(blocks.ask(0x300, 0x320, 3), never) << "both are on their way";
  const uint32_t first = blocks.begin_fetch(), second = blocks.begin_fetch();
  EXPECT_FALSE(blocks.fetches());
  std::vector<path_id> told;
  blocks.arrived(second, 60, told);
  EXPECT_THAT(told, ElementsAre(2, 3));
  blocks.arrived(first, 70, told);
  EXPECT_THAT(told, ElementsAre(1));
  EXPECT_EQ(blocks.ask(0x100, 0x120, 1), 70u);
  EXPECT_EQ(blocks.ask(0x300, 0x320, 3), never);
  EXPECT_EQ(blocks.ask(0x100, 0x120, 1), 70u) << "asked for later than 0x200";
  EXPECT_EQ(blocks.address(blocks.begin_fetch()), 0x300u);
}

// ---- Accesses

TEST(combined_access, has_every_lane_of_every_path_once) {
  using space = isa::memory_access::space;
  models::combined_access all;
  isa::memory_access a;
  all.clear();
  a.where = space::global;
  a.is_store = true;
  a.bytes_per_lane = 8;
  a.mask = 0b1010;
  a.address[1] = 100;
  a.address[3] = 300;
  all.add(a, 7);
  a.mask = uint64_t{1} << 63;
  a.address[63] = 6300;
  all.add(a, 7);
  a.where = space::none;
  all.add(a, 7);
  EXPECT_EQ(all.memory().mask, 0b111u);
  EXPECT_THAT(std::vector<uint64_t>(all.memory().address, all.memory().address + 3), ElementsAre(100, 300, 6300));
  EXPECT_TRUE(all.memory().is_store);
  EXPECT_EQ(all.memory().bytes_per_lane, 8u);
  EXPECT_EQ(all.lds().mask, 0u);
}

// Two workgroups at one offset of their own LDS are in two places of the compute unit's.
TEST(combined_access, lds_of_workgroups_is_apart) {
  models::combined_access all;
  isa::memory_access a;
  all.clear();
  a.where = isa::memory_access::space::lds;
  a.mask = 1;
  a.address[0] = 16;
  all.add(a, 0);
  all.add(a, 512);
  EXPECT_THAT(std::vector<uint64_t>(all.lds().address, all.lds().address + 2), ElementsAre(16, 528));
  EXPECT_EQ(all.memory().mask, 0u);
}

// A filter's texels: each path's second, third, ... with the others'.
TEST(combined_access, keeps_further_texels_apart) {
  models::combined_access all;
  isa::memory_access a;
  all.clear();
  a.where = isa::memory_access::space::global;
  a.bytes_per_lane = 4;
  a.mask = 0b11;
  a.address[0] = 10;
  a.address[1] = 11;
  all.add(a, 0);
  a.n_further = 2;
  a.mask = 0;
  a.further[0].mask = 0b100;
  a.further[0].address[2] = 22;
  a.further[1].mask = 0b1000;
  a.further[1].address[3] = 33;
  all.add(a, 0);
  all.add(a, 0);
  EXPECT_EQ(all.memory().mask, 0b11u);
  ASSERT_EQ(all.memory().n_further, 2u);
  EXPECT_EQ(all.memory().further[0].mask, 0b11u);
  EXPECT_EQ(all.memory().further[1].address[1], 33u);
  all.clear();
  EXPECT_EQ(all.memory().n_further, 0u);
}

TEST(combined_access, takes_64_lanes) {
  models::combined_access all;
  isa::memory_access a;
  all.clear();
  a.where = isa::memory_access::space::global;
  a.mask = ~uint64_t{0};
  for (uint64_t l = 0; l < 64; ++l) a.address[l] = l;
  all.add(a, 0);
  EXPECT_EQ(all.memory().mask, ~uint64_t{0});
  EXPECT_EQ(all.memory().address[63], 63u);
}

}  // namespace
}  // namespace pws::test::formation_parts_test
