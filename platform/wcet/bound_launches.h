// SPDX-License-Identifier: Apache-2.0
// The bound of a whole run without a machine in SystemC: for choices that are made by comparing bounds.
#pragma once

#include <cstdint>

#include "models/machine/machine_config.h"
#include "platform/config/files/run_config.h"
#include "platform/wcet/launch_analysis.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// The sum of all launches' static bounds under a scheme, as they lie in memory where `pwsvp wcet` lays them out.
// `machine`: as provisioned. Throws input_error or program_error if a launch has none.
uint64_t sum_of_bounds(const run_config& config, const loader::program_image& program,
                       const models::machine_config& machine, wcet::scheme scheme);

}  // namespace pws::platform
