// SPDX-License-Identifier: Apache-2.0
// Points by number, from 1, as `pwsvp sweep --list` shows and `--point` takes them.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/sweep/sweep.h"

namespace pws::platform::sweep {

// "3", "1-5", "2,7-9": the points, from 0, in ascending order. Points that are left out can be in a range, but not
// alone. Throws input_error.
std::vector<size_t> points_in(const std::vector<std::string>& texts, const experiment& e);

void print(std::ostream& out, const experiment& e, const std::vector<listed_point>& points);
nlohmann::ordered_json to_json(const experiment& e, const std::filesystem::path& folder,
                               const std::vector<listed_point>& points);

}  // namespace pws::platform::sweep
