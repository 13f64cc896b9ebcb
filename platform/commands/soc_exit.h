// SPDX-License-Identifier: Apache-2.0
// What a command ends with that has run firmware.
#pragma once

#include "platform/soc/soc_run.h"

namespace pws::platform {

// The firmware's code, 1 if it is above 125 or there is none, or that of the signal that has ended the run.
int exit_code_of(const soc_result& r);

}  // namespace pws::platform
