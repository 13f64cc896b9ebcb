// SPDX-License-Identifier: Apache-2.0
// The GPU's registers for those who read about them and for drivers, made of the register map
// (models/registers/gpu_register_map.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pws::platform {

// An entry for each register, field and named value. Numbers are text, as C has them; an offset may have the variables
// `queue` and `word`.
nlohmann::ordered_json registers_json();

// A C99 header that needs no other: offsets, masks and shifts of fields, values.
std::string registers_c_header();

// docs/registers.md.
std::string registers_markdown();

}  // namespace pws::platform
