// What `pwsvp reconvergence` prints and writes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "platform/reconvergence/reconvergence_study.h"

namespace pws::platform {

// One screen. Times are instructions that warps issue.
void print(std::ostream& out, const reconvergence_result& r);

// Everything, warp by warp and branch by branch. The same run gives the same bytes.
nlohmann::ordered_json to_json(const reconvergence_result& r);

}  // namespace pws::platform
