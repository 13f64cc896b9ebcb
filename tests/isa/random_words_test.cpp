// SPDX-License-Identifier: Apache-2.0
// Words that no compiler made: decoding must give an instruction or a program_error, and where both we and LLVM accept
// them completely, the same text.
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test::random_words_test {

namespace {

// The top bits of every encoding, so that rare ones are as frequent as common ones.
constexpr struct {
  uint32_t prefix;
  unsigned bits;
} encodings[] = {{0x7e000000, 7}, {0x7c000000, 7}, {0x00000000, 1}, {0x80000000, 2}, {0xb0000000, 4}, {0xbe800000, 9},
                 {0xbf000000, 9}, {0xbf800000, 9}, {0xc0000000, 6}, {0xd0000000, 6}, {0xd4000000, 6}, {0xd8000000, 6},
                 {0xdc000000, 6}, {0xe0000000, 6}, {0xe8000000, 6}, {0xf0000000, 6}, {0xc4000000, 6}};

words random_code(std::mt19937& random) {
  const auto& e = encodings[random() % std::size(encodings)];
  const uint32_t low_bits = (uint64_t{1} << (32 - e.bits)) - 1;
  return {e.prefix | (static_cast<uint32_t>(random()) & low_bits), static_cast<uint32_t>(random())};
}

TEST(random_words, decode_or_throw_program_error) {
  std::mt19937 random(20240229);
  int accepted = 0;
  constexpr int n = 100'000;
  for (int k = 0; k < n; ++k) {
    const words w = random_code(random);
    try {
      const inst i = decode(w.data(), 2, 0x1000);
      EXPECT_NE(i.exec, nullptr) << hex(w);
      EXPECT_LE(i.n_reads, inst::max_runs);
      EXPECT_LE(i.n_writes, std::size(i.writes));
      EXPECT_FALSE(disassemble(i).empty());
      ++accepted;
    } catch (const program_error& e) {
      EXPECT_NE(std::string(e.what()).find("0x"), std::string::npos) << "message without the words: " << e.what();
    }
  }
  EXPECT_GT(accepted, n / 20);
}

TEST(random_words, one_word_is_enough_or_an_error) {
  std::mt19937 random(7);
  for (int k = 0; k < 30'000; ++k) {
    const words w = random_code(random);
    try {
      EXPECT_EQ(decode(w.data(), 1, 0).dwords, 1) << hex(w);
    } catch (const program_error&) {
      // Truncated or illegal: the message is tested elsewhere.
    }
  }
}

TEST(random_words, text_is_llvms_where_both_accept) {
  std::mt19937 random(99);
  std::vector<words> code;
  std::vector<std::string> ours;
  while (code.size() < 40'000) {
    words w = random_code(random);
    try {
      const inst i = decode_fields(w.data(), 2, 0);
      w.resize(i.dwords);
      ours.push_back(disassemble(i));
      code.push_back(w);
    } catch (const program_error&) {
      // Not ours to compare.
    }
  }
  const std::vector<std::string> llvms = llvm_disassemble(code);
  int compared = 0, different = 0;
  for (size_t n = 0; n < code.size(); ++n) {
    // Refused, or remarked on: s_setpc_b64 /*invalid immediate*/, and from LLVM 17 on /*Invalid register...*/.
    if (llvms[n].find("invalid") != std::string::npos || llvms[n].find("/*Invalid") != std::string::npos) continue;
    if (text_is_of_llvm_15_alone(ours[n])) continue;
    ++compared;
    if (ours[n] != llvms[n] && ++different < 20)
      ADD_FAILURE() << hex(code[n]) << ": ours '" << ours[n] << "', llvm-mc '" << llvms[n] << "'";
  }
  EXPECT_EQ(different, 0);
  EXPECT_GT(compared, 20'000);
}

}  // namespace

}  // namespace pws::isa::test::random_words_test
