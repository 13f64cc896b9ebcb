// SPDX-License-Identifier: Apache-2.0
// Firmware files, whole and damaged.
#include "sw/loader/firmware_image.h"

#include <elf.h>
#include <gmock/gmock.h>

#include <cstring>
#include <functional>

#include "base/error.h"
#include "sw/loader/bytes.h"

namespace pws::test::firmware_image_test {
namespace {

using loader::firmware_image;
using ::testing::HasSubstr;

std::vector<uint8_t> whole() {
  return loader::read_file(std::string(PROGRAMS) + "/accesses.elf");
}

std::string problem(const std::vector<uint8_t>& bytes) {
  try {
    const firmware_image image(bytes, "f.elf");
    return "";
  } catch (const input_error& e) {
    return e.what();
  }
}

// The problem of the file with another header.
std::string with_header(const std::function<void(Elf64_Ehdr&)>& change) {
  std::vector<uint8_t> bytes = whole();
  Elf64_Ehdr h;
  std::memcpy(&h, bytes.data(), sizeof h);
  change(h);
  std::memcpy(bytes.data(), &h, sizeof h);
  return problem(bytes);
}

// The same with another header of its first segment that is loaded.
std::string with_segment(const std::function<void(Elf64_Phdr&)>& change) {
  std::vector<uint8_t> bytes = whole();
  Elf64_Ehdr h;
  std::memcpy(&h, bytes.data(), sizeof h);
  for (size_t at = h.e_phoff; at < h.e_phoff + h.e_phnum * sizeof(Elf64_Phdr); at += sizeof(Elf64_Phdr)) {
    Elf64_Phdr p;
    std::memcpy(&p, bytes.data() + at, sizeof p);
    if (p.p_type != PT_LOAD) continue;
    change(p);
    std::memcpy(bytes.data() + at, &p, sizeof p);
    return problem(bytes);
  }
  return "no segment";
}

TEST(firmware_image, segments_and_names) {
  const firmware_image image(whole(), "f.elf");
  EXPECT_EQ(image.entry(), 0x8000'0000u);
  ASSERT_FALSE(image.segments().empty());
  EXPECT_EQ(image.segments().front().address, 0x8000'0000u);
  EXPECT_EQ(image.name_of(0x8000'0000), "0x80000000 (_start)");
  EXPECT_EQ(image.name_of(0x8000'0004), "0x80000004 (_start+0x4)");
  EXPECT_EQ(image.name_of(0), "0x0");
  EXPECT_EQ(image.name_of(0x4000'0000), "0x40000000");
  EXPECT_EQ(image.name_of(0xffff'ffff'ffff'fff0), "0xfffffffffffffff0") << "behind the last name";
}

TEST(firmware_image, files_of_other_kinds) {
  EXPECT_THAT(problem({}), HasSubstr("f.elf: is not an ELF file"));
  EXPECT_THAT(with_header([](auto& h) { h.e_machine = EM_X86_64; }), HasSubstr("is for ELF machine 62"));
  EXPECT_THAT(with_header([](auto& h) { h.e_type = ET_DYN; }), HasSubstr("is ELF type 3"));
  EXPECT_THAT(with_header([](auto& h) { h.e_ident[EI_CLASS] = ELFCLASS32; }), HasSubstr("is not a 64-bit ELF file"));
  EXPECT_THAT(with_header([](auto& h) { h.e_flags |= EF_RISCV_FLOAT_ABI_DOUBLE; }),
              HasSubstr("-march=rv64imac -mabi=lp64"));
  EXPECT_THAT(with_header([](auto& h) { h.e_entry = 0x1234; }),
              HasSubstr("its entry point 0x1234 is in no executable segment"));
  EXPECT_THAT(with_header([](auto& h) { h.e_phnum = 0; }), HasSubstr("has nothing to load"));
}

TEST(firmware_image, damaged_segments) {
  EXPECT_THAT(with_segment([](auto& p) { p.p_memsz = p.p_filesz - 1; }), HasSubstr("bytes in the file for"));
  EXPECT_THAT(with_segment([](auto& p) { p.p_paddr = ~uint64_t{0}; }), HasSubstr("end beyond all addresses"));
  EXPECT_THAT(with_segment([](auto& p) { p.p_filesz = p.p_memsz = uint64_t{1} << 60; }), HasSubstr("f.elf"));
  EXPECT_THAT(with_segment([](auto& p) { p.p_flags = PF_R; }), HasSubstr("entry point"));
}

// Whatever is cut off or changed, it is read or refused.
TEST(firmware_image, cut_and_changed_files) {
  const std::vector<uint8_t> bytes = whole();
  for (size_t size = 0; size < bytes.size(); size += size < 256 ? 1 : 97)
    EXPECT_NE(problem({bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(size)}), "") << size;
  for (size_t at = 0; at < 512; ++at)
    for (const uint8_t value : {0x00, 0x7f, 0xff}) {
      std::vector<uint8_t> changed = bytes;
      changed[at] = value;
      problem(changed);
    }
}

}  // namespace
}  // namespace pws::test::firmware_image_test
