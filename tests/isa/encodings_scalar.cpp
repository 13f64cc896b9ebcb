// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "tests/isa/encodings.h"

namespace pws::isa::test {

std::vector<unsigned> scalar_registers(unsigned dwords, bool writable) {
  // s0, s101, flat_scratch, vcc, tba, tma, ttmp, m0, exec. xnack_mask is no register of gfx803.
  if (dwords == 1) {
    std::vector<unsigned> r = {0, 1, 57, 101, 102, 103, 106, 107, 112, 123, 124, 126, 127};
    if (!writable) r.insert(r.end(), {108, 109, 110, 111});
    return r;
  }
  if (dwords == 2) return {0, 2, 56, 100, 102, 106, 112, 122, 126};
  if (dwords == 4) return {0, 4, 56, 96, 112, 120};
  if (dwords == 8) return {0, 4, 56, 92, 112};
  return {0, 4, 56, 84};
}

std::vector<unsigned> scalar_sources(type t) {
  std::vector<unsigned> s = scalar_registers(dwords_of(t), false);
  s.insert(s.end(), {128, 129, 192, 193, 208, 240, 241, 242, 243, 244, 245, 246, 247, 248, 251, 252, 253});
  return s;
}

namespace encodings_scalar {
namespace {

// Literals that have no inline encoding.
constexpr uint32_t literals[] = {0x12345678, 65, 0xffffffef, 0x80000000, 0x7f800000};

struct scalar_fields {
  unsigned dst = 4, src0 = 2, src1 = 6;
};

// Instructions that LLVM lets name registers only.
bool registers_only(const opcode_row& row) {
  for (const char* m : {"s_setpc_b64", "s_rfe_b64", "s_cbranch_join", "s_movrels_b32", "s_movrels_b64", "s_movreld_b32",
                        "s_movreld_b64", "s_cbranch_g_fork"})
    if (std::strcmp(row.mnemonic, m) == 0) return true;
  return false;
}

void add_form(const opcode_row& row, const scalar_fields& f, std::vector<encoding>& to) {
  uint32_t w = 0;
  switch (row.native) {
    case format::sop2:
      w = 0x80000000u | uint32_t{row.opcode} << 23 | f.dst << 16 | f.src1 << 8 | f.src0;
      break;
    case format::sop1:
      w = 0xbe800000u | f.dst << 16 | uint32_t{row.opcode} << 8 | f.src0;
      break;
    default:
      w = 0xbf000000u | uint32_t{row.opcode} << 16 | f.src1 << 8 | f.src0;
      break;
  }
  if (f.src0 != literal_field && f.src1 != literal_field) {
    to.push_back({&row, {w}});
    return;
  }
  for (uint32_t l : literals) to.push_back({&row, {w, l}});
}

void add_alu(const opcode_row& row, std::vector<encoding>& to) {
  scalar_fields base;
  if (row.dst == type::none) base.dst = 0;
  if (row.src[0] == type::none) base.src0 = 0;
  if (row.native == format::sopc && row.src[1] == type::none) base.src1 = 5;  // an immediate
  if (row.dst != type::none)
    for (unsigned d : scalar_registers(dwords_of(row.dst), true)) {
      scalar_fields f = base;
      f.dst = d;
      add_form(row, f, to);
    }
  for (unsigned n = 0; n < 2; ++n) {
    if (row.src[n] == type::none) continue;
    std::vector<unsigned> pool = registers_only(row) ? std::vector<unsigned>{0, 2, 100} : scalar_sources(row.src[n]);
    if (!registers_only(row)) pool.push_back(literal_field);
    for (unsigned s : pool) {
      scalar_fields f = base;
      (n == 0 ? f.src0 : f.src1) = s;
      add_form(row, f, to);
    }
  }
  add_form(row, base, to);
}

void add_sopk(const opcode_row& row, std::vector<encoding>& to) {
  constexpr unsigned getreg = 17, setreg = 18, setreg_imm32 = 20;
  const uint32_t base = 0xb0000000u | uint32_t{row.opcode} << 23;
  std::vector<uint32_t> immediates = {0, 1, 64, 65, 0x7fff, 0x8000, 0xffff};
  if (row.opcode == getreg || row.opcode == setreg || row.opcode == setreg_imm32) {
    immediates.clear();
    for (uint32_t id = 1; id < 8; ++id)
      for (uint32_t rest : {0xf800u, 0x0040u, 0x1880u, 0x07c0u}) immediates.push_back(rest | id);
  }
  const unsigned dwords = row.dst != type::none ? dwords_of(row.dst) : dwords_of(row.src[0]);
  for (uint32_t k : immediates) {
    if (row.opcode == setreg_imm32) {
      for (uint32_t l : {0u, 5u, 64u, 65u, 0xffffffffu, 0x12345678u}) to.push_back({&row, {base | k, l}});
      to.push_back({&row, {base | k, 0x3f800000u}, true});  // llvm-mc reads the "1.0" that it prints as 0
    } else {
      to.push_back({&row, {base | 4 << 16 | k}});
    }
  }
  if (row.opcode != setreg_imm32)
    for (unsigned r : scalar_registers(dwords, true)) to.push_back({&row, {base | r << 16 | immediates[0]}});
}

void add_sopp(const opcode_row& row, std::vector<encoding>& to) {
  constexpr unsigned wakeup = 3, barrier = 10, waitcnt = 12, sendmsg = 16, sendmsghalt = 17, icache_inv = 19,
                     ttracedata = 22, endpgm_saved = 27, idx_off = 28, idx_mode = 29;
  const uint32_t base = 0xbf800000u | uint32_t{row.opcode} << 16;
  switch (row.opcode) {
    case wakeup:
    case barrier:
    case icache_inv:
    case ttracedata:
    case endpgm_saved:
    case idx_off:
      to.push_back({&row, {base}});
      return;
    case waitcnt:
      for (uint32_t v = 0; v < 16; ++v)
        for (uint32_t e : {0u, 3u, 7u})
          for (uint32_t l = 0; l < 16; ++l) to.push_back({&row, {base | l << 8 | e << 4 | v}});
      // The bits above the fields are ignored.
      to.push_back({&row, {base | 0xf070}, true});
      return;
    case sendmsg:
    case sendmsghalt:
      for (uint32_t m = 0; m < 0x800; ++m) to.push_back({&row, {base | m}, true});
      for (uint32_t m : {0x1u, 0x22u, 0x123u, 0x3u, 0x1fu}) to.push_back({&row, {base | m}});
      for (uint32_t m : {0x400u, 0x8010u, 0xffffu}) to.push_back({&row, {base | m}});
      return;
    case idx_mode:
      for (uint32_t m = 0; m < 16; ++m) to.push_back({&row, {base | m}});
      to.push_back({&row, {base | 16}, true});  // printed as a number, refused as one
      return;
    default:
      for (uint32_t k : {0u, 1u, 7u, 64u, 65u, 0x7fffu, 0x8000u, 0xffffu}) to.push_back({&row, {base | k}});
      return;
  }
}

}  // namespace
}  // namespace encodings_scalar

void add_scalar_encodings(const opcode_row& row, std::vector<encoding>& to) {
  using namespace encodings_scalar;
  switch (row.native) {
    case format::sopk:
      return add_sopk(row, to);
    case format::sopp:
      return add_sopp(row, to);
    default:
      return add_alu(row, to);
  }
}

}  // namespace pws::isa::test
