#include "models/bus/gpu_clock.h"

#include <gmock/gmock.h>

#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test {
namespace {

using sc_core::sc_time;
using ::testing::ElementsAre;

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
}  // namespace pws::test
