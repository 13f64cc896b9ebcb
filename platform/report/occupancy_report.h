// SPDX-License-Identifier: Apache-2.0
// How many wavefronts of a kernel a compute unit holds at a time, and what stands in the way of more.
#pragma once

#include <string>

#include "base/output/report_part.h"
#include "models/machine/occupancy.h"

namespace pws::platform {

std::string text(const models::occupancy& o);
const report_part<models::occupancy>& occupancy_part();

}  // namespace pws::platform
