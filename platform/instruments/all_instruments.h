// SPDX-License-Identifier: Apache-2.0
// The instruments that there are. Each makes itself where its outputs or keys ask for it.
#pragma once

#include <vector>

#include "base/output/output_files.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

const std::vector<instrument_maker>& all_instruments();

// Those that are wanted, with their options.
std::vector<named_output> wanted_outputs(const outputs& files);
// As prepare_outputs, of these and `more`; also throws input_error where a file's name is of no format that there is.
void prepare(const outputs& files, const std::vector<named_output>& more, const std::vector<std::string>& inputs);
// Throws input_error where an output needs what a run on that machine has not; `how_to_time`: as of run_conditions.
void refuse_unmet(const outputs& files, const run_conditions& conditions);

}  // namespace pws::platform
