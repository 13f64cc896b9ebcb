// SPDX-License-Identifier: Apache-2.0
// The instruments that there are. Each makes itself where its outputs or keys ask for it.
#pragma once

#include <vector>

#include "platform/session/instrument.h"

namespace pws::platform {

const std::vector<instrument_maker>& all_instruments();

// Throws input_error where an output needs what a run on that machine has not; `how_to_time`: as of run_conditions.
void refuse_unmet(const outputs& files, const run_conditions& conditions);

}  // namespace pws::platform
