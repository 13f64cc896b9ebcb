// SPDX-License-Identifier: Apache-2.0
// `pwsvp run`: a YAML run from end to end. Program loaded or compiled, buffers filled, kernel launched, result checked.
#pragma once

#include "base/output/output_files.h"
#include "platform/config/files/run_config.h"
#include "platform/run/kernel_run.h"
#include "platform/run/program/compiled_program.h"

namespace pws::platform {

// Where a buffer goes that the run file's `save` names.
named_output output_of(const save_config& save);

// The files that the run writes, with those that `given` names in place of its own; they can be written. Throws
// input_error.
outputs prepared_outputs(const run_config& config, const outputs& given, const checkpoint_wishes& checkpoints = {});

// Runs it and writes the outputs that were asked for, also when the program fails. Throws input_error for bad input;
// what goes wrong on the machine is in the report.
run_report run(const run_config& config, const session_options& options, const checkpoint_wishes& checkpoints = {});

// Throws input_error.
void check_launches(const run_config& config, const compiled_program& program);

}  // namespace pws::platform
