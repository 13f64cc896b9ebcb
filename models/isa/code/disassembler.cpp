// SPDX-License-Identifier: Apache-2.0
// Assembly text in the syntax of llvm-mc for gfx803.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/operand_text.h"
#include "models/isa/code/source_field.h"
#include "models/isa/inst.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

namespace {

// Mnemonic, operands separated by ", ", then the modifiers.
class printer {
 public:
  explicit printer(const inst& i) : i_(i), row_(*i.row) {}

  std::string text() {
    switch (i_.native) {
      case format::sop1:
      case format::sop2:
        scalar_alu();
        break;
      case format::sopc:
        sopc();
        break;
      case format::sopk:
        sopk();
        break;
      case format::sopp:
        sopp();
        break;
      case format::smem:
        smem();
        break;
      case format::ds:
        ds();
        break;
      case format::flat:
        flat();
        break;
      case format::mubuf:
      case format::mtbuf:
        mubuf();
        break;
      case format::mimg:
        mimg();
        break;
      default:
        vector();
        break;
    }
    std::string s = row_.mnemonic + suffix_;
    if (!operands_.empty()) s += " " + operands_;
    return s + modifiers_;
  }

 private:
  void add(const std::string& s) { operands_ += (operands_.empty() ? "" : ", ") + s; }
  void add(const operand& o, type t) { add(operand_text(i_, o, t)); }
  void flag(bool on, const char* name) {
    if (on) modifiers_ += std::string(" ") + name;
  }
  void offset(uint32_t v) {
    if (v != 0) modifiers_ += fmt::format(" offset:{}", v);
  }
  bool has(uint32_t f) const { return (row_.flags & f) != 0; }
  uint32_t simm16() const { return static_cast<uint16_t>(i_.simm); }

  // --- Scalar
  // ---------------------------------------------------------------------------------------------------------

  void scalar_alu() {
    if (i_.dst.kind != operand_kind::none) add(i_.dst, row_.dst);
    for (unsigned n = 0; n < i_.n_src; ++n) add(i_.src[n], row_.src[n]);
  }
  void sopc() {
    scalar_alu();
    if (row_.src[0] != type::none && row_.src[1] == type::none) add(gpr_idx_text(static_cast<uint32_t>(i_.simm)));
  }
  void sopk() {
    constexpr unsigned cbranch_i_fork = 16, getreg = 17, setreg = 18, setreg_imm32 = 20;
    switch (row_.opcode) {
      case getreg:
        add(i_.dst, row_.dst);
        add(hwreg_text(simm16()));
        break;
      case setreg:
      case setreg_imm32:
        add(hwreg_text(simm16()));
        add(i_.src[0], row_.src[0]);
        break;
      case cbranch_i_fork:
        add(i_.src[0], row_.src[0]);
        add(fmt::format("{}", simm16()));
        break;
      default:
        scalar_alu();
        add(fmt::format("{:#x}", simm16()));
        break;
    }
  }
  void sopp() {
    constexpr unsigned endpgm = 1, wakeup = 3, barrier = 10, sendmsg = 16, sendmsghalt = 17, icache_inv = 19,
                       ttracedata = 22, cdbg_first = 23, cdbg_last = 26, endpgm_saved = 27, idx_off = 28, idx_mode = 29;
    const bool branch = row_.unit == unit::branch || (row_.opcode >= cdbg_first && row_.opcode <= cdbg_last);
    switch (row_.opcode) {
      case endpgm:
        if (simm16() != 0) add(fmt::format("{}", simm16()));
        break;
      case wakeup:
      case barrier:
      case icache_inv:
      case ttracedata:
      case endpgm_saved:
      case idx_off:
        break;
      case sendmsg:
      case sendmsghalt:
        add(sendmsg_text(simm16()));
        break;
      case idx_mode:
        add(gpr_idx_text(simm16()));
        break;
      default:
        if (row_.unit == unit::waitcnt)
          add(waitcnt_text(i_));
        else
          add(branch ? fmt::format("{}", simm16()) : small_text(simm16()));
        break;
    }
  }

  // --- Vector ALU
  // -----------------------------------------------------------------------------------------------------

  void vector() {
    const bool bare = row_.dst == type::none && row_.src[0] == type::none;
    const bool has_suffix = i_.native != format::vop3 && !bare && !has(literal_k) && !has(scalar_dst);
    const bool sdwa = i_.variant == encoding_variant::sdwa, dpp = i_.variant == encoding_variant::dpp;
    if (sdwa) {
      if (i_.native != format::vopc) suffix_ = "_sdwa";
    } else if (dpp) {
      suffix_ = "_dpp";
    } else if (has_suffix) {
      suffix_ = i_.variant == encoding_variant::vop3 ? "_e64" : "_e32";
    }
    if (i_.dst.kind != operand_kind::none) add(i_.dst, row_.dst);
    if (i_.sdst.kind != operand_kind::none) add(i_.sdst, type::b64);
    for (unsigned n = 0; n < i_.n_src; ++n) vector_source(n);
    if (i_.variant == encoding_variant::vop3 || sdwa) flag(i_.clamp, "clamp");
    static constexpr const char* omod[] = {"", " mul:2", " mul:4", " div:2"};
    modifiers_ += omod[i_.omod & 3];
    if (sdwa) sdwa_selects();
    if (dpp) dpp_controls();
  }
  void vector_source(unsigned n) {
    const type t = source_type(n);
    const operand& o = i_.src[n];
    std::string s = has(literal_k) && is_fused_literal(n) ? fmt::format("{:#x}", i_.raw[1]) : operand_text(i_, o, t);
    const bool neg = (i_.neg >> n & 1) != 0, abs = (i_.abs >> n & 1) != 0;
    const bool sext = n == 0 ? i_.sdwa.src0_sext : n == 1 && i_.sdwa.src1_sext;
    if (abs) s = "|" + s + "|";
    // "-1" would be another constant than the negated 1.
    if (neg) s = o.kind == operand_kind::constant && !abs ? "neg(" + s + ")" : "-" + s;
    if (sext) s = "sext(" + s + ")";
    add(s);
  }
  // The lane mask after a row's own sources has no type there. The integer beside a half (v_ldexp_f16, v_cmp_class_f16)
  // is a 32-bit operand to LLVM.
  type source_type(unsigned n) const {
    if (n >= 3 || row_.src[n] == type::none) return type::b64;
    return n == 1 && row_.src[0] == type::f16 && !is_float(row_.src[1]) ? type::b32 : row_.src[n];
  }
  // v_madmk and v_madak: the source that is the literal by form, not by a source field.
  bool is_fused_literal(unsigned n) const {
    const bool in_middle = row_.opcode == 23 || row_.opcode == 36;
    return n == (in_middle ? 1u : 2u);
  }
  void sdwa_selects() {
    static constexpr const char* selects[] = {"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"};
    static constexpr const char* unused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    if (i_.native != format::vopc)
      modifiers_ += fmt::format(" dst_sel:{} dst_unused:{}", selects[i_.sdwa.dst_sel], unused[i_.sdwa.dst_unused]);
    if (row_.src[0] != type::none) modifiers_ += fmt::format(" src0_sel:{}", selects[i_.sdwa.src0_sel]);
    if (row_.src[1] != type::none) modifiers_ += fmt::format(" src1_sel:{}", selects[i_.sdwa.src1_sel]);
  }
  void dpp_controls() {
    modifiers_ += fmt::format(" {} row_mask:{:#x} bank_mask:{:#x}", dpp_control_text(i_.dpp.ctrl), i_.dpp.row_mask,
                              i_.dpp.bank_mask);
    flag(i_.dpp.bound_ctrl, "bound_ctrl:1");
  }

  // --- Memory
  // ---------------------------------------------------------------------------------------------------------

  // The registers without the one that tfe adds.
  void data(const operand& o, type t) {
    if (o.kind != operand_kind::none) add(vgpr_text(o.index, dwords_of(t)));
  }
  void smem() {
    if (i_.dst.kind != operand_kind::none) add(i_.dst, row_.dst);
    if (i_.src[1].kind != operand_kind::none) add(i_.src[1], row_.src[1]);
    if (i_.src[0].kind == operand_kind::none) return;
    add(i_.src[0], row_.src[0]);
    add(i_.imm_offset ? fmt::format("{:#x}", i_.offset0) : scalar_text(i_.src[3].index, 1));
    flag(i_.glc, "glc");
  }
  void ds() {
    constexpr unsigned swizzle = 61;
    if (i_.dst.kind != operand_kind::none) add(i_.dst, row_.dst);
    for (unsigned n = 0; n < 3; ++n)
      if (i_.src[n].kind != operand_kind::none) add(i_.src[n], row_.src[n]);
    if (has(double_access)) {
      if (i_.offset0 != 0) modifiers_ += fmt::format(" offset0:{}", i_.offset0);
      if (i_.offset1 != 0) modifiers_ += fmt::format(" offset1:{}", i_.offset1);
    } else if (row_.opcode == swizzle) {
      modifiers_ += swizzle_text(i_.offset0);
    } else {
      offset(i_.offset0);
    }
    flag(i_.gds, "gds");
  }
  void flat() {
    data(i_.dst, row_.dst);
    add(i_.src[0], type::b64);
    data(i_.src[1], row_.src[1]);
    flag(i_.glc, "glc");
    flag(i_.slc, "slc");
  }
  void mubuf() {
    if (row_.src[0] == type::none) return;
    // An atomic names its data once; what it returns comes back in the same registers.
    if (i_.src[1].kind != operand_kind::none)
      data(i_.src[1], row_.src[1]);
    else
      data(i_.dst, row_.dst);
    add(i_.src[0], type::b32);
    add(i_.src[2], type::b128);
    add(i_.src[3], type::b32);
    if (i_.native == format::mtbuf) modifiers_ += buffer_format_text(i_.raw[0] >> 19 & 0xf, i_.raw[0] >> 23 & 7);
    flag(i_.idxen, "idxen");
    flag(i_.offen, "offen");
    offset(i_.offset0);
    flag(i_.glc, "glc");
    flag(i_.slc, "slc");
    flag(i_.tfe && !i_.lds_bit && !has(is_atomic), "tfe");
    flag(i_.lds_bit, "lds");
  }

  // llvm-mc does not see the resource either: it names the fewest address registers.
  void mimg() {
    const image_fields f = image_fields_of(i_);
    const operand& o = i_.src[1].kind != operand_kind::none ? i_.src[1] : i_.dst;
    // The register that tfe adds is named, that of lwe is not.
    const unsigned data = has(four_dsts) ? 4 : static_cast<unsigned>(__builtin_popcount(f.dmask));
    add(vgpr_text(o.index, data + (i_.tfe ? 1 : 0)));
    add(vgpr_text(i_.src[0].index, std::min<unsigned>(i_.src[0].dwords, row_.src[0] == type::b512 ? 2 : 1)));
    add(scalar_text(i_.src[2].index, 8));
    if (has(samples)) add(scalar_text(i_.src[3].index, 4));
    modifiers_ += fmt::format(" dmask:{:#x}", f.dmask);
    flag(f.unnormalized, "unorm");
    flag(i_.glc, "glc");
    flag(i_.slc, "slc");
    flag(f.r128, "r128");
    flag(i_.tfe, "tfe");
    flag(f.lwe, "lwe");
    flag(f.array, "da");
    flag(f.d16, "d16");
  }

  const inst& i_;
  const opcode_row& row_;
  std::string suffix_, operands_, modifiers_;
};

}  // namespace

std::string disassemble(const inst& i) {
  return printer(i).text();
}

std::string disassemble_words(const uint32_t* words, unsigned n_words, uint64_t pc) {
  if (n_words == 0) return "";
  try {
    return disassemble(decode_fields(words, n_words, pc));
  } catch (const program_error&) {
    std::string text = fmt::format(".long 0x{:08x}", words[0]);
    if (instruction_dwords(words, n_words, pc) > 1) text += fmt::format(", 0x{:08x}", words[1]);
    return text;
  }
}

}  // namespace pws::isa
