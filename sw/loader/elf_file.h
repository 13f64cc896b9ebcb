// SPDX-License-Identifier: Apache-2.0
// ELF64 little-endian files, of the GPU or of the host: header, program headers, section headers, symbols and
// relocations as plain data. Everything that comes out has been checked to lie inside the file. (System V gABI,
// chapters 4 and 5)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sw/loader/bytes.h"

namespace pws::loader {

// What is used of the file's header.
struct elf_header {
  uint8_t os_abi = 0;
  uint8_t abi_version = 0;
  uint16_t type = 0;
  uint16_t machine = 0;
  uint32_t flags = 0;
  uint64_t entry = 0;  // address of the first instruction, of an executable
};

// A program header.
struct elf_segment {
  uint32_t type = 0;
  uint32_t flags = 0;
  uint64_t offset = 0;  // in the file
  uint64_t vaddr = 0;
  uint64_t file_size = 0;
  uint64_t memory_size = 0;
  uint64_t align = 0;
  uint64_t paddr = 0;  // where firmware has it, before it copies it to `vaddr` itself
};

// A section header.
struct elf_section {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t vaddr = 0;
  uint64_t offset = 0;  // in the file
  uint64_t size = 0;    // of what the file holds; for SHT_NOBITS nothing is there
  uint32_t link = 0;
  uint32_t info = 0;
  uint64_t entry_size = 0;
};

// An entry of a symbol table.
struct elf_symbol {
  std::string name;
  uint8_t type = 0;
  uint8_t binding = 0;
  uint16_t section = 0;
  uint64_t value = 0;
  uint64_t size = 0;
};

// An entry of a relocation table with addends.
struct elf_relocation {
  uint64_t offset = 0;
  uint32_t type = 0;
  uint32_t symbol = 0;
  int64_t addend = 0;
  uint64_t file_offset = 0;  // of the entry, for messages
};

bool is_elf(const byte_view& bytes);  // by its first bytes

// The loadable segment that holds [address, address + bytes), or nullptr. `segments` ascend and do not overlap.
const elf_segment* segment_at(const std::vector<elf_segment>& segments, uint64_t address, uint64_t bytes);

class elf_file {
 public:
  // Reads header, program and section headers. `bytes` must outlive this. Throws input_error.
  explicit elf_file(const byte_view& bytes);

  const byte_view& bytes() const { return bytes_; }
  const elf_header& header() const { return header_; }
  const std::vector<elf_segment>& segments() const { return segments_; }
  const std::vector<elf_section>& sections() const { return sections_; }

  // The section's bytes in the file (none for SHT_NOBITS). Throws input_error if it leaves the file.
  byte_view contents(const elf_section& section) const;
  // Entries of a SHT_SYMTAB or SHT_DYNSYM section, the null symbol included. Throws input_error.
  std::vector<elf_symbol> symbols(const elf_section& table) const;
  // Entries of a SHT_RELA section. Throws input_error.
  std::vector<elf_relocation> relocations(const elf_section& table) const;

 private:
  void read_segments(uint64_t offset, uint16_t entry_size, uint16_t count);
  void read_sections(uint64_t offset, uint16_t entry_size, uint16_t count, uint16_t names);
  byte_view table(const elf_section& section, uint64_t entry_size, const char* what) const;

  byte_view bytes_;
  elf_header header_;
  std::vector<elf_segment> segments_;
  std::vector<elf_section> sections_;
};

}  // namespace pws::loader
