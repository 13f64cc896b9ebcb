// What was counted of branches, as text and JSON.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/uniformity/branch_counter.h"

namespace pws::platform {

// On one line: the totals.
std::string text(const branch_totals& t);
// A line for each branch.
void print_branches(std::ostream& out, const kernel_branches& k);
nlohmann::ordered_json to_json(const branch_totals& t);
// The totals, and each branch.
nlohmann::ordered_json to_json(const kernel_branches& k);
// Those of several kernels, and all of them together.
nlohmann::ordered_json to_json(const std::vector<kernel_branches>& kernels);

}  // namespace pws::platform
