// SPDX-License-Identifier: Apache-2.0
// A code object's DWARF, opened by libdw. Only sources of this folder include it.
#pragma once

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
