// SPDX-License-Identifier: Apache-2.0
#include "models/bus/gpu_clock.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::gpu_clock_test {
namespace {

using sc_core::sc_time;
using ::testing::ElementsAre;

// With SystemC's default of 1 ps every clock that a machine file can have is right within the stated ppm.
SIMULATION(gpu_clock, right_within_the_stated_ppm) {
  for (uint32_t mhz = 1; mhz <= 10'000; ++mhz) {
    const double ppm = (models::gpu_clock(mhz).period().to_seconds() * mhz * 1e6 - 1) * 1e6;
    ASSERT_LE(std::fabs(ppm), models::gpu_clock::most_ppm + 1e-3) << mhz;
  }
  EXPECT_EQ(models::gpu_clock(1000).period(), sc_core::sc_time(1, sc_core::SC_NS));
  EXPECT_EQ(models::gpu_clock(1500).period(), sc_core::sc_time(667, sc_core::SC_PS));
}

// A coarser one holds some.
SIMULATION(gpu_clock, a_time_resolution_that_cannot_hold_a_cycle) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_NS);
  EXPECT_EQ(models::gpu_clock(500).period(), sc_core::sc_time(2, sc_core::SC_NS));
  EXPECT_EQ(models::gpu_clock(1000).time_of(7), sc_core::sc_time(7, sc_core::SC_NS));
  for (const uint32_t mhz : {1500u, 600u, 300u, 10'000u, 2001u}) {
    try {
      const models::gpu_clock clock(mhz);
      FAIL() << mhz << " MHz is " << clock.period();
    } catch (const input_error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("clock_mhz " + std::to_string(mhz) + ": a cycle of "));
      EXPECT_THAT(e.what(), testing::HasSubstr("SystemC's time resolution, 1 ns"));
    }
  }
}

SIMULATION(gpu_clock, cycles_and_time) {
  const models::gpu_clock clock(500);
  EXPECT_EQ(clock.period(), sc_time(2, sc_core::SC_NS));
  EXPECT_EQ(clock.time_of(0), sc_core::SC_ZERO_TIME);
  EXPECT_EQ(clock.time_of(1'000'000'007), sc_time(2'000'000'014, sc_core::SC_NS));
  EXPECT_EQ(clock.cycles_in(sc_core::SC_ZERO_TIME), 0u);
  EXPECT_EQ(clock.cycles_in(sc_time(1, sc_core::SC_PS)), 1u) << "rounded up";
  EXPECT_EQ(clock.cycles_in(sc_time(2000, sc_core::SC_PS)), 1u);
  EXPECT_EQ(clock.cycles_in(sc_time(2001, sc_core::SC_PS)), 2u);
}

// A period that is no whole number of picoseconds is rounded once, and not once per cycle.
// Cycles go on where they are, with another length; how long some of them are does not depend on when.
SIMULATION(gpu_clock, another_ratio) {
  models::gpu_clock clock(1000);
  const sc_core::sc_time ns(1, sc_core::SC_NS);
  EXPECT_EQ(clock.duration(60), 60 * ns);
  sc_core::sc_start(2.5, sc_core::SC_NS);  // within cycle 2, which ends
  clock.set_ratio(4);
  EXPECT_EQ(clock.now(), 3u);
  EXPECT_EQ(clock.time_of(5), sc_core::sc_time(10.5, sc_core::SC_NS));
  EXPECT_EQ(clock.duration(60), 240 * ns);
  EXPECT_EQ(clock.cycles_in(4.5 * ns), 2u);
  sc_core::sc_start(8, sc_core::SC_NS);
  EXPECT_EQ(clock.now(), 5u);
  clock.set_ratio(1);
  EXPECT_EQ(clock.now(), 5u);
  EXPECT_EQ(clock.time_of(6), sc_core::sc_time(11.5, sc_core::SC_NS));
  EXPECT_EQ(clock.duration(60), 60 * ns);
  EXPECT_EQ(clock.picoseconds_at_ratio_1(), 1000u);
}

SIMULATION(gpu_clock, there_and_back_at_any_frequency) {
  for (const uint32_t mhz : {1u, 333u, 700u, 1000u, 1500u, 3000u}) {
    const models::gpu_clock clock(mhz);
    for (const cycle_t cycle : {cycle_t{0}, cycle_t{1}, cycle_t{999'999'937}})
      EXPECT_EQ(clock.cycles_in(clock.time_of(cycle)), cycle) << mhz << " MHz";
  }
}

SIMULATION(gpu_clock, now_is_the_cycle_that_the_time_lies_in) {
  const models::gpu_clock clock(500);
  std::vector<cycle_t> seen{clock.now()};
  for (const int step : {1999, 1, 1, 1998, 1, 20'000}) {
    sc_core::sc_start(sc_time(step, sc_core::SC_PS));
    seen.push_back(clock.now());
  }
  EXPECT_THAT(seen, ElementsAre(0, 0, 1, 1, 1, 2, 12));
}

}  // namespace
}  // namespace pws::test::gpu_clock_test
