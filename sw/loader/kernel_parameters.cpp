// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/kernel_parameters.h"

#include <dwarf.h>

#include "sw/loader/dwarf_file.h"

namespace pws::loader {

namespace {

number_kind kind_of(Dwarf_Word encoding) {
  switch (encoding) {
    case DW_ATE_float:
      return number_kind::real;
    case DW_ATE_signed:
    case DW_ATE_signed_char:
      return number_kind::signed_integer;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_boolean:
    case DW_ATE_UTF:
      return number_kind::unsigned_integer;
    default:
      return number_kind::none;
  }
}

void read_number(Dwarf_Die type, kernel_parameter& to) {
  for (unsigned depth = 0; dwarf_tag(&type) == DW_TAG_array_type; ++depth)
    if (Dwarf_Die element; depth < deepest_nesting && type_of(type, element))
      type = element;
    else
      return;
  const bool is_enumeration = dwarf_tag(&type) == DW_TAG_enumeration_type;
  if (dwarf_tag(&type) != DW_TAG_base_type && !is_enumeration) return;
  Dwarf_Attribute attribute;
  Dwarf_Word encoding = DW_ATE_unsigned, bytes = 0;
  if (!is_enumeration &&
      (dwarf_attr(&type, DW_AT_encoding, &attribute) == nullptr || dwarf_formudata(&attribute, &encoding) != 0))
    return;
  if (dwarf_aggregate_size(&type, &bytes) != 0) return;
  to.kind = kind_of(encoding);
  if (to.kind != number_kind::none) to.bytes = bytes;
}

std::vector<kernel_parameter> parameters_in(Dwarf_Die& function) {
  std::vector<kernel_parameter> all;
  Dwarf_Die die;
  if (dwarf_child(&function, &die) != 0) return all;
  do {
    if (dwarf_tag(&die) != DW_TAG_formal_parameter) continue;
    kernel_parameter& p = all.emplace_back();
    if (const char* const name = dwarf_diename(&die)) p.name = printable(name);
    Dwarf_Die type, to;
    if (!type_of(die, type)) continue;
    const int tag = dwarf_tag(&type);
    p.is_pointer = tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
    if (!p.is_pointer)
      read_number(type, p);
    else if (type_of(type, to))
      read_number(to, p);
  } while (dwarf_siblingof(&die, &die) == 0);
  return all;
}

// Whether the function that begins at `entry` is in the scope; then `found` is it.
bool find_function(Dwarf_Die& scope, uint64_t entry, Dwarf_Die& found, unsigned depth = 0) {
  Dwarf_Die die;
  if (depth > deepest_nesting || dwarf_child(&scope, &die) != 0) return false;
  do {
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_namespace && find_function(die, entry, found, depth + 1)) return true;
    Dwarf_Addr begin = 0;
    if (tag != DW_TAG_subprogram || dwarf_lowpc(&die, &begin) != 0 || begin != entry) continue;
    found = die;
    return true;
  } while (dwarf_siblingof(&die, &die) == 0);
  return false;
}

}  // namespace

std::vector<kernel_parameter> kernel_parameters(std::vector<uint8_t> code_object, uint64_t entry) {
  std::vector<kernel_parameter> all;
  const dwarf_file file(std::move(code_object));
  file.find_unit([&](Dwarf_Die& unit) {
    Dwarf_Die function;
    if (!find_function(unit, entry, function)) return false;
    all = parameters_in(function);
    return true;
  });
  return all;
}

}  // namespace pws::loader
