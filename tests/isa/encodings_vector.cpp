// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "tests/isa/encodings.h"

namespace pws::isa::test {

namespace encodings_vector {
namespace {

bool has(const opcode_row& row, uint32_t flag) {
  return (row.flags & flag) != 0;
}
bool is_called(const opcode_row& row, const char* mnemonic) {
  return std::strcmp(row.mnemonic, mnemonic) == 0;
}

// v0 and the last register that a run can start at.
std::vector<unsigned> vgprs(unsigned dwords) {
  return {0, 7, 256 - dwords};
}
std::vector<unsigned> vgpr_fields(unsigned dwords) {
  std::vector<unsigned> v = vgprs(dwords);
  for (unsigned& x : v) x += first_vgpr;
  return v;
}
unsigned n_sources(const opcode_row& row) {
  unsigned n = 0;
  while (n < 3 && row.src[n] != type::none) ++n;
  return n;
}

bool is_integer_16(type t) {
  return t == type::u16 || t == type::i16 || t == type::b16;
}
// A 16-bit integer source of 1.0 is printed as its bits, which assemble to a literal.
bool reads_back_as_literal(unsigned source, type t) {
  return source >= 240 && source <= 248 && is_integer_16(t);
}

// Literals that have no inline encoding in the operand's type.
std::vector<uint32_t> literals(type t) {
  if (t == type::f16 || is_integer_16(t)) return {0x1234, 65, 0x7e00};
  return {0x12345678, 65, 0x7fc00000};
}

// --- 32-bit forms
// -----------------------------------------------------------------------------------------------------------

struct e32_fields {
  unsigned dst = 5, src0 = first_vgpr + 1, src1 = 2;
};

uint32_t e32_word(const opcode_row& row, const e32_fields& f) {
  const uint32_t op = row.opcode;
  if (row.native == format::vop1) return 0x7e000000u | f.dst << 17 | op << 9 | f.src0;
  if (row.native == format::vopc) return 0x7c000000u | op << 17 | f.src1 << 9 | f.src0;
  return op << 25 | f.dst << 17 | f.src1 << 9 | f.src0;
}

e32_fields base_e32(const opcode_row& row) {
  e32_fields f;
  if (row.dst == type::none) f.dst = 0;
  if (row.src[0] == type::none) f.src0 = 0;
  if (row.src[1] == type::none) f.src1 = 0;
  return f;
}

void add_e32(const opcode_row& row, std::vector<encoding>& to) {
  const e32_fields base = base_e32(row);
  const auto add = [&](const e32_fields& f) {
    if (has(row, literal_k)) {
      for (uint32_t l : {row.src[0] == type::f16 ? 0x5678u : 0x12345678u, 0x5u, 0x3c00u})
        to.push_back({&row, {e32_word(row, f), l}});
    } else if (f.src0 == literal_field) {
      for (uint32_t l : literals(row.src[0])) to.push_back({&row, {e32_word(row, f), l}});
    } else {
      // LLVM counts vcc_lo beside vcc as two scalar registers and refuses to assemble it.
      const bool vcc_half = has(row, reads_vcc) && (f.src0 == 106 || f.src0 == 107);
      to.push_back({&row, {e32_word(row, f)}, vcc_half || reads_back_as_literal(f.src0, row.src[0])});
    }
  };
  add(base);
  if (row.dst != type::none && row.native != format::vopc)
    for (unsigned d : has(row, scalar_dst) ? scalar_registers(dwords_of(row.dst), true) : vgprs(dwords_of(row.dst))) {
      e32_fields f = base;
      f.dst = d;
      add(f);
    }
  if (row.src[0] != type::none) {
    std::vector<unsigned> pool = vgpr_fields(dwords_of(row.src[0]));
    // A second scalar register beside VCC or a literal would be one too many for the constant bus. The relative moves
    // and v_readfirstlane take vector registers only.
    if (!has(row, scalar_dst) && !has(row, relative_index)) {
      for (unsigned s : scalar_sources(row.src[0])) {
        const bool is_register = s < 128 || s > 248;
        const bool is_vcc = s == 106 || s == 107;
        if (is_register && (has(row, literal_k) || (has(row, reads_vcc) && !is_vcc))) continue;
        pool.push_back(s);
      }
      if (!has(row, reads_vcc) && !has(row, literal_k)) pool.push_back(literal_field);
    }
    for (unsigned s : pool) {
      e32_fields f = base;
      f.src0 = s;
      add(f);
    }
  }
  if (row.src[1] != type::none)
    for (unsigned s : vgprs(dwords_of(row.src[1]))) {
      e32_fields f = base;
      f.src1 = s;
      add(f);
    }
}

// --- SDWA and DPP
// -----------------------------------------------------------------------------------------------------------

void add_sdwa(const opcode_row& row, std::vector<encoding>& to) {
  e32_fields f = base_e32(row);
  f.src0 = sdwa_field;
  const uint32_t w = e32_word(row, f);
  const bool two = row.src[1] != type::none;
  const bool compare = row.native == format::vopc;
  const uint32_t plain = 1u | (compare ? 0u : 6u << 8) | 6u << 16 | (two ? 6u << 24 : 0u);
  // LLVM prints partial destinations of v_mac, but does not assemble them.
  const auto add = [&](uint32_t x) { to.push_back({&row, {w, x}, has(row, reads_dst) && (x >> 8 & 7) != 6}); };
  add(plain);
  if (!compare)
    for (uint32_t sel = 0; sel < 7; ++sel)
      for (uint32_t unused = 0; unused < 3; ++unused) add((plain & ~0x1f00u) | sel << 8 | unused << 11);
  for (uint32_t sel = 0; sel < 6; ++sel) {
    add((plain & ~(7u << 16)) | sel << 16);
    if (two) add((plain & ~(7u << 24)) | sel << 24);
  }
  add(plain | 1u << 13);
  for (unsigned n = 0; n < (two ? 2u : 1u); ++n) {
    const unsigned at = n == 0 ? 16 : 24;
    if (is_float(row.src[n]) && !has(row, reads_vcc)) {
      for (uint32_t m : {1u, 2u, 3u}) add(plain | m << (at + 4));
    } else {
      add(plain | 1u << (at + 3));
    }
  }
}

void add_dpp(const opcode_row& row, std::vector<encoding>& to) {
  e32_fields f = base_e32(row);
  f.src0 = dpp_field;
  const uint32_t w = e32_word(row, f);
  const auto add = [&](uint32_t x) { to.push_back({&row, {w, x}}); };
  for (uint32_t ctrl : {0x00u, 0x1bu, 0xe4u, 0xffu, 0x101u, 0x10fu, 0x111u, 0x11fu, 0x121u, 0x12fu, 0x130u, 0x134u,
                        0x138u, 0x13cu, 0x140u, 0x141u, 0x142u, 0x143u})
    add(1u | ctrl << 8 | 0xff000000u);
  const uint32_t plain = 1u | 0xe4u << 8;
  add(plain | 0xa5000000u);
  add(plain | 0xff000000u | 1u << 19);
  for (unsigned n = 0; n < 2; ++n)
    if (is_float(row.src[n]) && !has(row, reads_vcc))
      for (uint32_t m : {1u, 2u, 3u}) add(plain | 0xff000000u | m << (20 + 2 * n));
}

// --- VOP3
// -------------------------------------------------------------------------------------------------------------------

struct vop3_fields {
  unsigned dst = 5, sdst = 0, src[3] = {0, 0, 0}, abs = 0, neg = 0, clamp = 0, omod = 0;
};

// What a source field of VOP3 may name.
std::vector<unsigned> vop3_sources(const opcode_row& row, unsigned k) {
  std::vector<unsigned> pool = vgpr_fields(dwords_of(row.src[k]));
  if (dwords_of(row.src[k]) == 4) return pool;  // v_mqsad_u32_u8: vector registers only
  // v_readlane: vector, lane; v_writelane: scalar, lane. Lanes are scalar registers or integers.
  if (is_called(row, "v_readlane_b32") && k == 0) return pool;
  if (is_called(row, "v_readlane_b32") || is_called(row, "v_writelane_b32")) return {2, 128, 130, 191};
  if (has(row, scalar_dst) || has(row, relative_index)) return pool;
  for (unsigned s : scalar_sources(row.src[k])) {
    const bool is_register = s < 128 || s > 248;
    if (is_register && has(row, implicit_vcc)) continue;
    if (is_register && has(row, reads_vcc) && s != 106 && s != 107) continue;
    pool.push_back(s);
  }
  return pool;
}

void add_vop3(const opcode_row& row, std::vector<encoding>& to) {
  const unsigned op = row.native == format::vop1   ? 0x140u + row.opcode
                      : row.native == format::vop2 ? 0x100u + row.opcode
                                                   : row.opcode;
  const bool carry = has(row, row_flag::writes_vcc);
  const unsigned n = n_sources(row);
  // VOP3 forms of relative moves have vector sources only; v_readfirstlane and no-operand rows print without a suffix,
  // so that the assembler chooses the short form.
  const bool short_form_wins = row.native == format::vop1 && (n == 0 || has(row, scalar_dst));

  vop3_fields base;
  if (row.dst == type::none) base.dst = 0;
  if (row.native == format::vopc || has(row, scalar_dst)) base.dst = 10;
  if (carry) base.sdst = 12;
  for (unsigned k = 0; k < n; ++k) base.src[k] = first_vgpr + 1 + 8 * k;
  if (has(row, reads_vcc)) base.src[n] = 106;
  if (is_called(row, "v_readlane_b32")) base.src[1] = 3;
  if (is_called(row, "v_writelane_b32")) base.src[0] = 2, base.src[1] = 130;

  const auto add = [&](const vop3_fields& f) {
    const uint32_t low = 0xd0000000u | op << 16 | f.clamp << 15 | (carry ? f.sdst << 8 : f.abs << 8) | f.dst;
    const uint32_t high = f.neg << 29 | f.omod << 27 | f.src[2] << 18 | f.src[1] << 9 | f.src[0];
    bool text_only = short_form_wins;
    // The assembler wants destination and sources of these apart, which the base form has.
    if (std::strstr(row.mnemonic, "qsad") != nullptr && std::memcmp(&f, &base, sizeof f) != 0) text_only = true;
    for (unsigned k = 0; k < n; ++k) {
      if (reads_back_as_literal(f.src[k], row.src[k])) text_only = true;
      if (has(row, reads_vcc) && (f.src[k] == 106 || f.src[k] == 107)) text_only = true;  // vcc_lo beside vcc
    }
    to.push_back({&row, {low, high}, text_only});
  };
  add(base);
  if (row.dst != type::none)
    for (unsigned d : row.native == format::vopc || has(row, scalar_dst) ? scalar_registers(dwords_of(row.dst), true)
                                                                         : vgprs(dwords_of(row.dst))) {
      vop3_fields f = base;
      f.dst = d;
      add(f);
    }
  if (carry)
    for (unsigned d : scalar_registers(2, true)) {
      vop3_fields f = base;
      f.sdst = d;
      add(f);
    }
  for (unsigned k = 0; k < n; ++k) {
    for (unsigned s : vop3_sources(row, k)) {
      vop3_fields f = base;
      f.src[k] = s;
      add(f);
    }
    if (is_float(row.src[k])) {
      for (unsigned m : {1u, 2u, 3u}) {
        if (carry && (m & 2) != 0) continue;
        vop3_fields f = base;
        f.neg = (m & 1) << k;
        f.abs = (m >> 1) << k;
        add(f);
        f.src[k] = 242;
        add(f);
      }
    }
  }
  if (has(row, reads_vcc))
    for (unsigned s : scalar_registers(2, false)) {
      vop3_fields f = base;
      f.src[n] = s;
      add(f);
    }
  if (is_float(row.dst) && !carry && !has(row, reads_vcc)) {
    vop3_fields f = base;
    f.clamp = 1;
    add(f);
    if (row.dst != type::f16)
      for (f.omod = 1; f.omod < 4; ++f.omod) add(f);
  }
}

}  // namespace
}  // namespace encodings_vector

void add_vector_encodings(const opcode_row& row, std::vector<encoding>& to) {
  using namespace encodings_vector;
  if (row.native != format::vop3 && !has(row, vop3_only)) {
    add_e32(row, to);
    if (!has(row, no_sdwa)) add_sdwa(row, to);
    if (!has(row, no_dpp)) add_dpp(row, to);
  }
  if (!has(row, no_vop3)) add_vop3(row, to);
}

}  // namespace pws::isa::test
