// What a machine that forms warps counted (divergence pdom, naive, dwf, mimd), as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/formation/formation_statistics.h"
#include "models/machine/machine_config.h"

namespace pws::platform {

// Rows of a report: label and text.
std::vector<std::pair<const char*, std::string>> formation_rows(const models::machine_config& m,
                                                                const models::formation_statistics& f,
                                                                models::cycle_t cycles);
nlohmann::ordered_json to_json(const models::machine_config& m, const models::formation_statistics& f,
                               models::cycle_t cycles);

}  // namespace pws::platform
