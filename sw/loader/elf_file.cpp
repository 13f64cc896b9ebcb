// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/elf_file.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace pws::loader {

namespace {

// Names may share bytes of their table (one is another's tail), but a damaged table where every name runs through most
// of it would take the square of the file's size in memory.
class name_budget {
 public:
  explicit name_budget(const byte_view& strings) : strings_(strings) {}
  std::string_view text(uint64_t offset, const std::string& what) {
    const std::string_view name = strings_.text(offset, what);
    used_ += name.size();
    constexpr uint64_t generous = 16;
    if (used_ > generous * strings_.size()) strings_.fail(offset, what + ": the names overlap in their table");
    return name;
  }

 private:
  const byte_view& strings_;
  uint64_t used_ = 0;
};

}  // namespace

bool is_elf(const byte_view& bytes) {
  return bytes.size() >= SELFMAG && std::memcmp(bytes.data(), ELFMAG, SELFMAG) == 0;
}

const elf_segment* segment_at(const std::vector<elf_segment>& segments, uint64_t address, uint64_t bytes) {
  const auto after = std::upper_bound(segments.begin(), segments.end(), address,
                                      [](uint64_t a, const elf_segment& s) { return a < s.vaddr; });
  if (after == segments.begin()) return nullptr;
  const elf_segment& s = *std::prev(after);
  const uint64_t offset = address - s.vaddr;
  return offset <= s.memory_size && bytes <= s.memory_size - offset ? &s : nullptr;
}

elf_file::elf_file(const byte_view& bytes) : bytes_(bytes) {
  if (!is_elf(bytes_)) bytes_.fail(0, "is not an ELF file (no ELF magic)");
  if (bytes_.size() < sizeof(Elf64_Ehdr)) {
    bytes_.fail(fmt::format("ELF header is truncated: {} of {} bytes", bytes_.size(), sizeof(Elf64_Ehdr)));
  }
  const auto h = bytes_.read<Elf64_Ehdr>(0, "ELF header");
  if (h.e_ident[EI_CLASS] != ELFCLASS64) bytes_.fail(EI_CLASS, "is not a 64-bit ELF file");
  if (h.e_ident[EI_DATA] != ELFDATA2LSB) bytes_.fail(EI_DATA, "is not a little-endian ELF file");
  if (h.e_ident[EI_VERSION] != EV_CURRENT)
    bytes_.fail(EI_VERSION, fmt::format("unknown ELF version {}", h.e_ident[EI_VERSION]));
  header_ = {h.e_ident[EI_OSABI], h.e_ident[EI_ABIVERSION], h.e_type, h.e_machine, h.e_flags, h.e_entry};
  read_segments(h.e_phoff, h.e_phentsize, h.e_phnum);
  read_sections(h.e_shoff, h.e_shentsize, h.e_shnum, h.e_shstrndx);
}

void elf_file::read_segments(uint64_t offset, uint16_t entry_size, uint16_t count) {
  if (count == 0) return;
  if (entry_size != sizeof(Elf64_Phdr)) {
    bytes_.fail(offsetof(Elf64_Ehdr, e_phentsize),
                fmt::format("program header entries of {} bytes, expected {}", entry_size, sizeof(Elf64_Phdr)));
  }
  const byte_view headers = bytes_.slice(offset, uint64_t{entry_size} * count, "program header table");
  for (uint64_t at = 0; at < headers.size(); at += entry_size) {
    const auto h = headers.read<Elf64_Phdr>(at, "program header");
    segments_.push_back({h.p_type, h.p_flags, h.p_offset, h.p_vaddr, h.p_filesz, h.p_memsz, h.p_align, h.p_paddr});
  }
}

void elf_file::read_sections(uint64_t offset, uint16_t entry_size, uint16_t count16, uint16_t names16) {
  if (offset == 0) return;
  if (entry_size != sizeof(Elf64_Shdr)) {
    bytes_.fail(offsetof(Elf64_Ehdr, e_shentsize),
                fmt::format("section header entries of {} bytes, expected {}", entry_size, sizeof(Elf64_Shdr)));
  }
  // Files with 65280 sections or more keep count and name table index in section header 0 (gABI, "Extended numbering").
  const byte_view first = bytes_.slice(offset, entry_size, "section header table");
  const auto whole = first.read<Elf64_Shdr>(0, "section header");
  const uint64_t count = count16 != 0 ? count16 : whole.sh_size;
  const uint64_t names = names16 != SHN_XINDEX ? names16 : whole.sh_link;
  if (count > bytes_.size() / entry_size) {
    bytes_.fail(offset, fmt::format("section header table of {} entries is larger than the file", count));
  }
  const byte_view headers = bytes_.slice(offset, uint64_t{entry_size} * count, "section header table");
  std::vector<uint32_t> name_offsets;
  for (uint64_t at = 0; at < headers.size(); at += entry_size) {
    const auto h = headers.read<Elf64_Shdr>(at, "section header");
    name_offsets.push_back(h.sh_name);
    sections_.push_back(
        {"", h.sh_type, h.sh_flags, h.sh_addr, h.sh_offset, h.sh_size, h.sh_link, h.sh_info, h.sh_entsize});
  }
  if (count == 0 || names == SHN_UNDEF) return;
  if (names >= count) bytes_.fail(offset, fmt::format("section name table index {} of {} sections", names, count));
  const byte_view strings = contents(sections_[names]);
  name_budget budget(strings);
  for (size_t i = 0; i < sections_.size(); ++i) {
    sections_[i].name = budget.text(name_offsets[i], fmt::format("name of section {}", i));
  }
}

byte_view elf_file::contents(const elf_section& section) const {
  if (section.type == SHT_NOBITS) return {bytes_.data(), 0, bytes_.name(), 0};
  return bytes_.slice(section.offset, section.size, "section " + in_quotes(section.name));
}

byte_view elf_file::table(const elf_section& section, uint64_t entry_size, const char* what) const {
  byte_view view = contents(section);
  if (section.entry_size != entry_size) {
    view.fail(0, fmt::format("section {}: {} entries of {} bytes, expected {}", in_quotes(section.name), what,
                             section.entry_size, entry_size));
  }
  if (view.size() % entry_size != 0) {
    view.fail(0, fmt::format("section {}: size {} is not a multiple of its {}-byte entries", in_quotes(section.name),
                             view.size(), entry_size));
  }
  return view;
}

std::vector<elf_symbol> elf_file::symbols(const elf_section& section) const {
  const byte_view entries = table(section, sizeof(Elf64_Sym), "symbol");
  if (section.link >= sections_.size() || sections_[section.link].type != SHT_STRTAB) {
    entries.fail(
        0, fmt::format("section {}: its string table (section {}) is missing", in_quotes(section.name), section.link));
  }
  const byte_view strings = contents(sections_[section.link]);
  name_budget budget(strings);
  std::vector<elf_symbol> out;
  out.reserve(entries.size() / sizeof(Elf64_Sym));
  for (uint64_t at = 0; at < entries.size(); at += sizeof(Elf64_Sym)) {
    const auto e = entries.read<Elf64_Sym>(at, "symbol");
    const std::string_view name = budget.text(e.st_name, fmt::format("name of symbol {}", out.size()));
    out.push_back({std::string(name), uint8_t(ELF64_ST_TYPE(e.st_info)), uint8_t(ELF64_ST_BIND(e.st_info)), e.st_shndx,
                   e.st_value, e.st_size});
  }
  return out;
}

std::vector<elf_relocation> elf_file::relocations(const elf_section& section) const {
  const byte_view entries = table(section, sizeof(Elf64_Rela), "relocation");
  std::vector<elf_relocation> out;
  out.reserve(entries.size() / sizeof(Elf64_Rela));
  for (uint64_t at = 0; at < entries.size(); at += sizeof(Elf64_Rela)) {
    const auto e = entries.read<Elf64_Rela>(at, "relocation");
    out.push_back({e.r_offset, static_cast<uint32_t>(ELF64_R_TYPE(e.r_info)),
                   static_cast<uint32_t>(ELF64_R_SYM(e.r_info)), e.r_addend, entries.origin() + at});
  }
  return out;
}

}  // namespace pws::loader
