// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/valu/stimulus.h"

#include "models/isa/code/source_field.h"

namespace pws::cosim {

using isa::format;
using isa::opcode_row;
using isa::type;

namespace {

bool has(const opcode_row& row, uint32_t flag) {
  return (row.flags & flag) != 0;
}

// --- Random fields ---

// Few registers, so that sources and destinations meet; both ends of the file are among them.
unsigned random_vgpr(random_source& r) {
  constexpr unsigned some[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 127, 128, 253, 254, 255};
  return r.one_of(some);
}
unsigned random_scalar(random_source& r, bool pair) {
  constexpr unsigned some[] = {0, 1, 2, 3, 10, 11, 100, 101, 102, 103, 104, 106, 107, 108, 111, 112, 123, 126, 127};
  const unsigned n = r.one_of(some);
  if (r.chance(3)) return r.below(128);
  return pair ? n & ~1u : n;
}
unsigned random_constant(random_source& r) {
  namespace f = isa::field;
  constexpr unsigned special[] = {f::vccz, f::execz, f::scc};
  switch (r.below(4)) {
    case 0:
      return f::half + r.below(9);
    case 1:
      return r.one_of(special);
    default:
      return f::zero + r.below(f::int_end - f::zero);
  }
}
unsigned random_source_field(random_source& r, type t, bool scalar_only) {
  if (r.chance(1)) return r.below(512);
  if (!scalar_only && r.chance(60)) return 256 + random_vgpr(r);
  return r.chance(50) ? random_constant(r) : random_scalar(r, isa::dwords_of(t) == 2);
}
unsigned random_select(random_source& r) {
  if (r.chance(1)) return 7;
  return r.chance(25) ? 6 : r.below(6);
}

// At times one that is reserved.
unsigned random_dpp_control(random_source& r) {
  constexpr unsigned others[] = {0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
  if (r.chance(1)) return r.below(512);
  switch (r.below(4)) {
    case 0:
      return r.below(256);
    case 1:
      return 0x100 + 16 * r.below(3) + 1 + r.below(15);
    default:
      return r.one_of(others);
  }
}

}  // namespace

void plain_words(const opcode_row& row, encoding_kind kind, uint32_t (&words)[2]) {
  isa::encode_vector(row, kind, isa::plain_fields(row), words);
}

void random_words(const opcode_row& row, encoding_kind kind, random_source& r, uint32_t (&words)[2]) {
  isa::vector_fields f;
  const unsigned n = isa::source_count(row);
  const bool scalar_result = row.native == format::vopc || has(row, isa::scalar_dst);
  f.dst = scalar_result ? random_scalar(r, row.native == format::vopc) : random_vgpr(r);
  f.sdst = random_scalar(r, true);
  for (unsigned k = 0; k < 3; ++k)
    f.src[k] = k < n ? random_source_field(r, row.src[k], isa::wants_scalar(row, k)) : r.below(512);
  if (kind == encoding_kind::vop3 && has(row, isa::reads_vcc)) {
    f.src[n] = r.chance(80) ? random_scalar(r, true) : random_source_field(r, type::b64, true);
  }
  f.reserved = r.chance(10) ? r.below(16) : 0;
  f.literal = random_operand(r);
  if (kind == encoding_kind::e32) {
    if (n > 0 && r.chance(15)) f.src[0] = isa::field::literal;
    if (n == 0 && !r.chance(3)) f.src[0] = r.below(249);
    return isa::encode_vector(row, kind, f, words);
  }

  const bool moves_parts = kind == encoding_kind::sdwa || kind == encoding_kind::dpp;
  const bool cndmask_sdwa = moves_parts && has(row, isa::reads_vcc);
  for (unsigned k = 0; k < n; ++k) {
    const bool takes_sign = isa::is_float(row.src[k]) && !cndmask_sdwa;
    if (r.chance(takes_sign ? 35 : 1)) f.neg |= 1u << k;
    if (r.chance(takes_sign ? 35 : 1)) f.abs |= 1u << k;
    if (k < 2) {
      f.sel[k] = random_select(r);
      f.sext[k] = r.chance(takes_sign ? 1 : 40);
    }
  }
  const bool float_result = isa::is_float(row.dst);
  f.clamp = r.chance(float_result || n == 2 ? 25 : 2);
  if (r.chance(float_result && !has(row, isa::reads_vcc) ? 30 : 1)) f.omod = r.below(4);
  f.dst_sel = random_select(r);
  f.dst_unused = r.chance(1) ? 3 : r.below(3);
  f.dpp_ctrl = random_dpp_control(r);
  f.row_mask = r.chance(60) ? 15 : r.below(16);
  f.bank_mask = r.chance(60) ? 15 : r.below(16);
  f.bound_ctrl = r.chance(40);
  isa::encode_vector(row, kind, f, words);
}

uint32_t random_operand(random_source& r) {
  constexpr uint32_t edges[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffff8000,
                                0xffff7fff, 0x7fffff, 0x800000, 0xffffff, 0x1000000, 0xff800000, 0x55555555, 0xaaaaaaaa,
                                0x00ff00ff, 0x80808080, 0x7f7f7f7f, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000,
                                0x7f800001, 0xffc12345, 0xff812345, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff,
                                0x3effffff, 0x4b000001, 0xcf000000, 0x4f7fffff, 0x38800000, 0x33800000, 0x477ff000,
                                0x7c00, 0x7e01, 0x3ff,
                                // Halves, and upper dwords of doubles.
                                0x3c00, 0xbc00, 0xfc00, 0x7bff, 0x400, 0x8001, 0x7d01, 0x3ff00000, 0xbff00000,
                                0x7ff00000, 0xfff00000, 0x7ff80000, 0x7ff00001, 0x000fffff, 0x00100000, 0x7fefffff,
                                0x80000001, 0x3fefffff, 0x41e00000, 0x41f00000, 0xc1e00000, 0x38100000, 0x47efffff};
  switch (r.below(9)) {
    case 0:
      return r.one_of(edges);
    case 1:
      return (uint32_t{1} << r.below(32)) + r.below(3) - 1;  // a power of two and its neighbours
    case 2:
      return r.below(80) - 16;
    case 3: {  // floats near 1, with few bits
      const uint32_t exponent = 127 - 32 + r.below(64);
      return r.below(2) << 31 | exponent << 23 | (r.below(16) << 19);
    }
    case 4:  // floats near 1
      return r.below(2) << 31 | (127 - 4 + r.below(8)) << 23 | r.below(1u << 23);
    case 5:  // floats of all classes
      return r.below(2) << 31 | (r.chance(50) ? r.below(3) : 253 + r.below(3)) << 23 |
             (r.chance(30) ? 0 : r.below(1u << 23));
    case 6:  // doubles near 1, with few bits
      return r.below(2) << 31 | (1023 - 60 + r.below(120)) << 20 | (r.below(16) << 16);
    default:
      return r.word();
  }
}

namespace {

uint64_t random_mask(random_source& r) {
  switch (r.below(6)) {
    case 0:
      return ~uint64_t{0};
    case 1:
      return uint64_t{1} << r.below(64);
    case 2:
      return r.chance(30) ? 0 : r.next() & r.next() & r.next();
    case 3:
      return uint64_t{0xffff} << (16 * r.below(4));
    default:
      return r.next();
  }
}

}  // namespace

void randomise_scalars(isa::wave_state& s, random_source& r) {
  for (unsigned k = 0; k < 4; ++k) s.scalar[r.below(128)] = random_operand(r);
  s.set_scalar64(isa::exec_lo, random_mask(r));
  s.split_mask = r.chance(50) ? ~uint64_t{0} : random_mask(r);
  s.set_scalar64(isa::vcc_lo, random_mask(r));
  s.scc = r.chance(50);
  // Usual modes, all settings of the low fields, and bits that mean nothing to this unit.
  constexpr uint32_t usual[] = {0x3c0, 0x3f0, 0x2c0, 0x300, 0x0f0};
  s.mode = r.chance(40) ? r.one_of(usual) : r.below(1024);
  if (r.chance(10)) s.mode |= r.word() & 0xf7fffc00u;
  if (r.chance(1)) s.mode |= 1u << 27;
}

void randomise_rows(isa::wave_state& s, unsigned row, unsigned other, random_source& r) {
  const bool alike = r.chance(40);
  const bool same_for_all = r.chance(10);
  uint32_t v = random_operand(r);
  for (unsigned l = 0; l < isa::wave_size; ++l) {
    if (!same_for_all) v = random_operand(r);
    s.vgpr[row].lane[l] = v;
    if (!alike) {
      s.vgpr[other].lane[l] = random_operand(r);
    } else {
      const uint32_t near[] = {v, v + 1, v - 1, v ^ 0x80000000u, ~v};
      s.vgpr[other].lane[l] = r.one_of(near);
    }
  }
}

}  // namespace pws::cosim
