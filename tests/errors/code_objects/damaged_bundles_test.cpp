// SPDX-License-Identifier: Apache-2.0
// Damaged and hostile offload bundles and host files.
#include "sw/loader/offload_bundle.h"
#include "tests/errors/code_objects/elf_editor.h"
#include "tests/unit/loader_test_support.h"

namespace pws::loader::damaged_bundles_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* our_id = "hipv4-amdgcn-amd-amdhsa--gfx803";
constexpr uint64_t huge = ~uint64_t{0};

// A bundle with one entry, header fields as given.
std::vector<uint8_t> bundle(uint64_t count, uint64_t offset, uint64_t size, uint64_t id_bytes, const std::string& id,
                            const std::vector<uint8_t>& code) {
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__";
  std::vector<uint8_t> out(magic.begin(), magic.end());
  for (const uint64_t v : {count, offset, size, id_bytes}) {
    for (int i = 0; i < 8; ++i) out.push_back(static_cast<uint8_t>(v >> (8 * i)));
  }
  out.insert(out.end(), id.begin(), id.end());
  out.insert(out.end(), code.begin(), code.end());
  return out;
}

std::string error_of(const std::vector<uint8_t>& bytes) {
  return input_error_of([&] { read_program(bytes, "b.hipfb"); });
}

TEST(damaged_bundle, header_fields) {
  const std::string id = our_id;
  const std::vector<uint8_t> code = compiled("small.s");
  const uint64_t at = 56 + id.size();
  EXPECT_EQ(read_program(bundle(1, at, code.size(), id.size(), id, code), "b").kernels().size(), 1u);

  EXPECT_THAT(
      error_of(bundle(huge, at, code.size(), id.size(), id, code)),
      AllOf(HasSubstr("b.hipfb, bundle 1: offload bundle of 18446744073709551615 entries is larger than the file"),
            HasSubstr("file offset 0x18")));
  EXPECT_THAT(error_of(bundle(uint64_t{1} << 61, at, code.size(), id.size(), id, code)),
              HasSubstr("larger than the file"));
  EXPECT_THAT(error_of(bundle(0, at, code.size(), id.size(), id, code)), HasSubstr("offload bundle is empty"));
  EXPECT_THAT(error_of(bundle(2, at, code.size(), id.size(), id, code)), HasSubstr("offload bundle entry 2 of 2"));
  EXPECT_THAT(error_of(bundle(1, huge, code.size(), id.size(), id, code)),
              AllOf(HasSubstr("entry 1 of 1, 'hipv4-amdgcn-amd-amdhsa--gfx803',"), HasSubstr("is beyond the end")));
  EXPECT_THAT(error_of(bundle(1, at, huge, id.size(), id, code)), HasSubstr("is beyond the end"));
  EXPECT_THAT(error_of(bundle(1, at, code.size() + 1, id.size(), id, code)), HasSubstr("is beyond the end"));
  EXPECT_THAT(error_of(bundle(1, huge - 10, 11, id.size(), id, code)), HasSubstr("is beyond the end"));
  EXPECT_THAT(error_of(bundle(1, at, code.size(), huge, id, code)), HasSubstr("target id of offload bundle entry 1"));
  EXPECT_THAT(error_of(bundle(1, at, code.size(), 0, id, code)), HasSubstr("has no code for gfx803; it has ''"));
  EXPECT_THAT(error_of(bundle(1, at, 0, id.size(), id, code)),
              HasSubstr("code for 'hipv4-amdgcn-amd-amdhsa--gfx803' is empty"));
  EXPECT_THAT(
      error_of(bundle(1, 0, 64, id.size(), id, code)),
      AllOf(HasSubstr("b.hipfb, bundle 1 ['hipv4-amdgcn-amd-amdhsa--gfx803']: "), HasSubstr("is not an ELF file")));
}

TEST(damaged_bundle, hostile_ids_are_escaped) {
  const std::string message = error_of(bundle(1, 0, 1, 8, "hip\x1b[31m", {1, 2, 3}));
  EXPECT_THAT(message, HasSubstr("it has 'hip\\x1b[31m'"));
}

TEST(damaged_bundle, truncated_at_every_byte) {
  const std::string id = our_id;
  const std::vector<uint8_t> code = compiled("small.s");
  const std::vector<uint8_t> whole = bundle(1, 56 + id.size(), code.size(), id.size(), id, code);
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    ASSERT_THROW(read_program(part, "b"), input_error) << size;
  }
}

TEST(damaged_bundle, damaged_code_inside_names_bundle_and_target) {
  const std::string id = our_id;
  std::vector<uint8_t> code = compiled("small.s");
  elf_editor(code).put<uint32_t>(offsetof(Elf64_Ehdr, e_flags), 0x36);
  EXPECT_THAT(error_of(bundle(1, 56 + id.size(), code.size(), id.size(), id, code)),
              HasSubstr("['hipv4-amdgcn-amd-amdhsa--gfx803']: code object is for gfx1030, this machine runs gfx803"));
}

// A code object dressed as a host file: its .rodata becomes .hip_fatbin.
class host_file : public testing::Test {
 protected:
  host_file() : bytes_(compiled("small.s")), editor_(bytes_) {
    editor_.put<uint16_t>(offsetof(Elf64_Ehdr, e_machine), EM_X86_64);
    header_ = editor_.section_header(".rodata");
    const std::string name = ".hip_fatbin";
    const uint64_t names = editor_.section(".shstrtab");
    const uint64_t end = editor_.get<Elf64_Shdr>(editor_.section_header(".shstrtab")).sh_size;
    // The last 12 bytes of the name table: names of sections that nothing asks for here.
    std::memcpy(bytes_.data() + names + end - name.size() - 1, name.c_str(), name.size() + 1);
    editor_.put<uint32_t>(header_, static_cast<uint32_t>(end - name.size() - 1));
  }
  std::vector<uint8_t> bytes_;
  elf_editor editor_;
  uint64_t header_ = 0;
};

TEST_F(host_file, fatbin_without_bundle) {
  EXPECT_THAT(error_of(bytes_), HasSubstr("b.hipfb (.hip_fatbin): holds no offload bundle"));
}
TEST_F(host_file, fatbin_beyond_the_file) {
  editor_.put<uint64_t>(header_ + offsetof(Elf64_Shdr, sh_offset), huge - 3);
  EXPECT_THAT(error_of(bytes_), HasSubstr("section '.hip_fatbin' at file offset 0xfffffffffffffffc"));
}
TEST_F(host_file, fatbin_without_contents) {
  editor_.put<uint64_t>(header_ + offsetof(Elf64_Shdr, sh_size), 0);
  EXPECT_THAT(error_of(bytes_), HasSubstr("holds no offload bundle"));
  editor_.put<uint32_t>(header_ + offsetof(Elf64_Shdr, sh_type), SHT_NOBITS);
  EXPECT_THAT(error_of(bytes_), HasSubstr("holds no offload bundle"));
}
TEST_F(host_file, fatbin_with_a_damaged_bundle) {
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__";
  std::memcpy(bytes_.data() + editor_.get<Elf64_Shdr>(header_).sh_offset, magic.data(), magic.size());
  editor_.put<uint64_t>(editor_.get<Elf64_Shdr>(header_).sh_offset + 24, 1000);
  EXPECT_THAT(error_of(bytes_), HasSubstr("offload bundle of 1000 entries is larger than the file"));
}

}  // namespace
}  // namespace pws::loader::damaged_bundles_test
