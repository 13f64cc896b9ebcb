// A sweep as one HTML page that needs nothing else: figures, tables, the papers' values, configuration and command.
#pragma once

#include <string>

#include "platform/sweep/sweep.h"

namespace pws::platform::sweep {

// Throws input_error where figures cannot be drawn.
std::string html_page(const kept_sweep& sweep);

}  // namespace pws::platform::sweep
