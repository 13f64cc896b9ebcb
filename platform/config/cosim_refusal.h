// SPDX-License-Identifier: Apache-2.0
// Machines that the RTL of the SpSIMD unit, as built, cannot be part of.
#pragma once

#include <string>

#include "models/machine/machine_config.h"

namespace pws::platform::cosim {

// Why, as a sentence that names the key; empty if there is no reason.
std::string refusal(const models::machine_config& config);

}  // namespace pws::platform::cosim
