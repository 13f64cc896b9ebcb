// SPDX-License-Identifier: Apache-2.0
// What `pwsvp soc` prints and writes.
#pragma once

#include <ostream>

#include "base/output/report_part.h"
#include "platform/soc/soc_run.h"

namespace pws::platform {

void print(std::ostream& out, const soc_result& r);

const report_part<soc_result>& soc_part();

}  // namespace pws::platform
