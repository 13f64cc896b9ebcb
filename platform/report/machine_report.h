// SPDX-License-Identifier: Apache-2.0
// What the reports of a run and of a program say alike of the machine and its time.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/output/report_part.h"
#include "models/machine/machine_config.h"
#include "models/machine/occupancy.h"
#include "platform/report/machine_counters.h"

namespace pws::platform {

// "4 CU x 4 SIMD x 10 wavefront contexts, 16 VALU lanes, 1000 MHz"
std::string machine_text(const models::machine_config& m);
// By the keys of the configuration, the clock with its unit.
const report_part<models::machine_config>& machine_part();

// What cycles take by the machine's clock.
constexpr const char* time_unit = "us";
double simulated_time(models::cycle_t cycles, const models::machine_config& m);
std::string simulated_time_text(models::cycle_t cycles, const models::machine_config& m);

// Rows of a report: label and text.
std::vector<std::pair<const char*, std::string>> formation_rows(const machine_counters& n,
                                                                const models::counted_on& on);

std::string text(const models::occupancy& o);
const report_part<models::occupancy>& occupancy_part();

}  // namespace pws::platform
