// SPDX-License-Identifier: Apache-2.0
// The shared object that has the Verilated SpSIMD unit (rtl/unit): lib/libspsimd_rtl.so of the installation, or one of
// that name where the dynamic linker looks. It is loaded when somebody first asks for it, and stays to the process's
// end. Programs do without it until a machine has machine.cosim.
#pragma once

#include <memory>
#include <string>

#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::rtl {

// What the shared object's only function, pws_rtl_library(), gives.
struct rtl_library {
  // Which spsimd_rtl.h and rtl_library.h it was compiled with: a hash, by CMake. With others, functions are in other
  // places. Always the first member, so that it can be read then too.
  const char* interface;
  unsigned stages, handover_registers;  // spsimd_rtl has what they mean
  std::unique_ptr<spsimd_rtl> (*make)(bool simd_unit);
  void (*check_assertions)(bool on);
};

// Throws input_error if there is none, or if it belongs to other sources: where it was looked for, what builds it.
const rtl_library& loaded_library();

// The sentence of that error; empty if the library can be loaded.
std::string why_there_is_no_rtl();

// Another shared object from now on, by its path. Nothing of the one before may be in use.
void use_library(const std::string& file);

}  // namespace pws::rtl
