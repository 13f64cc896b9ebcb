// SPDX-License-Identifier: Apache-2.0
// What the vector ALU's decoder takes for an instruction of its own, and what not.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "tests/cosim/valu/stimulus.h"
#include "tests/cosim/valu/supported_rows.h"
#include "tests/cosim/valu/valu_check.h"

namespace pws::cosim::valu_decoder_test {

namespace {

class valu_decoder : public testing::Test {
 protected:
  // Does the decoder say of these words what models/isa and the list of instructions say?
  void expect_agreement(const uint32_t (&words)[2]) {
    const expectation e = expect(words);
    const bool supported = rtl_->supports(words);
    ++(supported ? supported_ : refused_);
    EXPECT_EQ(supported, e.supported) << std::hex << words[0] << ' ' << words[1] << ": "
                                      << (e.legal ? isa::disassemble(e.inst) : e.refusal);
  }

  std::unique_ptr<rtl_valu> rtl_ = make_rtl_valu_16();
  random_source random_{77};
  unsigned supported_ = 0, refused_ = 0;
};

TEST_F(valu_decoder, the_list_names_every_row_once) {
  std::set<std::string> seen;
  for (const row_group& g : supported_groups())
    for (const std::string& name : g.mnemonics) {
      EXPECT_NO_THROW(vector_row_named(name)) << name;
      EXPECT_TRUE(seen.insert(name).second) << name;
    }
  EXPECT_EQ(seen.size(), 392u);
}

TEST_F(valu_decoder, supports_exactly_the_listed_rows) {
  for (const isa::opcode_row& row : isa::vector_rows())
    for (const encoding_kind kind : encodings_of(row)) {
      uint32_t words[2];
      plain_words(row, kind, words);
      ASSERT_NO_THROW(isa::decode(words, 2, 0)) << row.mnemonic;
      EXPECT_EQ(rtl_->supports(words), must_support(row)) << row.mnemonic;
      for (unsigned n = 0; n < 100; ++n) {
        random_words(row, kind, random_, words);
        expect_agreement(words);
      }
    }
  EXPECT_GT(supported_, 10000u);
  EXPECT_GT(refused_, 5000u);
}

// DPP words with all controls, also of rows that have none.
TEST_F(valu_decoder, agrees_on_dpp_words) {
  for (const isa::opcode_row& row : isa::vector_rows()) {
    if (row.native == isa::format::vop3) continue;
    uint32_t words[2];
    plain_words(row, encoding_kind::e32, words);
    words[0] = (words[0] & ~0x1ffu) | 250;
    for (unsigned n = 0; n < 20; ++n) {
      words[1] = 0xff000000u | (n == 0 ? 0xe4u << 8 | 1u : random_.word() & 0x0fffffu);
      if (n > 10) words[1] |= random_.word() & 0xf00000u;
      expect_agreement(words);
    }
  }
  for (unsigned control = 0; control < 512; ++control)
    for (const char* mnemonic : {"v_mov_b32", "v_add_f32", "v_addc_u32", "v_cndmask_b32"}) {
      uint32_t words[2];
      isa::vector_fields f;
      f.dpp_ctrl = control;
      isa::encode_vector(vector_row_named(mnemonic), encoding_kind::dpp, f, words);
      expect_agreement(words);
    }
  EXPECT_GT(supported_, 1000u);
  EXPECT_GT(refused_, 1000u);
}

TEST_F(valu_decoder, agrees_on_random_vector_words) {
  for (unsigned n = 0; n < 100000; ++n) {
    uint32_t words[2] = {random_.word(), random_.word()};
    switch (n % 4) {
      case 0:
        words[0] &= 0x7fffffff;
        break;
      case 1:
        words[0] = (words[0] & 0x03ffffff) | 0xd0000000;
        break;
      case 2:  // SDWA or DPP with few wild bits
        words[0] = (words[0] & 0x7ffffe00) | (random_.chance(80) ? 249u : 250u);
        words[1] = (words[1] & 0x0f0fffffu) | (random_.chance(50) ? 0x06060600u : 0);
        break;
      default:
        words[0] = (words[0] & 0x01ffffff) | (random_.chance(50) ? 0x7e000000u : 0x7c000000u);
        break;
    }
    expect_agreement(words);
    if (HasFailure()) FAIL() << "after " << n << " words";
  }
  EXPECT_GT(supported_, 5000u);
  EXPECT_GT(refused_, 20000u);
}

TEST_F(valu_decoder, refuses_other_encodings) {
  // Scalar, memory, export, interpolation and image encodings: everything else that begins with a one.
  for (unsigned n = 0; n < 100000; ++n) {
    const uint32_t words[2] = {random_.word() | 0x80000000u, random_.word()};
    if (words[0] >> 26 == 0x34) continue;
    ASSERT_FALSE(rtl_->supports(words)) << std::hex << words[0];
    ++refused_;
  }
  EXPECT_GT(refused_, 90000u);
  for (const isa::opcode_row* row : isa::all_rows()) {
    const std::map<isa::format, uint32_t> memory = {{isa::format::smem, 0xc0000000u | uint32_t{row->opcode} << 18},
                                                    {isa::format::ds, 0xd8000000u | uint32_t{row->opcode} << 17},
                                                    {isa::format::flat, 0xdc000000u | uint32_t{row->opcode} << 18},
                                                    {isa::format::mubuf, 0xe0000000u | uint32_t{row->opcode} << 18},
                                                    {isa::format::mtbuf, 0xe8000000u | uint32_t{row->opcode} << 15},
                                                    {isa::format::mimg, 0xf0000000u | uint32_t{row->opcode} << 18},
                                                    {isa::format::sopp, 0xbf800000u | uint32_t{row->opcode} << 16},
                                                    {isa::format::sopc, 0xbf000000u | uint32_t{row->opcode} << 16},
                                                    {isa::format::sop1, 0xbe800000u | uint32_t{row->opcode} << 8}};
    const auto word = memory.find(row->native);
    if (word == memory.end()) continue;
    const uint32_t words[2] = {word->second, 0x00000102};
    EXPECT_FALSE(rtl_->supports(words)) << row->mnemonic;
  }
}

// An instruction that the unit refuses leaves nothing behind, and the next one works.
TEST_F(valu_decoder, goes_on_after_a_refusal) {
  valu_check check(*rtl_);
  const uint32_t refused[2] = {0x7e000100u | 0xffu << 9, 0};  // no opcode of VOP1
  uint32_t works[2];
  plain_words(vector_row_named("v_add_u32"), encoding_kind::e32, works);
  for (unsigned n = 0; n < 10; ++n) {
    randomise_scalars(check.state(), random_);
    check.state().mode = n == 5 ? 1u << 27 : 0x3c0;
    for (unsigned row = 0; row < 8; row += 2) randomise_rows(check.state(), row, row + 1, random_);
    EXPECT_EQ(check.run(refused), "");
    EXPECT_EQ(check.run(works), "");
  }
  EXPECT_EQ(check.executed(), 9u);
}

}  // namespace

}  // namespace pws::cosim::valu_decoder_test
