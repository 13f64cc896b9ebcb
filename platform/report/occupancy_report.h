// How many wavefronts of a kernel a compute unit holds at a time, and what stands in the way of more.
#pragma once

#include <string>

#include "models/machine/occupancy.h"
#include "platform/json/json_text.h"

namespace pws::platform {

std::string text(const models::occupancy& o);
void put(json_text& t, const models::occupancy& o);
nlohmann::ordered_json to_json(const models::occupancy& o);

}  // namespace pws::platform
