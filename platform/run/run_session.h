// `pwsvp run`: a YAML run from end to end. Program loaded or compiled, buffers filled, kernel launched, result checked.
#pragma once

#include "platform/run/kernel_run.h"
#include "platform/run_file/run_config.h"

namespace pws::platform {

// Runs it and writes the outputs that were asked for, also when the program fails. Throws input_error for bad input;
// what goes wrong on the machine is in the report.
run_report run(const run_config& config, const run_outputs& outputs);

}  // namespace pws::platform
