// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/vector_machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/host_fp.h"
#include "tests/isa/row_coverage.h"
namespace pws::isa::test {

vector_machine::vector_machine() : rows_(n_vgprs) {
  state.vgpr = rows_.data();
  state.n_vgprs = n_vgprs;
  state.mode = default_mode;
  state.set_scalar64(exec_lo, everyone);
}

void vector_machine::write(unsigned vgpr, unsigned dwords, const lanes& values) {
  for (unsigned l = 0; l < wave_size; ++l) {
    rows_.at(vgpr).lane[l] = static_cast<uint32_t>(values[l]);
    if (dwords == 2) rows_.at(vgpr + 1).lane[l] = static_cast<uint32_t>(values[l] >> 32);
  }
}

lanes vector_machine::read(unsigned vgpr, unsigned dwords) const {
  lanes values{};
  for (unsigned l = 0; l < wave_size; ++l) {
    values[l] = rows_.at(vgpr).lane[l];
    if (dwords == 2) values[l] |= uint64_t{rows_.at(vgpr + 1).lane[l]} << 32;
  }
  return values;
}

void vector_machine::run(const std::vector<uint32_t>& code) {
  const inst i = decode(code.data(), static_cast<unsigned>(code.size()), 0);
  const host_fp_scope scope;
  i.exec(state, i);
  note_executed(*i.row);
}

const opcode_row& row_named(const std::string& mnemonic) {
  for (const opcode_row& row : vector_rows())
    if (mnemonic == row.mnemonic) return row;
  std::fprintf(stderr, "no vector row %s\n", mnemonic.c_str());
  std::abort();
}

uint32_t word_e32(const opcode_row& row, unsigned dst, unsigned src0, unsigned src1) {
  if (row.native == format::vop3) {
    std::fprintf(stderr, "%s has no 32-bit encoding\n", row.mnemonic);
    std::abort();
  }
  vector_fields f;
  f.dst = dst;
  f.src[0] = src0;
  f.src[1] = src1;
  uint32_t code[2];
  encode_vector(row, vector_encoding::e32, f, code);
  return code[0];
}

std::vector<uint32_t> words_vop3(const opcode_row& row, const vop3_fields& f) {
  vector_fields all;
  all.dst = f.dst;
  all.sdst = f.sdst;
  std::copy(std::begin(f.src), std::end(f.src), std::begin(all.src));
  all.neg = f.neg;
  all.abs = f.abs;
  all.omod = f.omod;
  all.clamp = f.clamp;
  uint32_t code[2];
  encode_vector(row, vector_encoding::vop3, all, code);
  return {code[0], code[1]};
}

std::vector<uint32_t> words_sdwa(const opcode_row& row, unsigned dst, unsigned src0, unsigned src1,
                                 const sdwa_word& f) {
  const bool compare = row.native == format::vopc;
  const uint32_t word = src0 | (compare ? 0 : f.dst_sel << 8 | f.dst_unused << 11) | (f.clamp ? 1u << 13 : 0) |
                        f.src0_sel << 16 | (f.src0_sext ? 1u << 19 : 0) | (f.neg & 1) << 20 | (f.abs & 1) << 21 |
                        f.src1_sel << 24 | (f.src1_sext ? 1u << 27 : 0) | (f.neg >> 1 & 1) << 28 |
                        (f.abs >> 1 & 1) << 29;
  return {word_e32(row, dst, 249, src1), word};
}

std::vector<uint32_t> words_dpp(const opcode_row& row, unsigned dst, unsigned src0, unsigned src1, const dpp_word& f) {
  const uint32_t word = src0 | f.ctrl << 8 | (f.bound_ctrl ? 1u << 19 : 0) | (f.neg & 1) << 20 | (f.abs & 1) << 21 |
                        (f.neg >> 1 & 1) << 22 | (f.abs >> 1 & 1) << 23 | f.bank_mask << 24 | f.row_mask << 28;
  return {word_e32(row, dst, 250, src1), word};
}

const std::vector<uint64_t>& edge_values(type t) {
  static const std::vector<uint64_t> integers = {
      0,          1,          2,          3,          5,          7,         8,          12,         13,
      15,         16,         23,         24,         31,         32,        33,         53,         63,
      64,         65,         0x7f,       0x80,       0xff,       0x100,     0x3ff,      0x7fff,     0x8000,
      0xffff,     0x10000,    0x7fffff,   0x800000,   0xffffff,   0x1000000, 0x7fffffff, 0x80000000, 0x80000001,
      0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef, 0x0c0d0e0f, 0xff00ff00};
  static const std::vector<uint64_t> wide_integers = {0,
                                                      1,
                                                      2,
                                                      0x7fffffff,
                                                      0x80000000,
                                                      0xffffffff,
                                                      0x100000000,
                                                      0x1ffffffff,
                                                      0x7fffffffffffffff,
                                                      0x8000000000000000,
                                                      0x8000000000000001,
                                                      0xffffffff00000000,
                                                      0xfffffffffffffffe,
                                                      0xffffffffffffffff,
                                                      0x123456789abcdef0,
                                                      0xfedcba9876543210};
  static const std::vector<uint64_t> singles = {
      0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00400000, 0x00800000, 0x80800000, 0x00800001, 0x3f800000,
      0xbf800000, 0x3f000000, 0xbf000000, 0x3effffff, 0x3f000001, 0x3fc00000, 0xc0200000, 0x40200000, 0x40600000,
      0x3f7fffff, 0x3f800001, 0x4b000000, 0x4b000001, 0x4b7fffff, 0xcb800000, 0x4effffff, 0x4f000000, 0xcf000000,
      0xcf000001, 0x4f7fffff, 0x4f800000, 0x43800000, 0x43800001, 0xc3800000, 0x437f4000, 0x3e800000, 0x477fe000,
      0x477fefff, 0x477ff000, 0x38800000, 0x387fe000, 0x33000000, 0x33000001, 0x33800000, 0x42fe0000, 0xc2fc0000,
      0x43160000, 0x7f7fffff, 0xff7fffff, 0x7f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x7f800001,
      0xff812345, 0x0c800000, 0x72800000, 0x1f800000, 0x5f800000};
  static const std::vector<uint64_t> doubles = {
      0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff, 0x0008000000000000,
      0x0010000000000000, 0x8010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
      0xbfe0000000000000, 0x3fdfffffffffffff, 0x3ff8000000000000, 0xc004000000000000, 0x4004000000000000,
      0x3fefffffffffffff, 0x3ff0000000000001, 0x4330000000000001, 0xc340000000000000, 0x41dfffffffc00000,
      0x41dfffffffe00000, 0x41e0000000000000, 0xc1e0000000000000, 0xc1e0000000200000, 0x41efffffffe00000,
      0x41f0000000000000, 0x47efffffe0000000, 0x47effffff0000000, 0x3810000000000000, 0x36a0000000000000,
      0x7fefffffffffffff, 0xffefffffffffffff, 0x7fe0000000000000, 0x7ff0000000000000, 0xfff0000000000000,
      0x7ff8000000000000, 0xfff8000000012345, 0x7ff0000000000001, 0xfff4000000000000, 0x0340000000000000,
      0x5fe0000000000000, 0x1ff0000000000000};
  static const std::vector<uint64_t> halves = {0x0000, 0x8000, 0x0001, 0x83ff, 0x0200, 0x0400, 0x8400, 0x3c00,
                                               0xbc00, 0x3800, 0xb800, 0x37ff, 0x3e00, 0xc100, 0x4100, 0x3bff,
                                               0x3c01, 0x6400, 0x6401, 0x7bff, 0xfbff, 0x7800, 0x7c00, 0xfc00,
                                               0x7e00, 0xfe12, 0x7c01, 0xfd00, 0x5bff, 0x1400};
  switch (t) {
    case type::f32:
      return singles;
    case type::f64:
      return doubles;
    case type::f16:
      return halves;
    default:
      return dwords_of(t) == 2 ? wide_integers : integers;
  }
}

// SplitMix64: every number gives an independent-looking value.
uint64_t random_value(uint64_t n) {
  uint64_t z = (n + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

const std::vector<uint64_t>& test_masks() {
  static const std::vector<uint64_t> masks = {
      everyone, 0, 1, uint64_t{1} << 31, uint64_t{1} << 32, uint64_t{1} << 63, 0xaaaaaaaaaaaaaaaa, 0x00ffff000f0f3c5a};
  return masks;
}

}  // namespace pws::isa::test
