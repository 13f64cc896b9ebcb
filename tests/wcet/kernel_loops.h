// SPDX-License-Identifier: Apache-2.0
// How often the loops of sw/kernels run: what a user would state in wcet.loops for each launch.
#pragma once

#include <vector>

#include "platform/config/files/run_config.h"
#include "tests/integration/reference/kernel_case.h"

namespace pws::test {

std::vector<platform::loop_bound_config> loop_bounds_of(const reference::kernel_case& c);

// A run of the case, as `pwsvp` would read it from a file.
platform::run_config run_of(const reference::kernel_case& c);

}  // namespace pws::test
