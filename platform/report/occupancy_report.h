// How many wavefronts of a kernel a compute unit holds at a time, and what stands in the way of more.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/machine/occupancy.h"

namespace pws::platform {

std::string text(const models::occupancy& o);
nlohmann::ordered_json to_json(const models::occupancy& o);

}  // namespace pws::platform
