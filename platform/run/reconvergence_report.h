// SPDX-License-Identifier: Apache-2.0
// What `pwsvp reconvergence` prints and writes.
#pragma once

#include <ostream>
#include <string>

#include "base/output/report_part.h"
#include "platform/run/reconvergence_study.h"

namespace pws::platform {

// One screen. Times are instructions that warps issue.
void print(std::ostream& out, const reconvergence_result& r);

// Everything, warp by warp and branch by branch. The same run gives the same bytes.
const report_part<reconvergence_result>& reconvergence_part();

}  // namespace pws::platform
