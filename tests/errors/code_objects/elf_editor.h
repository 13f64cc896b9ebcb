// SPDX-License-Identifier: Apache-2.0
// Damages a code object at places given by name. The file is intact to begin with, so offsets are taken from it as they
// are.
#pragma once

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace pws::loader {

class elf_editor {
 public:
  explicit elf_editor(std::vector<uint8_t>& bytes) : bytes_(bytes) {}

  template <typename T>
  T get(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  template <typename T>
  void put(uint64_t offset, T value) {
    std::memcpy(bytes_.data() + offset, &value, sizeof value);
  }

  // File offsets: of a section's header, of its contents, and of the n-th PT_LOAD header.
  uint64_t section_header(const std::string& name) const {
    const auto header = get<Elf64_Ehdr>(0);
    const uint64_t names = get<Elf64_Shdr>(header.e_shoff + header.e_shstrndx * sizeof(Elf64_Shdr)).sh_offset;
    for (unsigned i = 0; i < header.e_shnum; ++i) {
      const uint64_t at = header.e_shoff + i * sizeof(Elf64_Shdr);
      if (name == reinterpret_cast<const char*>(bytes_.data() + names + get<Elf64_Shdr>(at).sh_name)) return at;
    }
    ADD_FAILURE() << "no section " << name;
    return 0;
  }
  uint64_t section(const std::string& name) const { return get<Elf64_Shdr>(section_header(name)).sh_offset; }
  uint64_t load_header(unsigned n) const {
    const auto header = get<Elf64_Ehdr>(0);
    for (unsigned i = 0; i < header.e_phnum; ++i) {
      const uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
      if (get<Elf64_Phdr>(at).p_type == PT_LOAD && n-- == 0) return at;
    }
    ADD_FAILURE() << "too few PT_LOAD headers";
    return 0;
  }
  // File offset of the symbol of that name in a symbol table section.
  uint64_t symbol(const std::string& table, const std::string& name) const {
    const auto t = get<Elf64_Shdr>(section_header(table));
    const auto header = get<Elf64_Ehdr>(0);
    const uint64_t names = get<Elf64_Shdr>(header.e_shoff + t.sh_link * sizeof(Elf64_Shdr)).sh_offset;
    for (uint64_t at = t.sh_offset; at < t.sh_offset + t.sh_size; at += sizeof(Elf64_Sym)) {
      if (name == reinterpret_cast<const char*>(bytes_.data() + names + get<Elf64_Sym>(at).st_name)) return at;
    }
    ADD_FAILURE() << "no symbol " << name;
    return 0;
  }
  // A field of a symbol, in both symbol tables.
  template <typename T>
  void put_symbol(const std::string& name, uint64_t field, T value) {
    for (const char* table : {".dynsym", ".symtab"}) put<T>(symbol(table, name) + field, value);
  }
  // Rewrites a structure in place.
  template <typename T, typename Change>
  void change(uint64_t offset, Change change_it) {
    auto value = get<T>(offset);
    change_it(value);
    put(offset, value);
  }

 private:
  std::vector<uint8_t>& bytes_;
};

}  // namespace pws::loader
