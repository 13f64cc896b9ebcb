// SPDX-License-Identifier: Apache-2.0
// Files whose tables share bytes so that a small file would take any amount of memory or time if each were read on its
// own: refused by what they add up to.
#include "tests/errors/code_objects/elf_editor.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::damaged_overlaps_test {
namespace {

using testing::HasSubstr;

std::string error_of(const std::vector<uint8_t>& bytes) {
  return input_error_of([&] { read_program(bytes, "x.hsaco").load(0x100000); });
}

// `small.s` with `sections` more section headers, each made by `make`, in a table of its own at the end of the file.
template <typename Make>
std::vector<uint8_t> with_sections(unsigned sections, Make make) {
  std::vector<uint8_t> bytes = compiled("small.s");
  const auto header = elf_editor(bytes).get<Elf64_Ehdr>(0);
  const size_t old_bytes = header.e_shnum * sizeof(Elf64_Shdr);
  const size_t at = (bytes.size() + 7) / 8 * 8;
  bytes.resize(at + old_bytes + sections * sizeof(Elf64_Shdr));
  std::memmove(bytes.data() + at, bytes.data() + header.e_shoff, old_bytes);
  elf_editor e(bytes);
  e.change<Elf64_Ehdr>(0, [&](Elf64_Ehdr& h) {
    h.e_shoff = at;
    h.e_shnum = static_cast<uint16_t>(h.e_shnum + sections);
  });
  for (unsigned k = 0; k < sections; ++k)
    e.put<Elf64_Shdr>(at + old_bytes + k * sizeof(Elf64_Shdr), make(bytes.size()));
  return bytes;
}

TEST(overlapping_tables, notes) {
  // Zeros are notes of 12 bytes without owner and contents.
  std::vector<uint8_t> padded = with_sections(2000, [](uint64_t file_size) {
    Elf64_Shdr s{};
    s.sh_type = SHT_NOTE;
    s.sh_offset = file_size;
    s.sh_size = 120'000;
    return s;
  });
  padded.resize(padded.size() + 120'000);
  EXPECT_THAT(error_of(padded), HasSubstr("sections of notes overlap: together they are larger than the file"));
}

TEST(overlapping_tables, relocations) {
  std::vector<uint8_t> bytes = with_sections(2000, [](uint64_t file_size) {
    Elf64_Shdr s{};
    s.sh_type = SHT_RELA;
    s.sh_flags = SHF_ALLOC;
    s.sh_entsize = sizeof(Elf64_Rela);
    s.sh_offset = file_size;
    s.sh_size = 120'000;
    return s;
  });
  bytes.resize(bytes.size() + 120'000);
  EXPECT_THAT(error_of(bytes), HasSubstr("sections of relocations overlap: together they are larger than the file"));
}

TEST(overlapping_tables, relocations_without_symbols) {
  std::vector<uint8_t> bytes = with_sections(1, [](uint64_t file_size) {
    Elf64_Shdr s{};
    s.sh_type = SHT_RELA;
    s.sh_flags = SHF_ALLOC;
    s.sh_entsize = sizeof(Elf64_Rela);
    s.sh_offset = file_size;
    s.sh_size = sizeof(Elf64_Rela);
    return s;
  });
  Elf64_Rela r{};
  r.r_info = ELF64_R_INFO(1, 3);
  const auto* raw = reinterpret_cast<const uint8_t*>(&r);
  bytes.insert(bytes.end(), raw, raw + sizeof r);
  EXPECT_THAT(error_of(bytes), HasSubstr("it names symbols but has no symbol table"));
}

TEST(overlapping_tables, symbol_tables) {
  std::vector<uint8_t> bytes = compiled("small.s");
  elf_editor e(bytes);
  const auto symtab = e.get<Elf64_Shdr>(e.section_header(".symtab"));
  e.put<Elf64_Shdr>(e.section_header(".comment"), symtab);
  EXPECT_THAT(error_of(bytes), HasSubstr("has a second symbol table of the same kind"));
}

TEST(overlapping_tables, names) {
  // One long string and a thousand sections whose names all run through it.
  std::vector<uint8_t> bytes = with_sections(1000, [](uint64_t) {
    Elf64_Shdr s{};
    s.sh_type = SHT_PROGBITS;
    s.sh_name = 1;
    return s;
  });
  elf_editor e(bytes);
  const uint64_t strings = e.section_header(".shstrtab");
  const uint64_t at = bytes.size();
  bytes.resize(at + 100'001, 'n');
  bytes.back() = 0;
  e.change<Elf64_Shdr>(strings, [&](Elf64_Shdr& s) {
    s.sh_offset = at;
    s.sh_size = 100'001;
  });
  EXPECT_THAT(error_of(bytes), HasSubstr("the names overlap in their table"));
}

}  // namespace
}  // namespace pws::loader::damaged_overlaps_test
