// SPDX-License-Identifier: Apache-2.0
// One wavefront with registers, and encodings of vector instructions by field, for the tests of vector semantics.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/code/alu_words.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"

namespace pws::isa::test {

// 64 values of an operand, one per lane; 32-bit operands use the low half.
using lanes = std::array<uint64_t, wave_size>;

// clang's default for gfx803 kernels: single-precision denormals flushed, others kept, IEEE and DX10_CLAMP on.
constexpr uint32_t default_mode = 0x3c0;
constexpr uint64_t everyone = ~uint64_t{0};

class vector_machine {
 public:
  static constexpr unsigned n_vgprs = 64;
  vector_machine();

  void write(unsigned vgpr, unsigned dwords, const lanes& values);
  lanes read(unsigned vgpr, unsigned dwords) const;
  // Decodes and executes, with the host's floating-point state saved around it.
  void run(const std::vector<uint32_t>& words);

  wave_state state;

 private:
  std::vector<vgpr_row> rows_;
};

// Values of 9-bit source fields.
constexpr unsigned v(unsigned n) {
  return 256 + n;
}
constexpr unsigned literal_follows = 255;
constexpr unsigned vcc_field = 106;
constexpr unsigned integer_field(int n) {
  return n >= 0 ? 128u + static_cast<unsigned>(n) : 192u - static_cast<unsigned>(n);
}

// The row, by mnemonic; fails the process if there is none.
const opcode_row& row_named(const std::string& mnemonic);

// VOP1, VOP2 and VOPC. src1 and dst are register numbers.
uint32_t word_e32(const opcode_row& row, unsigned dst, unsigned src0, unsigned src1 = 0);
struct vop3_fields {
  unsigned dst = 0, sdst = 0;
  unsigned src[3] = {0, 0, 0};
  unsigned neg = 0, abs = 0, omod = 0;
  bool clamp = false;
};
std::vector<uint32_t> words_vop3(const opcode_row& row, const vop3_fields& f);
struct sdwa_word {
  unsigned dst_sel = 6, dst_unused = 0, src0_sel = 6, src1_sel = 6;
  bool src0_sext = false, src1_sext = false, clamp = false;
  unsigned neg = 0, abs = 0;
};
std::vector<uint32_t> words_sdwa(const opcode_row& row, unsigned dst, unsigned src0, unsigned src1, const sdwa_word& f);
struct dpp_word {
  unsigned ctrl = 0xe4, bank_mask = 0xf, row_mask = 0xf;
  bool bound_ctrl = false;
  unsigned neg = 0, abs = 0;
};
std::vector<uint32_t> words_dpp(const opcode_row& row, unsigned dst, unsigned src0, unsigned src1, const dpp_word& f);

// Values that make trouble for operands of that type, and pseudo-random ones: value number `n` of an endless,
// repeatable list.
const std::vector<uint64_t>& edge_values(type t);
uint64_t random_value(uint64_t n);

// The lane masks every row is tried under.
const std::vector<uint64_t>& test_masks();

}  // namespace pws::isa::test
