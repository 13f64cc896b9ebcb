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

// The type of a variable, a parameter, a pointer or an array's element, without typedefs and qualifiers. False: it has
// none.
inline bool type_of(Dwarf_Die& die, Dwarf_Die& type) {
  Dwarf_Attribute attribute;
  Dwarf_Die of;
  return dwarf_attr_integrate(&die, DW_AT_type, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, &of) != nullptr && dwarf_peel_type(&of, &type) == 0;
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
