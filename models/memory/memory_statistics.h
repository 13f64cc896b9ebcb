// SPDX-License-Identifier: Apache-2.0
// What the memory system counts. Plain data; the report adds up what there are several of.
#pragma once

#include "models/machine/counter_list.h"

namespace pws::models {

// What one cache has counted.
struct cache_statistics {
  uint64_t reads = 0, read_hits = 0;
  uint64_t writes = 0, atomics = 0;
  uint64_t merged = 0;   // read misses that joined a line already on its way
  uint64_t blocked = 0;  // misses that waited because every miss register was taken
  uint64_t writebacks = 0;

  // The counts and what is made of them, as reports have them.
  static const counter_list<cache_statistics>& rows();
};

// What DRAM has counted.
struct dram_statistics {
  uint64_t reads = 0, writes = 0;
  uint64_t row_hits = 0, row_conflicts = 0;  // the rest found the bank precharged
  uint64_t busy_cycles = 0;                  // data bus, summed over channels

  // The counts and what is made of them, as reports have them.
  static const counter_list<dram_statistics>& rows();
};

// What time-divided memory has counted.
struct tdm_statistics {
  uint64_t lines = 0;        // served; an atomic is one
  uint64_t waited = 0;       // cycles from arrival at the memory to the slot, summed over lines
  cycle_t longest_wait = 0;  // of a line
  cycle_t frame = 0;         // cycles

  // The counts and what is made of them, as reports have them.
  static const counter_list<tdm_statistics>& rows();
};

}  // namespace pws::models
