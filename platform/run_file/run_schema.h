// Every key of a run file (see field.h). "*" in a path is an argument's or a buffer's name.
#pragma once

#include <vector>

#include "platform/config/field.h"

namespace pws::platform {

const std::vector<field>& run_fields();

// The field of this path; aborts if there is none, since only our own code asks.
const field& run_field(std::string_view path);

}  // namespace pws::platform
