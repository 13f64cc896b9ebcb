// SPDX-License-Identifier: Apache-2.0
// Truncated, damaged and hostile code objects: each gives an input_error that names the file and what is wrong where.
#include <functional>

#include "tests/errors/code_objects/elf_editor.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::damaged_code_objects_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr uint64_t base = 0x100000;

// All that a program does with a file: read, place, look up.
void use(const std::vector<uint8_t>& bytes) {
  const program_image p = read_program(bytes, "x.hsaco");
  for (const image& i : p.load(base)) {
    i.at(base + 0x540);
    i.find("value");
  }
  p.find_kernel("small");
}

struct damage {
  const char* name;
  std::function<void(elf_editor&)> make;
  const char* message;
};
void PrintTo(const damage& d, std::ostream* out) {
  *out << d.name;
}

class damaged_code_object : public testing::TestWithParam<damage> {};

TEST_P(damaged_code_object, is_an_input_error) {
  std::vector<uint8_t> bytes = compiled("small.s");
  elf_editor editor(bytes);
  GetParam().make(editor);
  const std::string message = input_error_of([&] { use(bytes); });
  EXPECT_THAT(message, StartsWith("x.hsaco: "));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
}

template <typename T>
auto header_field(size_t offset, T value) {
  return [=](elf_editor& e) { e.put<T>(offset, value); };
}
auto section_field(const char* section, size_t field, uint64_t value) {
  return [=](elf_editor& e) { e.put<uint64_t>(e.section_header(section) + field, value); };
}
auto section_word(const char* section, size_t field, uint32_t value) {
  return [=](elf_editor& e) { e.put<uint32_t>(e.section_header(section) + field, value); };
}
auto segment_field(unsigned n, size_t field, uint64_t value) {
  return [=](elf_editor& e) { e.put<uint64_t>(e.load_header(n) + field, value); };
}
template <typename T>
auto symbol_field(const char* name, size_t field, T value) {
  return [=](elf_editor& e) { e.put_symbol<T>(name, field, value); };
}
template <typename T>
auto contents(const char* section, size_t offset, T value) {
  return [=](elf_editor& e) { e.put<T>(e.section(section) + offset, value); };
}

constexpr uint64_t huge = ~uint64_t{0} - 7;
#define FIELD(type, name) offsetof(type, name)

const damage header_damages[] = {
    {"no_magic", header_field<uint8_t>(0, 0), "is no program"},
    {"class_32", header_field<uint8_t>(EI_CLASS, ELFCLASS32), "is not a 64-bit ELF file (file offset 0x4)"},
    {"big_endian", header_field<uint8_t>(EI_DATA, ELFDATA2MSB), "is not a little-endian ELF file"},
    {"elf_version", header_field<uint8_t>(EI_VERSION, 9), "unknown ELF version 9"},
    {"os_abi", header_field<uint8_t>(EI_OSABI, 0), "has OS ABI 0, expected 64 (AMDGPU HSA)"},
    {"version_2", header_field<uint8_t>(EI_ABIVERSION, 0), "code object version 2 (ABI version 0)"},
    {"version_6", header_field<uint8_t>(EI_ABIVERSION, 4), "code object version 6 (ABI version 4)"},
    {"version_257", header_field<uint8_t>(EI_ABIVERSION, 255), "code object version 257"},
    {"host_machine", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_machine), EM_X86_64), "host file without device code"},
    {"other_gpu", header_field<uint32_t>(FIELD(Elf64_Ehdr, e_flags), 0x2c),
     "code object is for gfx900, this machine runs gfx803"},
    {"unknown_gpu", header_field<uint32_t>(FIELD(Elf64_Ehdr, e_flags), 0xff), "unknown processor (e_flags mach 0xff)"},
    {"relocatable", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_type), ET_REL), "relocatable, not linked"},
    {"core_dump", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_type), ET_CORE), "has ELF type 4, expected 3 (DYN)"},
    {"phentsize", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_phentsize), 0), "program header entries of 0 bytes"},
    {"phoff_beyond", header_field<uint64_t>(FIELD(Elf64_Ehdr, e_phoff), 1 << 20),
     "program header table at file offset"},
    {"phoff_wraps", header_field<uint64_t>(FIELD(Elf64_Ehdr, e_phoff), huge), "program header table at file offset"},
    {"phnum", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_phnum), 0xffff), "is beyond the end"},
    {"no_segments", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_phnum), 0), "no PT_LOAD segment"},
    {"shentsize", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_shentsize), 63), "section header entries of 63 bytes"},
    {"shoff_beyond", header_field<uint64_t>(FIELD(Elf64_Ehdr, e_shoff), 3000), "section header table at file offset"},
    {"shoff_wraps", header_field<uint64_t>(FIELD(Elf64_Ehdr, e_shoff), huge), "section header table at file offset"},
    {"no_sections", header_field<uint64_t>(FIELD(Elf64_Ehdr, e_shoff), 0), "has no section headers"},
    {"shnum", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_shnum), 0xfeff), "table of 65279 entries is larger"},
    {"extended_shnum",
     [](elf_editor& e) {
       e.put<uint16_t>(FIELD(Elf64_Ehdr, e_shnum), 0);
       e.put<uint64_t>(e.get<Elf64_Ehdr>(0).e_shoff + FIELD(Elf64_Shdr, sh_size), huge);
     },
     "entries is larger than the file"},
    {"shstrndx", header_field<uint16_t>(FIELD(Elf64_Ehdr, e_shstrndx), 100), "name table index 100 of 20 sections"},
};
const damage section_damages[] = {
    {"note_offset_beyond", section_field(".note", FIELD(Elf64_Shdr, sh_offset), 1 << 30), "section '.note' at file"},
    {"note_offset_wraps", section_field(".note", FIELD(Elf64_Shdr, sh_offset), huge), "section '.note' at file"},
    {"note_size_wraps", section_field(".note", FIELD(Elf64_Shdr, sh_size), huge), "section '.note' at file"},
    {"section_name", section_word(".note", FIELD(Elf64_Shdr, sh_name), 0xffffffff), "name of section 1 at file offset"},
    {"section_names_unterminated", section_field(".shstrtab", FIELD(Elf64_Shdr, sh_size), 3),
     "name of section 1 is not terminated"},
    {"symbol_strings_missing", section_word(".dynsym", FIELD(Elf64_Shdr, sh_link), 99),
     "section '.dynsym': its string table (section 99) is missing"},
    {"symbol_strings_are_symbols", section_word(".dynsym", FIELD(Elf64_Shdr, sh_link), 2),
     "its string table (section 2)"},
    {"symbol_entry_size", section_field(".symtab", FIELD(Elf64_Shdr, sh_entsize), 0), "symbol entries of 0 bytes"},
    {"symbol_table_size", section_field(".symtab", FIELD(Elf64_Shdr, sh_size), 25), "size 25 is not a multiple"},
    {"symbol_name", symbol_field<uint32_t>("value", FIELD(Elf64_Sym, st_name), 0x7fffffff), "name of symbol 3"},
    {"symbol_outside", symbol_field<uint64_t>("value", FIELD(Elf64_Sym, st_value), 0x5000),
     "symbol 'value' (address 0x5000, 24 bytes) is outside every segment"},
    {"symbol_too_large", symbol_field<uint64_t>("value", FIELD(Elf64_Sym, st_size), huge), "is outside every segment"},
    {"segment_file_size", segment_field(0, FIELD(Elf64_Phdr, p_filesz), 1 << 20), "segment 1 at file offset 0x0"},
    {"segment_offset_wraps", segment_field(1, FIELD(Elf64_Phdr, p_offset), huge), "segment 2 at file offset 0xffff"},
    {"segment_smaller_in_memory", segment_field(1, FIELD(Elf64_Phdr, p_memsz), 1),
     "4 bytes in the file but 1 in memory"},
    {"segment_far_away", segment_field(3, FIELD(Elf64_Phdr, p_vaddr), huge), "is beyond the limit of 1073741824 bytes"},
    {"segment_huge", segment_field(3, FIELD(Elf64_Phdr, p_memsz), uint64_t{1} << 31), "is beyond the limit"},
    {"segment_overlaps", segment_field(1, FIELD(Elf64_Phdr, p_vaddr), 0x100), "overlaps the segment before it"},
    {"segment_alignment", segment_field(1, FIELD(Elf64_Phdr, p_align), 3), "segment 2 has the alignment 3"},
    {"segment_alignment_huge", segment_field(1, FIELD(Elf64_Phdr, p_align), uint64_t{1} << 63), "has the alignment"},
};
const damage kernel_damages[] = {
    {"descriptor_missing", symbol_field<uint8_t>("small.kd", FIELD(Elf64_Sym, st_info), ELF64_ST_INFO(1, STT_NOTYPE)),
     "kernel 'small' has no kernel descriptor: symbol 'small.kd' is missing"},
    {"descriptor_undefined", symbol_field<uint16_t>("small.kd", FIELD(Elf64_Sym, st_shndx), SHN_UNDEF),
     "symbol 'small.kd' is missing"},
    {"descriptor_outside", symbol_field<uint64_t>("small.kd", FIELD(Elf64_Sym, st_value), huge),
     "symbol 'small.kd' (address 0xfffffffffffffff8, 64 bytes) is outside every segment"},
    {"descriptor_empty", symbol_field<uint64_t>("small.kd", FIELD(Elf64_Sym, st_size), 0),
     "kernel descriptor 'small.kd' has 0 bytes, expected 64"},
    {"descriptor_misaligned", symbol_field<uint64_t>("small.kd", FIELD(Elf64_Sym, st_value), 0x520),
     "kernel descriptor 'small.kd' at 0x520 is not aligned to 64 bytes"},
    {"entry_in_data", contents<int64_t>(".rodata", 16, 0x36b8 - 0x540),
     "kernel 'small' begins at 0x36b8, outside the code"},
    {"entry_wraps", contents<int64_t>(".rodata", 16, INT64_MIN), "outside the code"},
    {"entry_at_the_end", contents<int64_t>(".rodata", 16, 0x1604 - 0x540), "begins at 0x1604, outside the code"},
    {"entry_misaligned", contents<int64_t>(".rodata", 16, 0x1602 - 0x540), "entry offset 4290 is not a multiple of 4"},
    {"wavefront_of_32", contents<uint16_t>(".rodata", 56, 0x408), "ENABLE_WAVEFRONT_SIZE32 must be 0 for gfx803"},
    {"code_not_executable", [](elf_editor& e) { e.put<uint32_t>(e.load_header(1) + FIELD(Elf64_Phdr, p_flags), PF_R); },
     "outside the code"},
};
const damage note_damages[] = {
    {"note_name_size", contents<uint32_t>(".note", 0, 0xffffffff), "owner of note in section '.note'"},
    {"note_content_size", contents<uint32_t>(".note", 4, 0xfffffffd), "content of note in section '.note'"},
    {"note_of_another_owner", contents<uint8_t>(".note", 12, 'X'), "no AMDGPU metadata note"},
    {"note_of_another_type", contents<uint32_t>(".note", 8, 31), "no AMDGPU metadata note"},
    {"note_shortened", contents<uint32_t>(".note", 4, 0x40), "metadata note is not valid msgpack"},
    {"note_empty", contents<uint32_t>(".note", 4, 0), "metadata note is not valid msgpack"},
    {"note_truncated_header", section_field(".note", FIELD(Elf64_Shdr, sh_size), 8), "is beyond the end"},
    {"metadata_not_msgpack", contents<uint8_t>(".note", 20, 0xc1), "metadata note is not valid msgpack"},
    {"metadata_number", contents<uint8_t>(".note", 20, 0x01), "metadata note is not valid msgpack"},
};
const damage relocation_damages[] = {
    {"relocation_outside", contents<uint64_t>(".rela.dyn", 0, 0x3000), "patches address 0x3000, outside every segment"},
    {"relocation_half_outside", contents<uint64_t>(".rela.dyn", 0, 0x36cc), "outside every segment"},
    {"relocation_wraps", contents<uint64_t>(".rela.dyn", 0, huge), "outside every segment"},
    {"relocation_type", contents<uint32_t>(".rela.dyn", 8, 7), "type 7 cannot be applied by a loader"},
    {"relocation_symbol", contents<uint32_t>(".rela.dyn", 24 + 12, 1000), "names symbol 1000 of 4"},
    {"relocation_of_undefined", symbol_field<uint16_t>("value", FIELD(Elf64_Sym, st_shndx), SHN_UNDEF),
     "unresolved symbol 'value'"},
    {"relocation_entry_size", section_field(".rela.dyn", FIELD(Elf64_Shdr, sh_entsize), 16),
     "relocation entries of 16"},
    {"relocation_table_size", section_field(".rela.dyn", FIELD(Elf64_Shdr, sh_size), 47), "size 47 is not a multiple"},
    {"relocation_table_beyond", section_field(".rela.dyn", FIELD(Elf64_Shdr, sh_size), huge - 23),
     "'.rela.dyn' at file"},
    {"relocation_symbols", section_word(".rela.dyn", FIELD(Elf64_Shdr, sh_link), 50), "its symbol table (section 50)"},
    {"relocation_without_addend", section_word(".rela.dyn", FIELD(Elf64_Shdr, sh_type), SHT_REL), "SHT_REL"},
};
#undef FIELD

const auto case_name = [](const testing::TestParamInfo<damage>& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(header, damaged_code_object, testing::ValuesIn(header_damages), case_name);
INSTANTIATE_TEST_SUITE_P(sections, damaged_code_object, testing::ValuesIn(section_damages), case_name);
INSTANTIATE_TEST_SUITE_P(kernels, damaged_code_object, testing::ValuesIn(kernel_damages), case_name);
INSTANTIATE_TEST_SUITE_P(notes, damaged_code_object, testing::ValuesIn(note_damages), case_name);
INSTANTIATE_TEST_SUITE_P(relocations, damaged_code_object, testing::ValuesIn(relocation_damages), case_name);

TEST(damaged_code_objects, the_undamaged_one_is_fine) {
  use(compiled("small.s"));
}

TEST(damaged_code_objects, truncated_at_every_byte) {
  const std::vector<uint8_t> whole = compiled("small.s");
  for (size_t size = 0; size < whole.size(); ++size) {
    // A vector of exactly this size, so that the sanitizer sees a read beyond it.
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    ASSERT_THROW(use(part), input_error) << size;
  }
}

TEST(damaged_code_objects, a_second_metadata_note_is_refused) {
  std::vector<uint8_t> bytes = compiled("small.s");
  elf_editor e(bytes);
  // .comment becomes a second section over the same note.
  const auto note = e.get<Elf64_Shdr>(e.section_header(".note"));
  e.change<Elf64_Shdr>(e.section_header(".comment"), [&](Elf64_Shdr& s) {
    s.sh_type = SHT_NOTE;
    s.sh_offset = note.sh_offset;
    s.sh_size = note.sh_size;
  });
  EXPECT_THAT(input_error_of([&] { use(bytes); }), HasSubstr("second AMDGPU metadata note"));
}

TEST(damaged_code_objects, names_from_the_file_are_escaped_in_messages) {
  std::vector<uint8_t> bytes = compiled("small.s");
  elf_editor e(bytes);
  const uint64_t names = e.section(".dynstr");
  const uint32_t name = e.get<Elf64_Sym>(e.symbol(".dynsym", "value")).st_name;
  e.put_symbol<uint64_t>("value", offsetof(Elf64_Sym, st_value), huge);
  e.put<uint8_t>(names + name, 0x1b);
  const std::string message = input_error_of([&] { use(bytes); });
  EXPECT_THAT(message, HasSubstr("'\\x1balue'"));
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace pws::loader::damaged_code_objects_test
