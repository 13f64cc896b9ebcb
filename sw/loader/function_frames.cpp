// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/function_frames.h"

#include <dwarf.h>

#include <algorithm>

#include "sw/loader/dwarf_file.h"

namespace pws::loader {

namespace {

// AMDGPU's number of s33, the register of the frame ("User Guide for AMDGPU Backend", DWARF register mapping).
constexpr Dwarf_Word frame_register = 32 + 33;

// The one operation of an attribute; nullptr: there is none, or more, or it is another one from place to place.
const Dwarf_Op* only_operation(Dwarf_Die& die, unsigned attribute_name, Dwarf_Word operation) {
  Dwarf_Attribute attribute;
  Dwarf_Op* ops = nullptr;
  size_t n = 0;
  if (dwarf_attr_integrate(&die, attribute_name, &attribute) == nullptr ||
      dwarf_whatform(&attribute) != DW_FORM_exprloc || dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1 ||
      ops[0].atom != operation)
    return nullptr;
  return ops;
}

// Bytes of an element of an array of one dimension; 0: it is none.
uint64_t element_bytes(Dwarf_Die& type) {
  Dwarf_Die dimension, element;
  Dwarf_Word bytes = 0;
  if (dwarf_tag(&type) != DW_TAG_array_type || dwarf_child(&type, &dimension) != 0 ||
      dwarf_siblingof(&dimension, &dimension) == 0 || !type_of(type, element) ||
      dwarf_aggregate_size(&element, &bytes) != 0)
    return 0;
  return bytes;
}

class function_reader {
 public:
  explicit function_reader(function_frame& to) : to_(to) {}
  // False: the function has been optimised.
  bool read(Dwarf_Die& scope, unsigned depth = 0) {
    Dwarf_Die die;
    if (depth > deepest_nesting || dwarf_child(&scope, &die) != 0) return depth <= deepest_nesting;
    do {
      switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
          if (!variable(die)) return false;
          break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
          if (!read(die, depth + 1)) return false;
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&die, &die) == 0);
    return true;
  }

 private:
  bool variable(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    if (dwarf_attr(&die, DW_AT_location, &attribute) == nullptr) return dwarf_tag(&die) != DW_TAG_formal_parameter;
    if (dwarf_whatform(&attribute) != DW_FORM_exprloc) return false;
    const Dwarf_Op* at = only_operation(die, DW_AT_location, DW_OP_fbreg);
    const char* name = dwarf_diename(&die);
    Dwarf_Die type;
    Dwarf_Word bytes = 0;
    if (at == nullptr || !type_of(die, type) || dwarf_aggregate_size(&type, &bytes) != 0) return true;
    if (bytes == 0 || bytes > largest_object || at->number > largest_object) return true;
    to_.variables.push_back({name == nullptr ? "" : printable(name), at->number, bytes, element_bytes(type)});
    return true;
  }

  function_frame& to_;
};

void read_functions(Dwarf_Die& scope, std::vector<function_frame>& all, unsigned depth = 0) {
  Dwarf_Die die;
  if (depth > deepest_nesting || dwarf_child(&scope, &die) != 0) return;
  do {
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_namespace) read_functions(die, all, depth + 1);
    if (tag != DW_TAG_subprogram || is_optimised(die)) continue;
    const Dwarf_Op* base = only_operation(die, DW_AT_frame_base, DW_OP_regx);
    function_frame f;
    if (base == nullptr || base->number != frame_register || dwarf_lowpc(&die, &f.begin) != 0 ||
        dwarf_highpc(&die, &f.end) != 0 || !function_reader(f).read(die) || f.variables.empty())
      continue;
    all.push_back(std::move(f));
  } while (dwarf_siblingof(&die, &die) == 0);
}

}  // namespace

std::vector<function_frame> function_frames(std::vector<uint8_t> code_object) {
  std::vector<function_frame> all;
  const dwarf_file file(std::move(code_object));
  file.find_unit([&](Dwarf_Die& unit) {
    read_functions(unit, all);
    return false;
  });
  std::sort(all.begin(), all.end(), [](const function_frame& a, const function_frame& b) { return a.begin < b.begin; });
  return all;
}

}  // namespace pws::loader
