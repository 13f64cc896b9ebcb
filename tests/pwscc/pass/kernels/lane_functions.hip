// A kernel for each of lane_functions.h.
#include <hip/hip_runtime.h>

#include "lane_functions.h"

LANE_FUNCTIONS(LANE_KERNEL)
// SPDX-License-Identifier: Apache-2.0
