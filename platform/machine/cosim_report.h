// SPDX-License-Identifier: Apache-2.0
// What a co-simulation did, for the run's report.
#pragma once

#include <string>

#include "base/output/report_part.h"
#include "platform/machine/rtl_executor.h"

namespace pws::platform::cosim {

// The sum over all units.
struct summary {
  models::cosim_mode mode = models::cosim_mode::model;
  size_t units = 0;  // given to their RTL
  executor_statistics counts;
  // The share of the instructions for the units' own ALUs that the RTL executed itself.
  double share() const;
};

// "lockstep in 4 units: 1234 instructions by the RTL (99.1 % of ALU instructions), 1250 compared, 0 mismatches"
std::string text(const summary& s);
// The summary as a part of reports.
const report_part<summary>& summary_part();

}  // namespace pws::platform::cosim
