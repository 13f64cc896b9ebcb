// SPDX-License-Identifier: Apache-2.0
// A run file with a waveform, while a bus master reads every context's record of the debug window in every cycle.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "models/dispatch/debug_window.h"
#include "tests/integration/vcd_parser.h"

namespace pws::test {

struct observed_run {
  vcd_file waveform;
  struct reading {
    uint64_t time = 0;                          // ps
    std::vector<std::vector<uint8_t>> records;  // of the first contexts, in the window's order
  };
  std::vector<reading> readings;
};

// A launch of one wavefront that takes an address of 256 bytes. `set`: overrides. Throws std::runtime_error if the run
// fails.
observed_run observe(const std::string& run_file, const std::string& kernel, size_t contexts,
                     const std::vector<std::string>& set = {});

// Signals that a GTKWave file names, each of which the waveform must have, with that range.
unsigned signals_of(const std::string& gtkwave_file, const vcd_file& waveform);

// A field of a record.
template <class T>
T field(const std::vector<uint8_t>& record, uint64_t offset) {
  T value;
  std::memcpy(&value, &record.at(offset), sizeof value);
  return value;
}

}  // namespace pws::test
