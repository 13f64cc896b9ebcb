// What the Verilated unit calls when one of the RTL's assertions does not hold. Included in front of Verilator's own
// sources, which have printf in place of this, and a function that ends the process in place of an exception.
#pragma once

#ifdef __cplusplus
#include "base/error.h"

namespace pws::rtl {

// One of the RTL's assertions does not hold: which one, in which of its modules.
struct assertion_error : program_error {
  using program_error::program_error;
};

}  // namespace pws::rtl
#endif

// What Verilator would print: kept, and said with the exception. `format` as printf has it.
extern "C" int pws_rtl_says(const char* format, ...);
