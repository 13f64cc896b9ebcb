// SPDX-License-Identifier: Apache-2.0
// One launch in a report.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/output/json_text.h"
#include "models/machine/occupancy.h"
#include "platform/report/machine_counters.h"

namespace pws::platform {

struct check_outcome {
  std::string buffer;
  bool pass = false;
  std::string text;  // "1000 elements equal", or the first mismatch
};
const report_part<check_outcome>& check_part();

struct launch_report {
  uint64_t number = 0;  // from 1
  std::string kernel;   // demangled
  models::fidelity fidelity = models::fidelity::functional;
  std::array<uint32_t, 3> grid{1, 1, 1}, workgroup{1, 1, 1};  // work-items
  uint64_t lds_bytes = 0;                                     // dynamic
  models::occupancy occupancy;
  bool completed = false;
  std::string error;           // why not
  models::cycle_t cycles = 0;  // timing fidelity
  machine_counters counters;
  std::vector<check_outcome> checks;  // after it
  double host_seconds = 0;
};
// Without the host's time.
struct launch_entry {
  const launch_report& launch;
  const models::machine_config& machine;
  models::counter_detail detail = models::counter_detail::launch;
};
const report_part<launch_entry>& launch_part();

}  // namespace pws::platform
