// SPDX-License-Identifier: Apache-2.0
// The measures of an experiment against what its points' reports can have.
#pragma once

#include "platform/config/files/experiment.h"

namespace pws::platform::sweep {

// Throws config_error, with suggestions, where no report of the experiment's command can have a measure.
void check_measures(const experiment& e);

}  // namespace pws::platform::sweep
