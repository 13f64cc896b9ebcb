// Every row of the opcode table, in every form it has, against llvm-mc: same text from the same words, same words from
// that text.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/isa/decode.h"
#include "models/isa/error.h"
#include "tests/isa/encodings.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test {

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

std::vector<words> code_of(const std::vector<encoding>& cases) {
  std::vector<words> code;
  for (const encoding& e : cases) code.push_back(e.code);
  return code;
}

TEST(roundtrip, text_is_llvms) {
  const std::vector<encoding> cases = all_encodings();
  const std::vector<std::string> expected = llvm_disassemble(code_of(cases));
  report r;
  for (size_t n = 0; n < cases.size(); ++n) {
    const std::string ours = our_text(cases[n].code);
    if (ours != expected[n]) r.add(cases[n], "ours '" + ours + "', llvm-mc '" + expected[n] + "'");
  }
  EXPECT_EQ(r.count(), 0) << "of " << cases.size() << " encodings\n" << r.text();
}

TEST(roundtrip, text_assembles_to_the_same_words) {
  std::vector<encoding> cases;
  for (const encoding& e : all_encodings())
    if (!e.text_only) cases.push_back(e);
  std::vector<std::string> text;
  for (const encoding& e : cases) text.push_back(our_text(e.code));
  const std::vector<words> assembled = llvm_assemble(text);
  report r;
  for (size_t n = 0; n < cases.size(); ++n)
    if (assembled[n] != cases[n].code) r.add(cases[n], "'" + text[n] + "' assembles to '" + hex(assembled[n]) + "'");
  EXPECT_EQ(r.count(), 0) << "of " << cases.size() << " encodings\n" << r.text();
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

}  // namespace pws::isa::test
