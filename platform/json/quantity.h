// A number with its unit, as all JSON reports have it, and shares of a whole.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace pws::platform {

// {"value": 16, "unit": "KiB"}
inline nlohmann::ordered_json quantity(const nlohmann::ordered_json& value, const char* unit) {
  return {{"value", value}, {"unit", unit}};
}

// 0 of nothing.
inline double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace pws::platform
