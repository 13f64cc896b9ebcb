// What a scheme with a stack needs of storage, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/divergence/path_storage.h"

namespace pws::platform {

std::string text(const models::path_storage& s);
nlohmann::ordered_json to_json(const models::path_storage& s);

}  // namespace pws::platform
