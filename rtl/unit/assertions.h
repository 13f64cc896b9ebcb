// SPDX-License-Identifier: Apache-2.0
// What the Verilated unit calls when one of the RTL's assertions does not hold. Included in front of Verilator's own
// sources, which have printf in place of this, and a function that ends the process in place of an exception
// (rtl/wrapper/assertion_error.h).
#pragma once

// What Verilator would print: kept, and said with the exception. `format` as printf has it.
#ifdef __cplusplus
extern "C"
#endif
    int
    pws_rtl_says(const char* format, ...);
