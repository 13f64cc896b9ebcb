// SPDX-License-Identifier: Apache-2.0
// The constants that the static WCET analysis takes from a machine's configuration (docs/predictable.md). Slots, rounds
// and frames are the definition that the model is built from (models/machine/time_division.h); what they bound, and
// what the model does with them, analysis and model have each in code of their own.
#pragma once

#include <optional>

#include "models/machine/machine_config.h"
#include "sw/wcet/instructions/machine_timing.h"

namespace pws::platform {

// `c`: as provisioned. Throws input_error naming the keys if it is not a predictable machine.
wcet::machine_timing timing_of(const models::machine_config& c);

// What pwscc's auto weighs splits with, for a machine as configured; nothing if it is not a predictable one.
std::optional<wcet::machine_timing> timing_to_compile_for(const models::machine_config& c);

}  // namespace pws::platform
