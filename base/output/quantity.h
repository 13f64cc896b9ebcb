// SPDX-License-Identifier: Apache-2.0
// A number with its unit, as all JSON reports have it.
#pragma once

#include <nlohmann/json.hpp>

namespace pws {

// {"value": 16, "unit": "KiB"}
inline nlohmann::ordered_json quantity(const nlohmann::ordered_json& value, const char* unit) {
  return {{"value", value}, {"unit", unit}};
}

}  // namespace pws
