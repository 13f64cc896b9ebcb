// SPDX-License-Identifier: Apache-2.0
// Loads whose value is a guess: it becomes what a compare-and-swap expects to find, and an old one costs another
// iteration. Compilers make such loops of atomics that the machine has none of (a sum of floating-point numbers), with
// a plain load in front of them.
#pragma once

#include "platform/observers/check/loads_that.h"

namespace pws::platform {

// By the code that follows it, up to the first compare-and-swap that gets its value.
bool is_guess(isa::program& code, const isa::inst& load);

using guessing_loads = loads_that<is_guess>;

}  // namespace pws::platform
