// SPDX-License-Identifier: Apache-2.0
// A run's launches against its program, before anything runs: what is wrong is said with its place in the run file.
#pragma once

#include "platform/config/files/run_config.h"
#include "platform/program/compiled_program.h"

namespace pws::platform {

// Throws input_error.
void check_launches(const run_config& config, const compiled_program& program);

}  // namespace pws::platform
