// SPDX-License-Identifier: Apache-2.0
// Every row of the opcode table, in every form it has, against llvm-mc: same text from the same words, same words from
// that text.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "tests/isa/encodings.h"
#include "tests/isa/llvm_tools.h"
#include "tests/isa/own_rows.h"

namespace pws::isa::test::roundtrip_test {

namespace {

std::string our_text(const words& w) {
  try {
    return disassemble(decode_fields(w.data(), static_cast<unsigned>(w.size()), 0));
  } catch (const program_error& e) {
    return e.what();
  }
}

// All that differs, a few lines per row, so that one run shows the extent of a mistake.
class report {
 public:
  void add(const encoding& e, const std::string& line) {
    ++n_;
    if (++per_row_[e.row] <= 3) text_ += std::string(e.row->mnemonic) + " " + hex(e.code) + ": " + line + "\n";
  }
  int count() const { return n_; }
  const std::string& text() const { return text_; }

 private:
  int n_ = 0;
  std::map<const opcode_row*, int> per_row_;
  std::string text_;
};

bool is_llvms(const encoding& e) {
  return own_rows().count(e.row->mnemonic) == 0;
}
std::vector<encoding> llvm_encodings() {
  std::vector<encoding> all = all_encodings();
  all.erase(std::remove_if(all.begin(), all.end(), [](const encoding& e) { return !is_llvms(e); }), all.end());
  return all;
}

std::vector<words> code_of(const std::vector<encoding>& cases) {
  std::vector<words> code;
  for (const encoding& e : cases) code.push_back(e.code);
  return code;
}

TEST(roundtrip, text_is_llvms) {
  const std::vector<encoding> cases = llvm_encodings();
  const std::vector<std::string> expected = llvm_disassemble(code_of(cases));
  report r;
  for (size_t n = 0; n < cases.size(); ++n) {
    const std::string ours = our_text(cases[n].code);
    if (text_is_of_llvm_15_alone(ours)) continue;
    if (ours != expected[n]) r.add(cases[n], "ours '" + ours + "', llvm-mc '" + expected[n] + "'");
  }
  EXPECT_EQ(r.count(), 0) << "of " << cases.size() << " encodings\n" << r.text();
}

TEST(roundtrip, text_assembles_to_the_same_words) {
  std::vector<encoding> cases;
  for (const encoding& e : llvm_encodings())
    if (!e.text_only) cases.push_back(e);
  std::vector<std::string> text;
  for (const encoding& e : cases) text.push_back(our_text(e.code));
  const std::vector<words> assembled = llvm_assemble(text);
  report r;
  for (size_t n = 0; n < cases.size(); ++n)
    if (assembled[n] != cases[n].code && !text_is_of_llvm_15_alone(text[n]))
      r.add(cases[n], "'" + text[n] + "' assembles to '" + hex(assembled[n]) + "'");
  EXPECT_EQ(r.count(), 0) << "of " << cases.size() << " encodings\n" << r.text();
}

// The macros of pws.inc, which any assembler can include, are split's and merge's second source of truth.
TEST(roundtrip, split_and_merge_are_what_the_include_file_assembles) {
  std::string source = ".include \"pws.inc\"\n";
  words expected;
  const auto add = [&](uint32_t word) {
    expected.push_back(word);
    source += our_text({word}) + "\n";
  };
  for (const uint32_t lo : {0u, 9u, 42u, 101u, 106u, 107u, 124u, 126u, 128u, 129u, 192u, 193u})
    for (const uint32_t hi : {1u, 10u, 101u, 127u, 128u, 193u}) add(0xbf140000u | hi << 8 | lo);
  add(0xbf150000);
  EXPECT_EQ(assembled_text(source, PWS_ISA_TEST_DIR "/../../sw/include"), expected);
  EXPECT_EQ(our_text({0xbf147f7e}), "split exec_lo, exec_hi");
  EXPECT_EQ(our_text({0xbf150000}), "merge");
  EXPECT_EQ(our_text({0xbf15ffff}), "merge");  // the low 16 bits mean nothing
}

TEST(roundtrip, vop3_of_the_include_file) {
  // Included twice, as by two pieces of assembly in a HIP program.
  const std::string source =
      ".include \"pws.inc\"\npws_vop3 0x1dc, v0, v1, v9, v10\n.include \"pws.inc\"\npws_vop3 0x1dc, v255, v249, v250, "
      "v199\n";
  words expected;
  for (const words& code : llvm_assemble({"v_sad_u32 v0, v1, v9, v10", "v_sad_u32 v255, v249, v250, v199"}))
    expected.insert(expected.end(), code.begin(), code.end());
  EXPECT_EQ(assembled_text(source, PWS_ISA_TEST_DIR "/../../sw/include"), expected);
}

TEST(roundtrip, every_row_is_covered) {
  std::set<const opcode_row*> covered;
  for (const encoding& e : all_encodings()) {
    const inst i = decode_fields(e.code.data(), static_cast<unsigned>(e.code.size()), 0);
    EXPECT_EQ(i.row, e.row) << hex(e.code) << " decodes as " << i.row->mnemonic;
    EXPECT_EQ(i.dwords, e.code.size()) << i.row->mnemonic;
    covered.insert(i.row);
  }
  for (const opcode_row* row : all_rows())
    EXPECT_EQ(covered.count(row), 1u) << row->mnemonic << " has no encoding tested";
}

}  // namespace

}  // namespace pws::isa::test::roundtrip_test
