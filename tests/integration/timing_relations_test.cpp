// SPDX-License-Identifier: Apache-2.0
// How cycles relate to one another when program or machine changes. No absolute numbers: every relation follows from
// what a parameter means.
//
// Where a time per loop pass is wanted it is measured as a slope, (cycles(2n) - cycles(n)) / n: everything outside the
// loop (dispatch, cold instruction cache, arguments) cancels, so that slopes can be compared exactly.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/integration/child_run.h"
#include "tests/integration/reference/alu_chain.h"
#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/fully_divergent.h"
#include "tests/integration/reference/pointer_chase.h"
#include "tests/integration/reference/vector_add.h"

namespace pws::test::timing_relations_test {
namespace {

using models::machine_config;
using reference::kernel_case;

child_report run(const kernel_case& c, const machine_config& m = {}) {
  child_report r = run_in_child(launch_of(c, m));
  if (!r.completed) throw std::runtime_error(r.error);
  const std::string wrong = memory_difference(c, r);
  if (!wrong.empty()) throw std::runtime_error(c.name + ": " + wrong);
  return r;
}

uint64_t cycles(const kernel_case& c, const machine_config& m = {}) {
  return run(c, m).cycles;
}

// A machine on which nothing but the program decides: one SIMD unit of one CU.
machine_config one_simd(uint32_t contexts = 10) {
  machine_config m;
  m.n_cu = m.n_simd = 1;
  m.n_wfc = contexts;
  return m;
}

kernel_case loop_case(const std::string& kernel, uint32_t passes, uint32_t wavefronts = 1) {
  kernel_case c;
  c.name = c.kernel = kernel;
  c.source = "tests/integration/data/relations.s";
  c.grid[0] = 64 * wavefronts;
  c.workgroup[0] = 64;
  c.args = {reference::scalar("passes", passes)};
  return c;
}

// Cycles of a pass, times `passes`.
uint64_t passes_cost(const std::string& kernel, const machine_config& m, uint32_t wavefronts = 1,
                     uint32_t passes = 100) {
  return cycles(loop_case(kernel, 2 * passes, wavefronts), m) - cycles(loop_case(kernel, passes, wavefronts), m);
}

kernel_case hip_case(const std::string& kernel, uint32_t work_items, std::vector<kernel_case::arg> args) {
  kernel_case c;
  c.name = c.kernel = kernel;
  c.source = "tests/integration/data/relations.hip";
  c.grid[0] = c.workgroup[0] = work_items;
  c.args = std::move(args);
  return c;
}

// ---- length

TEST(timing_relations, twice_the_steps_take_twice_the_time) {
  const auto chain = [](uint32_t steps) { return cycles(reference::alu_chain_case("chain", 64, steps), one_simd()); };
  const uint64_t once = chain(4000), twice = chain(8000);
  EXPECT_GT(twice, once * 195 / 100);  // what happens once, start and end, is far below a 20th
  EXPECT_LE(twice, once * 2);
  const auto divergent = [](uint32_t rounds) {
    return cycles(reference::fully_divergent_case("divergent", 64, 0x5555555555555555, rounds), one_simd());
  };
  EXPECT_GT(divergent(400), divergent(200) * 195 / 100);
  EXPECT_LE(divergent(400), divergent(200) * 2);
}

TEST(timing_relations, loop_passes_are_all_alike) {
  for (const char* kernel : {"empty_loop", "independent_valu_loop", "scalar_loop"}) {
    SCOPED_TRACE(kernel);
    EXPECT_EQ(passes_cost(kernel, one_simd(), 1, 200), 2 * passes_cost(kernel, one_simd(), 1, 100));
  }
}

// ---- divergence

// Slopes over rounds: then side, else side, both. A serialised branch costs the sum and not a cycle more, because what
// is added per round lies in the two loops only.
TEST(timing_relations, divergent_branch_costs_both_sides_and_uniform_one) {
  constexpr uint64_t mixed_masks[] = {0x5555555555555555, uint64_t{1} << 41, ~(uint64_t{1} << 63), 0xffffffff};
  const auto slope = [](uint64_t mask) {
    const auto at = [&](uint32_t rounds) {
      return run(reference::fully_divergent_case("d", 64, mask, rounds), one_simd());
    };
    const child_report shorter = at(100), longer = at(200);
    return std::pair{longer.cycles - shorter.cycles, longer.cu.total_instructions() - shorter.cu.total_instructions()};
  };
  const auto then_side = slope(~uint64_t{0}), else_side = slope(0);
  EXPECT_GT(then_side.first, 0u);
  EXPECT_GT(else_side.first, 0u);
  for (const uint64_t mask : mixed_masks) {
    SCOPED_TRACE(mask);
    const auto both = slope(mask);
    EXPECT_EQ(both.second, then_side.second + else_side.second);
    EXPECT_EQ(both.first, then_side.first + else_side.first);
  }
}

// ---- parallelism

TEST(timing_relations, more_compute_units_are_faster) {
  const kernel_case c = reference::alu_chain_case("chain", 1 << 16, 256);
  machine_config m;
  uint64_t last = 0;
  for (const uint32_t n_cu : {1u, 2u, 4u, 8u}) {
    m.n_cu = n_cu;
    const uint64_t now = cycles(c, m);
    // Independent workgroups: half the time, but for the first fetches and the last workgroups.
    if (last != 0) {
      EXPECT_LT(now, last * 6 / 10) << n_cu << " compute units";
      EXPECT_GE(now, last / 2) << n_cu << " compute units";
    }
    last = now;
  }
}

TEST(timing_relations, more_wavefronts_hide_memory_latency) {
  // Many wavefronts of a few instructions between dependent loads, all from memory.
  const uint32_t n = 1 << 14;
  kernel_case c = reference::alu_chain_case("chain", n, 1);
  c.workgroup[0] = 64;
  uint64_t last = 0;
  for (const uint32_t contexts : {1u, 2u, 4u, 8u}) {
    const uint64_t now = cycles(c, one_simd(contexts));
    if (last != 0) {
      EXPECT_LT(now, last * 8 / 10) << contexts << " contexts";
    }
    last = now;
  }
}

TEST(timing_relations, wavefronts_share_a_valu) {
  // Saturated by one wavefront, a VALU takes twice as long for two; on two SIMD units they do not meet.
  machine_config two_simds = one_simd();
  two_simds.n_simd = 2;
  const uint64_t one = passes_cost("independent_valu_loop", one_simd());
  EXPECT_GT(passes_cost("independent_valu_loop", one_simd(), 2), one * 3 / 2);
  EXPECT_EQ(passes_cost("independent_valu_loop", two_simds, 2), one);
}

// ---- units

TEST(timing_relations, a_vector_instruction_occupies_its_simd_for_64_by_its_lanes) {
  for (const uint32_t lanes : {4u, 16u, 32u, 64u}) {
    SCOPED_TRACE(lanes);
    machine_config m = one_simd();
    m.valu_lanes = lanes;
    const uint64_t occupied = 64 / lanes;
    for (const uint32_t wavefronts : {1u, 4u, 10u}) {
      const child_report r = run(loop_case("independent_valu_loop", 1000, wavefronts), m);
      EXPECT_EQ(r.cu.valu_busy, occupied * r.cu.valu_instructions());
      EXPECT_GE(r.cycles, r.cu.valu_busy);
      // With enough wavefronts there is always one that can issue.
      if (wavefronts == 10) {
        EXPECT_LT(r.cycles, r.cu.valu_busy * 12 / 10);
      }
    }
  }
}

TEST(timing_relations, wider_valu_is_faster) {
  machine_config wide;
  wide.valu_lanes = 64;
  const kernel_case c = reference::alu_chain_case("chain", 1 << 14, 512);
  EXPECT_LT(cycles(c, wide) * 2, cycles(c));
}

TEST(timing_relations, dependent_instructions_wait_for_the_latency) {
  machine_config slow = one_simd();
  slow.latency.valu += 9;
  const uint64_t more = passes_cost("dependent_valu_loop", slow) - passes_cost("dependent_valu_loop", one_simd());
  // 16 additions in a row; the last one's result is waited for by the next pass's first.
  EXPECT_GE(more, 100 * 15 * 9u);
  EXPECT_LE(more, 100 * 16 * 9u);
  machine_config slow_scalar = one_simd();
  slow_scalar.latency.salu += 6;
  // Eight additions, the counter's subtraction, its comparison and the branch on it: each waits for the one before.
  const uint64_t scalar = passes_cost("scalar_loop", slow_scalar) - passes_cost("scalar_loop", one_simd());
  EXPECT_GE(scalar, 100 * 8 * 6u);
  EXPECT_LE(scalar, 100 * 11 * 6u);
}

TEST(timing_relations, branch_latency) {
  machine_config slow = one_simd();
  slow.latency.branch += 12;
  EXPECT_EQ(passes_cost("empty_loop", slow), passes_cost("empty_loop", one_simd()) + 100 * 12);
}

TEST(timing_relations, sleep_takes_64_cycles_per_unit) {
  const uint64_t one = passes_cost("sleep_1_loop", one_simd());
  EXPECT_EQ(passes_cost("sleep_2_loop", one_simd()), one + 100 * 64);
  EXPECT_EQ(passes_cost("sleep_5_loop", one_simd()), one + 100 * 4 * 64);
}

// ---- LDS and barriers

TEST(timing_relations, bank_conflicts_cost_time) {
  const auto strided = [](uint32_t stride, uint32_t rounds) {
    std::vector<uint32_t> expected(64);
    for (uint32_t lane = 0; lane < 64; ++lane) expected[lane] = lane * stride;
    return run(hip_case("lds_stride", 64,
                        {reference::output("out", reference::unwritten<uint32_t>(64), expected),
                         reference::scalar("stride", stride), reference::scalar("rounds", rounds)}),
               one_simd());
  };
  constexpr uint32_t rounds = 100;
  const auto cost = [&](uint32_t stride) {
    return strided(stride, 2 * rounds).cycles - strided(stride, rounds).cycles;
  };
  const uint64_t free = cost(1);
  EXPECT_EQ(cost(0), free) << "one word for all is broadcast";
  EXPECT_EQ(cost(33), free) << "odd strides meet every bank once";
  // Half a wavefront per pass: 32 lanes in 32, 16, ... banks; each further word of a bank takes a cycle in both halves.
  EXPECT_EQ(cost(2), free + rounds * 2 * 1u);
  EXPECT_EQ(cost(4), free + rounds * 2 * 3u);
  EXPECT_EQ(cost(32), free + rounds * 2 * 31u);
  EXPECT_EQ(strided(1, rounds).lds_conflict_cycles, 0u);
  EXPECT_EQ(strided(32, rounds).lds_conflict_cycles, rounds * 2 * 31u);
}

TEST(timing_relations, barrier_waits_for_the_slowest) {
  constexpr size_t waves = 4;
  kernel_case c = hip_case("barrier_wait", 64 * waves, {});
  c.args = {reference::input("when", std::vector<uint64_t>(3 * waves)), reference::scalar<uint32_t>("rounds", 500)};
  const child_report r = run_in_child(launch_of(c));
  ASSERT_TRUE(r.completed) << r.error;
  std::vector<uint64_t> when(3 * waves);
  std::memcpy(when.data(), r.arguments[0].data(), r.arguments[0].size());
  const uint64_t slowest = when[3 * (waves - 1) + 1];
  for (size_t w = 0; w < waves; ++w) {
    EXPECT_LT(when[3 * w], when[3 * w + 1]);
    EXPECT_GT(when[3 * w + 2], slowest) << "wavefront " << w;
    // All go on together; each reads the clock through the one scalar memory unit.
    EXPECT_LT(when[3 * w + 2], slowest + 100) << "wavefront " << w;
    if (w != 0) {
      EXPECT_GT(when[3 * w + 1], when[3 * w - 2] + 500) << "more work takes longer";
    }
  }
  EXPECT_GT(r.cu.stalls[static_cast<size_t>(models::stall::barrier)], 3 * 500u);
}

// ---- memory

kernel_case chase_case(const std::vector<uint32_t>& ring, uint32_t hops) {
  kernel_case c = reference::linear_case("chase", "pointer_chase", "pointer_chase", 1);
  c.args = {reference::input("ring", ring),
            reference::output("last", reference::unwritten<uint32_t>(1),
                              std::vector<uint32_t>{reference::pointer_chase(ring, 0, hops)}),
            reference::scalar<uint32_t>("start", 0), reference::scalar("hops", hops)};
  return c;
}

// A ring of as many lines as hops: every hop is the first touch of its line and comes from DRAM.
TEST(timing_relations, dram_latency_adds_to_every_dependent_load) {
  constexpr uint32_t nodes = 2000;
  const std::vector<uint32_t> ring = reference::random_ring(5, nodes, 16);
  const auto slope = [&](uint32_t extra) {
    machine_config m = one_simd();
    m.memory.dram.extra_latency = extra;
    const child_report shorter = run(chase_case(ring, 500), m), longer = run(chase_case(ring, 1500), m);
    EXPECT_EQ(longer.dram.reads - shorter.dram.reads, 1000u);
    return longer.cycles - shorter.cycles;
  };
  const uint64_t base = slope(60);
  for (const uint32_t k : {1u, 7u, 500u}) EXPECT_EQ(slope(60 + k), base + 1000 * k) << k;
  EXPECT_EQ(slope(0), base - 1000 * 60);
}

// Once around a ring that a cache holds, the loads come from there: each level is slower than the one before.
TEST(timing_relations, memory_hierarchy) {
  const auto per_1000_hops = [](uint32_t lines) {
    const std::vector<uint32_t> ring = reference::random_ring(6, lines, 16);
    return cycles(chase_case(ring, 2 * lines + 1000), one_simd()) - cycles(chase_case(ring, 2 * lines), one_simd());
  };
  const uint64_t l1 = per_1000_hops(100), l2 = per_1000_hops(4000), dram = per_1000_hops(60'000);
  EXPECT_LT(l1 * 3 / 2, l2);
  EXPECT_LT(l2 * 3 / 2, dram);
  machine_config m;
  EXPECT_GE(l1, 1000 * m.memory.vector_l1.hit_latency);
  EXPECT_GE(l2, 1000 * (m.memory.l2.bank.hit_latency + 2 * m.memory.interconnect.latency));
}

// One wavefront that reads the same data four times: with more ways at the same sets, LRU keeps at least what it kept.
TEST(timing_relations, larger_caches_hit_no_less) {
  constexpr uint32_t n = 2048, times = 4;  // 8 KiB
  std::vector<uint32_t> data(n), sums(64, 0);
  for (uint32_t i = 0; i < n; ++i) {
    data[i] = i * i;
    sums[i % 64] += times * data[i];
  }
  const kernel_case c =
      hip_case("read_again", 64,
               {reference::input("data", data), reference::output("out", reference::unwritten<uint32_t>(64), sums),
                reference::scalar("n", n), reference::scalar("times", times)});
  constexpr uint32_t lines = n / 16;
  child_report last;
  for (const uint32_t size : {1u, 2u, 4u, 8u, 16u, 64u}) {
    SCOPED_TRACE(size);
    machine_config m = one_simd();
    m.memory.vector_l1.size_kib = size;
    m.memory.vector_l1.ways = size * 4;
    const child_report r = run(c, m);
    EXPECT_EQ(r.vector_l1.reads, times * lines);
    EXPECT_GE(r.vector_l1.read_hits + r.vector_l1.merged, last.vector_l1.read_hits + last.vector_l1.merged);
    if (size >= 8) {
      EXPECT_EQ(r.vector_l1.read_hits, (times - 1) * lines) << "all but the first time";
    }
    if (last.cycles != 0) {
      EXPECT_LE(r.cycles, last.cycles);
    }
    last = r;
  }
  last = {};
  for (const uint32_t size : {1u, 2u, 4u, 8u, 64u}) {
    SCOPED_TRACE(size);
    machine_config m = one_simd();
    m.memory.vector_l1 = {1, 16, 64, 32, 32};
    m.memory.l2.banks = 1;
    m.memory.l2.bank.size_kib = size;
    m.memory.l2.bank.ways = size * 4;
    const child_report r = run(c, m);
    EXPECT_GE(r.l2.read_hits, last.l2.read_hits);
    EXPECT_LE(r.dram.reads, last.cycles == 0 ? r.dram.reads : last.dram.reads);
    if (size == 64) {
      EXPECT_GE(r.l2.read_hits, (times - 1) * lines);
    }
    last = r;
  }
}

TEST(timing_relations, misses_overlap) {
  // The same lines through one miss register or through many.
  const kernel_case c = reference::vector_add_cases().front().make();
  kernel_case wide = reference::alu_chain_case("chain", 1 << 12, 1);
  machine_config one = one_simd(), many = one_simd();
  one.memory.vector_l1.mshrs = 1;
  EXPECT_GT(cycles(wide, one), cycles(wide, many) * 2);
  EXPECT_GE(cycles(c, one), cycles(c, many));
}

}  // namespace
}  // namespace pws::test::timing_relations_test
