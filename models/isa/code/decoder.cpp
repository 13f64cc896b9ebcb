// SPDX-License-Identifier: Apache-2.0
// GCN3 ISA, chapter 13 "Microcode Formats".
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/refused_names.h"
#include "models/isa/code/source_field.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"
#include "models/isa/operands.h"

namespace pws::isa {

namespace {

std::string raw_text(const uint32_t* words, unsigned n) {
  std::string s = fmt::format("0x{:08x}", words[0]);
  if (n > 1) s += fmt::format(" 0x{:08x}", words[1]);
  return s;
}

// As the first dword's encoding says, whatever the opcode: those that have a second half, a literal, or an SDWA or DPP
// dword, have two.
unsigned encoded_dwords(uint32_t w) {
  const auto is_literal = [](unsigned source) { return source == field::literal; };
  if (w >> 31 == 0) {
    const unsigned src0 = bits(w, 8, 0);
    return is_literal(src0) || src0 == field::sdwa || src0 == field::dpp ? 2 : 1;
  }
  if (w >> 30 == 2) {
    const bool sopk_or_sopp = w >> 28 == 0xb && w >> 23 != 0x17d && w >> 23 != 0x17e;
    const bool one_source = w >> 23 == 0x17d;
    return !sopk_or_sopp && (is_literal(bits(w, 7, 0)) || (!one_source && is_literal(bits(w, 15, 8)))) ? 2 : 1;
  }
  switch (w >> 26) {
    case 0x30:  // SMEM
    case 0x31:  // EXP
    case 0x34:  // VOP3
    case 0x36:  // DS
    case 0x37:  // FLAT
    case 0x38:  // MUBUF
    case 0x3a:  // MTBUF
    case 0x3c:  // MIMG
      return 2;
    default:
      return 1;
  }
}

class decoder {
 public:
  decoder(const uint32_t* words, unsigned n_words, uint64_t pc) : words_(words), n_words_(n_words) {
    i_.pc = pc;
    i_.raw[0] = words[0];
  }

  inst run() {
    dispatch();
    i_.unit = i_.row->unit;
    i_.exec = i_.row->exec;
    i_.kernel = i_.row->kernel;
    note_operands(i_);
    return i_;
  }

 private:
  void dispatch() {
    const uint32_t w = words_[0];
    if (w >> 31 == 0) return vector_32(w);
    if (w >> 30 == 2 && bits(w, 29, 28) != 3) {
      const unsigned op = bits(w, 29, 23);
      return sop2(w, op);
    }
    if (w >> 28 == 0xb) {
      switch (w >> 23) {
        case 0x17d:
          return sop1(w);
        case 0x17e:
          return sopc(w);
        case 0x17f:
          return sopp(w);
        default:
          return sopk(w);
      }
    }
    switch (w >> 26) {
      case 0x30:
        return smem(w);
      case 0x34:
        return vop3(w);
      case 0x35:
        refuse(encoding::vintrp, bits(w, 17, 16));
      case 0x36:
        return ds(w);
      case 0x37:
        return flat(w);
      case 0x38:
        return mubuf(w);
      case 0x3a:
        return mtbuf(w);
      case 0x31:
        refuse(encoding::exp, 0);
      case 0x3c:
        return mimg(w);
      default:
        illegal("no such encoding");
    }
  }

  // --- Errors
  // ---------------------------------------------------------------------------------------------------------

  [[noreturn]] void illegal(const std::string& why) const {
    const unsigned shown = std::min(n_words_, std::max(unsigned{i_.dwords}, encoded_dwords(words_[0])));
    throw program_error(fmt::format("illegal instruction {}: {}", raw_text(words_, shown), why));
  }
  [[noreturn]] void refuse(encoding where, unsigned opcode) const {
    const char* name = refused_mnemonic(where, opcode);
    if (name == nullptr) illegal(fmt::format("no such opcode ({})", opcode));
    const unsigned shown = std::min(n_words_, encoded_dwords(words_[0]));
    throw program_error(fmt::format("unimplemented {} at 0x{:x} ({})", name, i_.pc, raw_text(words_, shown)));
  }
  void refuse_if_known(encoding where, unsigned opcode) const {
    if (refused_mnemonic(where, opcode) != nullptr) refuse(where, opcode);
  }

  // --- Steps common to the formats
  // ------------------------------------------------------------------------------------

  void row(format native, unsigned opcode) {
    i_.native = native;
    i_.row = find_row(native, opcode);
    if (i_.row == nullptr) illegal(fmt::format("no such opcode ({})", opcode));
  }
  // The second dword: of a 64-bit encoding, or a literal, SDWA or DPP dword.
  uint32_t second(const char* what) {
    if (n_words_ < 2) illegal(fmt::format("truncated, {} missing", what));
    i_.dwords = 2;
    i_.raw[1] = words_[1];
    return words_[1];
  }
  bool has(uint32_t flag) const { return (i_.row->flags & flag) != 0; }

  template <class Make>
  operand checked(const char* what, Make make) const {
    try {
      return make();
    } catch (const field_error& e) {
      illegal(fmt::format("{} {}: {}", i_.row->mnemonic, what, e.what()));
    }
  }
  operand source(unsigned encoded, type t) {
    operand o = checked("source", [&] { return source_operand(encoded, t); });
    if (encoded == field::literal) {
      o.value = literal_constant(second("literal"), t);
      i_.variant = encoding_variant::literal;
    }
    return o;
  }
  operand scalar(unsigned encoded, unsigned dwords, const char* what) const {
    return checked(what, [&] { return scalar_operand(encoded, dwords); });
  }
  operand vgpr(unsigned number, unsigned dwords, const char* what) const {
    return checked(what, [&] { return vgpr_operand(number, dwords); });
  }
  void add_source(const operand& o) { i_.src[i_.n_src++] = o; }

  // --- Scalar formats
  // -------------------------------------------------------------------------------------------------

  void scalar_dst(unsigned encoded) {
    if (i_.row->dst != type::none) i_.dst = scalar(encoded, dwords_of(i_.row->dst), "destination");
  }
  void sop2(uint32_t w, unsigned op) {
    row(format::sop2, op);
    scalar_dst(bits(w, 22, 16));
    add_source(source(bits(w, 7, 0), i_.row->src[0]));
    add_source(source(bits(w, 15, 8), i_.row->src[1]));
  }
  void sop1(uint32_t w) {
    row(format::sop1, bits(w, 15, 8));
    scalar_dst(bits(w, 22, 16));
    if (i_.row->src[0] != type::none) add_source(source(bits(w, 7, 0), i_.row->src[0]));
  }
  void sopc(uint32_t w) {
    row(format::sopc, bits(w, 22, 16));
    if (i_.row->src[0] == type::none) return;  // merge: the low 16 bits mean nothing
    add_source(source(bits(w, 7, 0), i_.row->src[0]));
    // s_set_gpr_idx_on: the second source field is an immediate.
    if (i_.row->src[1] != type::none)
      add_source(source(bits(w, 15, 8), i_.row->src[1]));
    else
      i_.simm = static_cast<int32_t>(bits(w, 15, 8));
  }
  void sopk(uint32_t w) {
    row(format::sopk, bits(w, 27, 23));
    i_.simm = static_cast<int16_t>(bits(w, 15, 0));
    const unsigned reg = bits(w, 22, 16);
    scalar_dst(reg);
    // s_setreg_imm32 has its value in a second dword, compares and s_setreg read the register.
    if (has(literal_k)) {
      i_.src[0].kind = operand_kind::constant;
      i_.src[0].dwords = 1;
      i_.src[0].encoded = field::literal;
      i_.src[0].value = second("32-bit immediate");
      i_.n_src = 1;
      i_.variant = encoding_variant::literal;
    } else if (i_.row->src[0] != type::none) {
      add_source(scalar(reg, dwords_of(i_.row->src[0]), "source"));
    }
    i_.target = i_.pc + 4 + static_cast<uint64_t>(int64_t{i_.simm} * 4);
  }
  void sopp(uint32_t w) {
    row(format::sopp, bits(w, 22, 16));
    i_.simm = static_cast<int16_t>(bits(w, 15, 0));
    i_.target = i_.pc + 4 + static_cast<uint64_t>(int64_t{i_.simm} * 4);
  }

  // --- Vector ALU formats
  // ---------------------------------------------------------------------------------------------

  void vector_32(uint32_t w) {
    const unsigned top = w >> 25;
    if (top == 0x3f)
      row(format::vop1, bits(w, 16, 9));
    else if (top == 0x3e)
      row(format::vopc, bits(w, 24, 17));
    else
      row(format::vop2, bits(w, 30, 25));
    if (has(vop3_only)) illegal(fmt::format("{} has no 32-bit encoding", i_.row->mnemonic));
    const unsigned src0 = bits(w, 8, 0);
    if (src0 == field::sdwa) return sdwa(w);
    if (src0 == field::dpp) return dpp(w);
    vector_dsts(w);
    if (has(literal_k)) return fused_literal(w);
    if (i_.row->src[0] != type::none) add_source(source(src0, i_.row->src[0]));
    vector_src1(w);
    implicit_mask();
  }
  operand implicit_vcc_operand() const { return scalar_operand(field::vcc, 2); }
  void vector_dsts(uint32_t w) {
    if (i_.native == format::vopc) {
      i_.dst = implicit_vcc_operand();
      return;
    }
    if (i_.row->dst != type::none) i_.dst = vector_dst(bits(w, 24, 17));
    if (has(row_flag::writes_vcc)) i_.sdst = implicit_vcc_operand();
  }
  operand vector_dst(unsigned encoded) const {
    const unsigned dwords = dwords_of(i_.row->dst);
    return has(row_flag::scalar_dst) ? scalar(encoded, dwords, "destination") : vgpr(encoded, dwords, "destination");
  }
  void vector_src1(uint32_t w) {
    if (i_.row->src[1] != type::none) add_source(vgpr(bits(w, 16, 9), dwords_of(i_.row->src[1]), "source"));
  }
  void implicit_mask() {
    if (has(reads_vcc)) add_source(implicit_vcc_operand());
  }
  // v_madmk: D = S0 * K + S1; v_madak: D = S0 * S1 + K. The literal stands in the middle for madmk (opcodes 23, 36).
  void fused_literal(uint32_t w) {
    const operand k = source(field::literal, i_.row->src[1]);
    const operand s0 = source(bits(w, 8, 0), i_.row->src[0]);
    const operand s1 = vgpr(bits(w, 16, 9), 1, "source");
    const bool in_middle = i_.row->opcode == 23 || i_.row->opcode == 36;
    i_.src[0] = s0;
    i_.src[1] = in_middle ? k : s1;
    i_.src[2] = in_middle ? s1 : k;
    i_.n_src = 3;
  }

  void sdwa(uint32_t w) {
    if (has(no_sdwa)) illegal(fmt::format("{} has no SDWA form", i_.row->mnemonic));
    const uint32_t x = second("SDWA dword");
    i_.variant = encoding_variant::sdwa;
    vector_dsts(w);
    if (i_.row->src[0] != type::none) add_source(vgpr(bits(x, 7, 0), dwords_of(i_.row->src[0]), "source"));
    vector_src1(w);
    implicit_mask();
    i_.sdwa.dst_sel = static_cast<uint8_t>(bits(x, 10, 8));
    i_.sdwa.dst_unused = static_cast<uint8_t>(bits(x, 12, 11));
    i_.clamp = bits(x, 13, 13) != 0;
    i_.sdwa.src0_sel = static_cast<uint8_t>(bits(x, 18, 16));
    i_.sdwa.src0_sext = bits(x, 19, 19) != 0;
    i_.sdwa.src1_sel = static_cast<uint8_t>(bits(x, 26, 24));
    i_.sdwa.src1_sext = bits(x, 27, 27) != 0;
    const bool no_src1 = i_.row->src[1] == type::none;
    if (no_src1) {
      i_.sdwa.src1_sel = sdwa_fields{}.src1_sel;
      i_.sdwa.src1_sext = false;
    }
    if (i_.native == format::vopc) {
      i_.sdwa.dst_sel = sdwa_fields{}.dst_sel;
      i_.sdwa.dst_unused = sdwa_fields{}.dst_unused;
    }
    if (i_.sdwa.dst_sel == 7 || i_.sdwa.src0_sel == 7 || i_.sdwa.src1_sel == 7) illegal("SDWA select 7 is reserved");
    if (i_.sdwa.dst_unused == 3) illegal("SDWA dst_unused 3 is reserved");
    modifiers(bits(x, 20, 20) | (no_src1 ? 0 : bits(x, 28, 28) << 1),
              bits(x, 21, 21) | (no_src1 ? 0 : bits(x, 29, 29) << 1));
  }

  void dpp(uint32_t w) {
    if (has(no_dpp)) illegal(fmt::format("{} has no DPP form", i_.row->mnemonic));
    const uint32_t x = second("DPP dword");
    i_.variant = encoding_variant::dpp;
    vector_dsts(w);
    if (i_.row->src[0] != type::none) add_source(vgpr(bits(x, 7, 0), dwords_of(i_.row->src[0]), "source"));
    vector_src1(w);
    implicit_mask();
    i_.dpp.ctrl = static_cast<uint16_t>(bits(x, 16, 8));
    i_.dpp.bound_ctrl = bits(x, 19, 19) != 0;
    i_.dpp.bank_mask = static_cast<uint8_t>(bits(x, 27, 24));
    i_.dpp.row_mask = static_cast<uint8_t>(bits(x, 31, 28));
    if (!is_dpp_control(i_.dpp.ctrl)) illegal(fmt::format("DPP control 0x{:x} is reserved", i_.dpp.ctrl));
    const bool no_src1 = i_.row->src[1] == type::none;
    modifiers(bits(x, 20, 20) | (no_src1 ? 0 : bits(x, 22, 22) << 1),
              bits(x, 21, 21) | (no_src1 ? 0 : bits(x, 23, 23) << 1));
  }
  // GCN3 ISA, "DPP_CTRL": quad_perm, row_shl/shr/ror 1..15, wave_shl/rol/shr/ror 1, row_mirror, row_half_mirror,
  // row_bcast15, row_bcast31.
  static bool is_dpp_control(unsigned c) {
    if (c < 0x100) return true;
    if (c < 0x130) return (c & 0xf) != 0;
    return c == 0x130 || c == 0x134 || c == 0x138 || c == 0x13c || (c >= 0x140 && c <= 0x143);
  }
  // Sign modifiers belong to floating-point sources, SDWA's sign extension to integer ones. v_cndmask_b32's sources are
  // floats in VOP3 (sign modifiers), but integers in SDWA (sign extension) and DPP.
  void modifiers(unsigned neg, unsigned abs) {
    const bool as_integer = has(reads_vcc) && i_.variant != encoding_variant::vop3;
    for (unsigned n = 0; n < 3; ++n) {
      const bool sign = ((neg | abs) >> n & 1) != 0;
      const bool sext = n == 0 ? i_.sdwa.src0_sext : n == 1 && i_.sdwa.src1_sext;
      const bool is_fp = is_float(i_.row->src[n]) && !as_integer;
      if (sign && !is_fp) illegal(fmt::format("{}: sign modifier on integer source {}", i_.row->mnemonic, n));
      if (sext && is_fp) illegal(fmt::format("{}: sign extension of floating-point source {}", i_.row->mnemonic, n));
    }
    i_.neg = static_cast<uint8_t>(neg);
    i_.abs = static_cast<uint8_t>(abs);
  }

  void vop3_row(unsigned op) {
    if (find_row(format::vop3, op) == nullptr) refuse_if_known(encoding::vop3, op);
    row(format::vop3, op);
  }
  void vop3(uint32_t w) {
    const unsigned op = bits(w, 25, 16);
    const uint32_t x = second("second half");
    if (op < 0x100)
      row(format::vopc, op);
    else if (op < 0x140)
      row(format::vop2, op - 0x100);
    else if (op < 0x1c0)
      row(format::vop1, op - 0x140);
    else
      vop3_row(op);
    if (has(no_vop3)) illegal(fmt::format("{} has no VOP3 form", i_.row->mnemonic));
    i_.variant = encoding_variant::vop3;
    i_.clamp = bits(w, 15, 15) != 0;
    i_.omod = static_cast<uint8_t>(bits(x, 28, 27));
    const bool with_sdst = has(row_flag::writes_vcc);
    if (i_.native == format::vopc)
      i_.dst = scalar(bits(w, 7, 0), 2, "destination");
    else if (i_.row->dst != type::none)
      i_.dst = vector_dst(bits(w, 7, 0));
    if (with_sdst) i_.sdst = scalar(bits(w, 14, 8), 2, "carry");
    const unsigned fields[] = {bits(x, 8, 0), bits(x, 17, 9), bits(x, 26, 18)};
    unsigned n = 0;
    while (n < 3 && i_.row->src[n] != type::none) {
      vop3_source(fields[n], i_.row->src[n]);
      ++n;
    }
    if (has(reads_vcc)) vop3_source(fields[n], type::b64);
    if ((i_.omod != 0 && !is_float(i_.row->dst)) || (has(reads_vcc) && (i_.omod != 0 || (i_.clamp && !with_sdst))))
      illegal(fmt::format("{}: output modifier on an integer result", i_.row->mnemonic));
    const unsigned used = (1u << n) - 1;
    modifiers(bits(x, 31, 29) & used, with_sdst ? 0 : bits(w, 10, 8) & used);
  }
  void vop3_source(unsigned encoded, type t) {
    if (encoded == field::literal) illegal("VOP3 has no literal");
    add_source(source(encoded, t));
  }

  // --- Memory formats
  // -------------------------------------------------------------------------------------------------

  void used_sources() {
    for (unsigned n = 0; n < 4; ++n)
      if (i_.src[n].kind != operand_kind::none) i_.n_src = static_cast<uint8_t>(n + 1);
  }
  bool returns() const { return i_.row->dst != type::none && (!has(is_atomic) || i_.glc); }

  void smem(uint32_t w) {
    if (find_row(format::smem, bits(w, 25, 18)) == nullptr) refuse_if_known(encoding::smem, bits(w, 25, 18));
    row(format::smem, bits(w, 25, 18));
    const uint32_t x = second("second half");
    i_.glc = bits(w, 16, 16) != 0;
    if (returns()) i_.dst = scalar(bits(w, 12, 6), dwords_of(i_.row->dst), "destination");
    if (i_.row->src[1] != type::none) i_.src[1] = scalar(bits(w, 12, 6), dwords_of(i_.row->src[1]), "data");
    if (i_.row->src[0] != type::none) {
      i_.src[0] = scalar(bits(w, 5, 0) << 1, dwords_of(i_.row->src[0]), "base");
      i_.imm_offset = bits(w, 17, 17) != 0;
      if (i_.imm_offset)
        i_.offset0 = bits(x, 19, 0);
      else
        i_.src[3] = scalar(bits(x, 6, 0), 1, "offset");
    }
    used_sources();
  }

  void ds(uint32_t w) {
    row(format::ds, bits(w, 24, 17));
    const uint32_t x = second("second half");
    i_.gds = bits(w, 16, 16) != 0;
    if (has(double_access)) {
      i_.offset0 = bits(w, 7, 0);
      i_.offset1 = bits(w, 15, 8);
    } else {
      i_.offset0 = bits(w, 15, 0);
    }
    const unsigned fields[] = {bits(x, 7, 0), bits(x, 15, 8), bits(x, 23, 16)};
    for (unsigned n = 0; n < 3; ++n)
      if (i_.row->src[n] != type::none) i_.src[n] = vgpr(fields[n], dwords_of(i_.row->src[n]), "source");
    if (i_.row->dst != type::none) i_.dst = vgpr(bits(x, 31, 24), dwords_of(i_.row->dst), "destination");
    used_sources();
  }

  void flat(uint32_t w) {
    row(format::flat, bits(w, 24, 18));
    // Later generations have an offset and other address spaces there: code for them must not be misread.
    if (bits(w, 15, 0) != 0) illegal(fmt::format("{}: reserved bits are set", i_.row->mnemonic));
    const uint32_t x = second("second half");
    i_.glc = bits(w, 16, 16) != 0;
    i_.slc = bits(w, 17, 17) != 0;
    i_.tfe = bits(x, 23, 23) != 0;
    i_.src[0] = vgpr(bits(x, 7, 0), 2, "address");
    if (i_.row->src[1] != type::none) i_.src[1] = vgpr(bits(x, 15, 8), dwords_of(i_.row->src[1]), "data");
    if (returns()) i_.dst = vgpr(bits(x, 31, 24), dwords_of(i_.row->dst) + (i_.tfe ? 1 : 0), "destination");
    used_sources();
  }

  void mubuf(uint32_t w) {
    if (find_row(format::mubuf, bits(w, 24, 18)) == nullptr) refuse_if_known(encoding::mubuf, bits(w, 24, 18));
    row(format::mubuf, bits(w, 24, 18));
    const uint32_t x = second("second half");
    i_.lds_bit = bits(w, 16, 16) != 0;
    i_.slc = bits(w, 17, 17) != 0;
    if (i_.row->src[0] == type::none) {  // cache maintenance
      i_.glc = bits(w, 14, 14) != 0;
      return;
    }
    buffer_operands(w, x);
    const bool loads_dword = i_.row->dst != type::none && !has(is_atomic) && dwords_of(i_.row->dst) == 1;
    if (i_.lds_bit && !loads_dword) illegal(fmt::format("{}: only loads of one dword go to LDS", i_.row->mnemonic));
  }
  void mtbuf(uint32_t w) {
    if (find_row(format::mtbuf, bits(w, 18, 15)) == nullptr) refuse_if_known(encoding::mtbuf, bits(w, 18, 15));
    row(format::mtbuf, bits(w, 18, 15));
    const uint32_t x = second("second half");
    i_.slc = bits(x, 22, 22) != 0;
    buffer_operands(w, x);
  }
  void buffer_operands(uint32_t w, uint32_t x) {
    i_.offset0 = bits(w, 11, 0);
    i_.offen = bits(w, 12, 12) != 0;
    i_.idxen = bits(w, 13, 13) != 0;
    i_.glc = bits(w, 14, 14) != 0;
    i_.tfe = bits(x, 23, 23) != 0;
    const unsigned address = (i_.offen ? 1u : 0u) + (i_.idxen ? 1u : 0u);
    const unsigned vdata = bits(x, 15, 8);
    if (address != 0) i_.src[0] = vgpr(bits(x, 7, 0), address, "address");
    if (i_.row->src[1] != type::none) i_.src[1] = vgpr(vdata, dwords_of(i_.row->src[1]), "data");
    i_.src[2] = scalar(bits(x, 20, 16) << 2, 4, "resource");
    i_.src[3] = source(bits(x, 31, 24), type::b32);
    if (i_.variant == encoding_variant::literal) illegal(fmt::format("{} has no literal", i_.row->mnemonic));
    if (returns() && !i_.lds_bit) i_.dst = vgpr(vdata, dwords_of(i_.row->dst) + (i_.tfe ? 1 : 0), "destination");
    used_sources();
  }

  void mimg(uint32_t w) {
    if (find_row(format::mimg, bits(w, 24, 18)) == nullptr) refuse_if_known(encoding::mimg, bits(w, 24, 18));
    row(format::mimg, bits(w, 24, 18));
    const uint32_t x = second("second half");
    const image_fields f = image_fields_of(i_);
    i_.glc = bits(w, 13, 13) != 0;
    i_.tfe = bits(w, 16, 16) != 0;
    i_.slc = bits(w, 25, 25) != 0;
    if (f.dmask == 0) illegal(fmt::format("{}: dmask names no component", i_.row->mnemonic));
    const auto components = static_cast<unsigned>(__builtin_popcount(f.dmask));
    const unsigned data = has(four_dsts) ? 4 : components;
    const unsigned address = bits(x, 7, 0), status = i_.tfe || f.lwe ? 1 : 0;
    constexpr unsigned vgprs = 256;
    i_.src[0] = vgpr(address, std::min(i_.row->address_registers(), vgprs - address), "address");
    if (i_.row->src[1] != type::none)
      i_.src[1] = vgpr(bits(x, 15, 8), data, "data");
    else
      i_.dst = vgpr(bits(x, 15, 8), data + status, "destination");
    i_.src[2] = scalar(bits(x, 20, 16) << 2, f.r128 ? 4 : 8, "resource");
    if (has(samples)) i_.src[3] = scalar(bits(x, 25, 21) << 2, 4, "sampler");
    used_sources();
  }

  inst i_;
  const uint32_t* words_;
  unsigned n_words_;
};

}  // namespace

inst decode_fields(const uint32_t* words, unsigned n_words, uint64_t pc) {
  if (n_words == 0) throw program_error("illegal instruction: no words to decode");
  return decoder(words, n_words, pc).run();
}

unsigned instruction_dwords(const uint32_t* words, unsigned n_words, uint64_t pc) {
  if (n_words == 0) return 0;
  try {
    return decode_fields(words, n_words, pc).dwords;
  } catch (const program_error&) {
    return std::min(n_words, encoded_dwords(words[0]));
  }
}

namespace {

// What image instructions have and this machine does not, or nullptr.
const char* missing_image_field(const inst& i) {
  if (i.native != format::mimg) return nullptr;
  const image_fields f = image_fields_of(i);
  if ((i.row->flags & four_dsts) != 0 && (f.dmask & (f.dmask - 1)) != 0) return " of several components";
  return f.lwe ? " with lwe" : f.r128 ? " with r128" : f.d16 ? " with d16" : nullptr;
}

}  // namespace

inst decode(const uint32_t* words, unsigned n_words, uint64_t pc) {
  const inst i = decode_fields(words, n_words, pc);
  const bool to_gds = i.gds && i.row->means.does != operation::grid_barrier;
  const char* missing = i.exec == nullptr ? "" : i.tfe ? " with tfe" : to_gds ? " with gds" : missing_image_field(i);
  if (missing != nullptr)
    throw program_error(
        fmt::format("unimplemented {}{} at 0x{:x} ({})", i.row->mnemonic, missing, pc, raw_text(i.raw, i.dwords)));
  return i;
}

}  // namespace pws::isa
