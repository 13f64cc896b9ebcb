// What the reports of a run and of a program say alike: the machine, its time, and how much of its memory's bandwidth
// was used.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/machine/machine_config.h"

namespace pws::platform {

// "4 CU x 4 SIMD x 10 wavefront contexts, 16 VALU lanes, 1000 MHz"
std::string machine_text(const models::machine_config& m);
// By the keys of the configuration, the clock with its unit.
nlohmann::ordered_json machine_json(const models::machine_config& m);

// What issues the instructions that reports count: "wavefront" (a part of one that has been split, too), where warps
// are formed "warp", and there in functional fidelity "path", as no warps are formed. The unit is "warp instructions".
const char* issuer_of(const models::machine_config& m, models::fidelity f);

// What cycles take by the machine's clock: a report's `simulated_time`.
nlohmann::ordered_json simulated_time(models::cycle_t cycles, const models::machine_config& m);
std::string simulated_time_text(models::cycle_t cycles, const models::machine_config& m);

// `busy`: cycles for which the DRAM channels' buses moved lines, summed over them.
nlohmann::ordered_json dram_bandwidth(uint64_t busy, models::cycle_t cycles, const models::machine_config& m);

}  // namespace pws::platform
