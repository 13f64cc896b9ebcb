// SPDX-License-Identifier: Apache-2.0
// A code object's DWARF, opened by libdw. Only sources of this folder include it.
#pragma once

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pws::loader {

struct dwarf_file {
  // Reads nothing but the ELF header.
  explicit dwarf_file(std::vector<uint8_t> file) : bytes(std::move(file)) {
    elf_version(EV_CURRENT);
    elf = elf_memory(reinterpret_cast<char*>(bytes.data()), bytes.size());
    if (elf != nullptr && elf_kind(elf) == ELF_K_ELF) dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  }
  ~dwarf_file() {
    if (dwarf != nullptr) dwarf_end(dwarf);
    if (elf != nullptr) elf_end(elf);
  }
  dwarf_file(const dwarf_file&) = delete;
  dwarf_file& operator=(const dwarf_file&) = delete;

  // Until `visit`, which gets a unit's entry, says that it has seen enough (true).
  template <class F>
  bool find_unit(F visit) const {
    Dwarf_CU* cu = nullptr;
    Dwarf_Die unit;
    uint8_t type = 0;
    while (dwarf != nullptr && dwarf_get_units(dwarf, cu, &cu, nullptr, &type, &unit, nullptr) == 0)
      if (visit(unit)) return true;
    return false;
  }

  std::vector<uint8_t> bytes;
  Elf* elf = nullptr;
  Dwarf* dwarf = nullptr;  // nullptr: damaged, or no ELF file
};

// How deep scopes in scopes and types of types are followed: files are not trusted.
inline constexpr unsigned deepest_nesting = 64;
// Bytes of a variable, and elements of an array: more is damage.
inline constexpr uint64_t largest_object = uint64_t{1} << 31;

// DWARF says "all calls are described" of optimised functions alone.
inline bool is_optimised(Dwarf_Die& function) {
  return dwarf_hasattr(&function, DW_AT_call_all_calls) != 0 || dwarf_hasattr(&function, DW_AT_GNU_all_call_sites) != 0;
}

// The entries below one, until `visit` says that it has seen enough (true). True: it has said so.
template <class F>
bool find_child(Dwarf_Die& parent, F visit) {
  constexpr unsigned most = 100'000;  // a damaged file may lead from an entry back to one before
  Dwarf_Die die;
  if (dwarf_child(&parent, &die) != 0) return false;
  for (unsigned n = 0; n < most; ++n) {
    if (visit(die)) return true;
    if (dwarf_siblingof(&die, &die) != 0) return false;
  }
  return false;
}

// What an entry says its type is, as it says it. False: it has none.
inline bool declared_type_of(Dwarf_Die& die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  return dwarf_attr_integrate(&die, DW_AT_type, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, &type) != nullptr;
}

// Whether a type is another one under a name, or with a qualifier.
inline bool is_alias(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
         tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

// The type of a variable, a parameter, a pointer or an array's element, without typedefs and qualifiers. False: it has
// none.
inline bool type_of(Dwarf_Die& die, Dwarf_Die& type) {
  if (!declared_type_of(die, type)) return false;
  for (unsigned depth = 0; is_alias(dwarf_tag(&type)); ++depth)
    if (Dwarf_Die of; depth < deepest_nesting && declared_type_of(type, of))
      type = of;
    else
      return false;
  return true;
}

// Names come from an untrusted file and go to terminals and reports: control characters are '?'.
inline std::string printable(const char* name) {
  std::string out;
  for (const char* c = name; *c != 0; ++c) {
    const auto byte = static_cast<unsigned char>(*c);
    out += byte < 0x20 || byte == 0x7f ? '?' : *c;
  }
  return out;
}

}  // namespace pws::loader
