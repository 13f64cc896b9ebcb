// SPDX-License-Identifier: Apache-2.0
// Programs of consecutive seeds, compiled, run and judged, with totals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/fuzz/float/float_program.h"

namespace pws::test {

struct campaign_settings {
  uint64_t programs = 100, first_seed = 1;
  unsigned jobs = 2;
  program_options program;
  std::string keep = "float-differences";  // folder for the sources of programs that differ
  std::string cache;                       // of compiled code, "" for none
  std::optional<uint64_t> break_lane;      // flip the last bit of this lane's first result
  bool list = false;                       // name the rows of the opcode table that were never executed
};

// True if all agreed. Throws std::exception for what is wrong with the settings or the installation.
bool run_float_campaign(const campaign_settings& s);

}  // namespace pws::test
