// SPDX-License-Identifier: Apache-2.0
// How long vector instructions take on a vector ALU of any number of lanes: in the pipeline, with issue slots of its
// own, and where warps are formed.
#include <gmock/gmock.h>

#include "tests/models/pipeline/cu_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::valu_lanes_test {
namespace {

using namespace code;
using models::divergence_kind;
using models::machine_config;
using ::testing::ElementsAreArray;

constexpr uint32_t divisors_of_64[] = {1, 2, 4, 8, 16, 32, 64};
constexpr cycle_t latency = 6, latency_of_quarter_rate = 20;

machine_config with_lanes(uint32_t lanes) {
  machine_config c = one_simd_unit();
  c.valu_lanes = lanes;
  c.latency.valu = latency;
  c.latency.valu_trans = latency_of_quarter_rate;
  return c;
}

// The second is independent of the first, each of the next two needs the one before; then likewise at quarter rate.
const std::vector<uint32_t> program = {v_mov_b32(1, 0), v_mov_b32(2, 0), v_mov_b32(3, 2), v_rcp_f32(1, 3),
                                       v_rcp_f32(2, 0), v_mov_b32(3, 2), s_endpgm};

// Cycles from each vector instruction to the next.
std::vector<cycle_t> apart(const cu_bench& bench) {
  std::vector<cycle_t> at(6), list;
  for (const auto& i : bench.issues)
    if (i.dword < at.size()) at[i.dword] = i.at;
  for (size_t k = 1; k < at.size(); ++k) list.push_back(at[k] - at[k - 1]);
  return list;
}

// A full-rate instruction has the vector ALU for `busy` cycles.
std::vector<cycle_t> back_to_back(cycle_t busy) {
  return {busy, std::max(latency, busy), std::max(latency, busy), 4 * busy,
          std::max(latency_of_quarter_rate, 4 * busy)};
}

SIMULATION(valu_lanes, a_wavefront_takes_64_by_the_lanes) {
  std::vector<std::unique_ptr<cu_bench>> benches;
  for (const uint32_t lanes : divisors_of_64) {
    benches.push_back(std::make_unique<cu_bench>(with_lanes(lanes), program));
    ASSERT_TRUE(benches.back()->start(64));
  }
  sc_core::sc_start();
  for (size_t k = 0; k < benches.size(); ++k) {
    SCOPED_TRACE(divisors_of_64[k]);
    EXPECT_EQ(benches[k]->finished, 1u) << benches[k]->fault_message;
    EXPECT_THAT(apart(*benches[k]), ElementsAreArray(back_to_back(64 / divisors_of_64[k])));
    EXPECT_EQ(benches[k]->cu().statistics().valu_busy, UINT64_C(12) * 64 / divisors_of_64[k])
        << "four at full rate, two at quarter rate";
  }
}

// A context issues once in a round, and what takes longer than a slot goes on in its next slots.
SIMULATION(valu_lanes, a_slot_is_64_by_the_lanes) {
  std::vector<std::unique_ptr<cu_bench>> benches;
  for (const uint32_t lanes : divisors_of_64) {
    machine_config c = with_lanes(lanes);
    c.schedule = models::schedule_policy::tdm;
    c.n_wfc = 3;
    benches.push_back(std::make_unique<cu_bench>(c, program));
    ASSERT_TRUE(benches.back()->start(64));
  }
  sc_core::sc_start();
  for (size_t k = 0; k < benches.size(); ++k) {
    SCOPED_TRACE(divisors_of_64[k]);
    const cycle_t slot = 64 / divisors_of_64[k], fetch = one_simd_unit().memory.instruction_cache.hit_latency + 3;
    const cycle_t round = std::max(3 * slot, fetch);
    const auto rounds = [&](cycle_t cycles) { return (cycles + round - 1) / round * round; };
    const cycle_t before = std::min(3 * slot, latency_of_quarter_rate);  // the last of four passes
    EXPECT_THAT(apart(*benches[k]),
                ElementsAreArray({round, rounds(std::max(latency, slot)), rounds(std::max(latency, slot)), 4 * round,
                                  3 * round + rounds(std::max(latency_of_quarter_rate - before, slot))}));
  }
}

SIMULATION(valu_lanes, a_warp_takes_its_size_by_the_lanes) {
  struct warp_on_lanes {
    uint32_t size, lanes;
    std::unique_ptr<cu_bench> bench;
  };
  std::vector<warp_on_lanes> all;
  for (const divergence_kind d : {divergence_kind::pdom, divergence_kind::naive, divergence_kind::dwf})
    for (const uint32_t size : divisors_of_64)
      for (const uint32_t lanes : divisors_of_64) {
        machine_config c = with_lanes(lanes);
        c.divergence = d;
        c.dwf.warp_size = size;
        all.push_back({size, lanes, std::make_unique<cu_bench>(c, program)});
        ASSERT_TRUE(all.back().bench->start(size));
      }
  sc_core::sc_start();
  for (const warp_on_lanes& w : all) {
    SCOPED_TRACE(::testing::Message() << "warp of " << w.size << " on " << w.lanes << " lanes");
    EXPECT_THAT(apart(*w.bench), ElementsAreArray(back_to_back(std::max(1u, w.size / w.lanes))));
  }
}

// Not set, a warp has as many work-items as there are lanes.
SIMULATION(valu_lanes, are_the_size_of_a_warp) {
  std::vector<std::unique_ptr<cu_bench>> benches;
  for (const uint32_t lanes : divisors_of_64) {
    machine_config c = with_lanes(lanes);
    c.divergence = divergence_kind::dwf;
    benches.push_back(std::make_unique<cu_bench>(c, program));
    ASSERT_TRUE(benches.back()->start(64));
  }
  sc_core::sc_start();
  for (size_t k = 0; k < benches.size(); ++k) {
    SCOPED_TRACE(divisors_of_64[k]);
    EXPECT_EQ(benches[k]->issues.size(), program.size() * 64 / divisors_of_64[k]);
    EXPECT_EQ(benches[k]->finished, 1u);
  }
}

}  // namespace
}  // namespace pws::test::valu_lanes_test
