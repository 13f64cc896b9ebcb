// SPDX-License-Identifier: Apache-2.0
// JSON Schemas of the YAML files, by which editors complete and check them while they are written.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "platform/config/files/file_kinds.h"

namespace pws::platform {

// Draft 7. It knows names, types, choices and ranges; what keys must or must not stand together is for `pwsvp check`.
nlohmann::ordered_json json_schema(file_kind kind);

}  // namespace pws::platform
