// SPDX-License-Identifier: Apache-2.0
// Where the wavefronts of a machine stand, for messages: of a hang, a limit, a machine that was stopped.
#pragma once

#include <string>
#include <vector>

#include "models/compute_unit/compute_unit.h"

namespace pws::models {

// A line for each place where wavefronts or paths stand that have not ended: the first of them and how many more there
// are, what they do, the instruction with its source line, and the first one's EXEC. The places where most stand come
// first; at most `places` are listed, and the rest is a number. Every line ends with a newline; "" if there are none.
std::string describe_standing(const std::vector<const compute_unit*>& cus, size_t places = 16);

}  // namespace pws::models
