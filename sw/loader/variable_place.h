// SPDX-License-Identifier: Apache-2.0
// Location expressions of variables, evaluated. Only sources of this folder include it.
#pragma once

#include <functional>

#include "sw/loader/dwarf_file.h"
#include "sw/loader/local_variables.h"

namespace pws::loader {

// What an expression needs besides the machine.
struct location_context {
  const variable_context& machine;
  // The register that the function's frame begins at, as DWARF numbers it; none: the function has no frame.
  std::optional<uint64_t> frame_register;
  // The offset of the variable in LDS; none: not known. For addresses that the compiler has left open.
  std::function<std::optional<uint64_t>()> lds_offset;
};

// The place that a DW_AT_location says. `offset`: of the instruction; of a list, its entry is taken. `bytes`: of the
// variable.
value_place place_by(Dwarf_Attribute& location, uint64_t offset, uint64_t bytes, const location_context& c);
// The place of a variable that is a constant: DW_AT_const_value.
value_place constant_place(Dwarf_Attribute& value, uint64_t bytes);
// Whether a variable is in LDS, by its location.
bool is_in_lds(Dwarf_Attribute& location);
// The register that a DW_AT_frame_base names.
std::optional<uint64_t> frame_register_of(Dwarf_Attribute& base);
// Whether the expression is about the frame: not before the function has one.
bool is_of_frame(Dwarf_Attribute& location);

}  // namespace pws::loader
