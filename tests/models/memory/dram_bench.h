// SPDX-License-Identifier: Apache-2.0
// The DRAM alone, with initiators at its ports.
#pragma once

#include <gtest/gtest.h>

#include "models/memory/dram.h"
#include "tests/models/memory/memory_bench.h"

namespace pws::test {

// Line number of the first line of device memory.
constexpr uint64_t first_line = models::device_memory_base / line_bytes;

// Times that add up differently. Rows of four lines, two banks.
inline models::dram_config small_dram() {
  models::dram_config c;
  c.size_mib = 1;
  c.channels = 1;
  c.banks = 2;
  c.row_bytes = 4 * line_bytes;
  c.t_rcd = 11;
  c.t_rp = 7;
  c.t_cl = 5;
  c.t_burst = 3;
  c.extra_latency = 20;
  c.scheduling = models::dram_scheduling::fcfs;
  return c;
}

// A DRAM below initiators. If several requests are for one cycle, each has to be called for before that cycle, as a
// cache's banks do.
struct dram_bench {
  explicit dram_bench(const models::dram_config& c, uint32_t ports = 1)
      : times(clock),
        sequencer(unique("sequencer"), clock),
        above(times, clock, ports),
        tested(unique("dram"), c, line_bytes, ports, clock, sequencer) {
    for (uint32_t i = 0; i < ports; ++i) above.sockets[i]->bind(*tested.ports[i]);
  }
  const models::dram_statistics& statistics() const { return tested.statistics(); }

  models::gpu_clock clock{1000};
  timetable times;
  models::event_sequencer sequencer;
  initiators above;
  models::dram tested;
};

}  // namespace pws::test
