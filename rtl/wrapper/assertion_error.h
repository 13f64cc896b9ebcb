// SPDX-License-Identifier: Apache-2.0
// What an assertion of the RTL says that does not hold.
#pragma once

#include "base/error.h"

namespace pws::rtl {

// One of the RTL's assertions does not hold: which one, in which of its modules.
struct assertion_error : program_error {
  using program_error::program_error;
};

}  // namespace pws::rtl
