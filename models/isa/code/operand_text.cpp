// SPDX-License-Identifier: Apache-2.0
#include "models/isa/code/operand_text.h"

#include <fmt/format.h>

#include <array>

#include "models/isa/code/source_field.h"
#include "models/isa/hardware_register.h"

namespace pws::isa {

namespace {

constexpr const char* float_texts[] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

// 1/(2 pi) is printed with the digits that its format needs.
const char* float_text(unsigned encoded, bool wide) {
  if (encoded == field::inv_2pi) return wide ? "0.15915494309189532" : "0.15915494";
  return float_texts[encoded - field::half];
}

bool is_small_int(int64_t v) {
  return v >= -16 && v <= 64;
}

std::string run_text(const char* prefix, unsigned first, unsigned dwords) {
  if (dwords == 1) return fmt::format("{}{}", prefix, first);
  return fmt::format("{}[{}:{}]", prefix, first, first + dwords - 1);
}

bool is_integer_16(type t) {
  return t == type::b16 || t == type::u16 || t == type::i16;
}

// The float constant whose bits, as type `t` has them, are `v`; nullptr if none.
const char* as_float(uint64_t v, type t) {
  for (unsigned e = field::half; e <= field::inv_2pi; ++e)
    if (inline_constant(e, t) == v) return float_text(e, dwords_of(t) == 2);
  return nullptr;
}

}  // namespace

std::string scalar_text(unsigned encoded, unsigned dwords) {
  if (encoded < field::sgpr_end) return run_text("s", encoded, dwords);
  if (encoded >= field::ttmp && encoded < field::ttmp_end) return run_text("ttmp", encoded - field::ttmp, dwords);
  if (encoded == field::m0) return "m0";
  const char* name = encoded >= field::exec         ? "exec"
                     : encoded >= field::tma        ? "tma"
                     : encoded >= field::tba        ? "tba"
                     : encoded >= field::vcc        ? "vcc"
                     : encoded >= field::xnack_mask ? "xnack_mask"
                                                    : "flat_scratch";
  if (dwords == 2) return name;
  return fmt::format("{}_{}", name, encoded % 2 == 0 ? "lo" : "hi");
}

std::string vgpr_text(unsigned row, unsigned dwords) {
  return run_text("v", row, dwords);
}

std::string literal_text(uint32_t literal, type t) {
  if (dwords_of(t) == 2) return literal <= 64 ? fmt::format("{}", literal) : fmt::format("{:#x}", literal);
  if (t == type::f16 || is_integer_16(t)) {
    const auto low = static_cast<uint16_t>(literal);
    if (is_small_int(static_cast<int16_t>(low))) return fmt::format("{}", static_cast<int16_t>(low));
    const char* text = t == type::f16 ? as_float(low, t) : nullptr;
    return text != nullptr ? text : fmt::format("{:#x}", low);
  }
  if (is_small_int(static_cast<int32_t>(literal))) return fmt::format("{}", static_cast<int32_t>(literal));
  const char* text = as_float(literal, t);
  return text != nullptr ? text : fmt::format("{:#x}", literal);
}

std::string operand_text(const inst& i, const operand& o, type t) {
  switch (o.kind) {
    case operand_kind::none:
      return "off";
    case operand_kind::scalar:
      return scalar_text(o.index, o.dwords);
    case operand_kind::vgpr:
      return vgpr_text(o.index, o.dwords);
    case operand_kind::vccz:
      return "src_vccz";
    case operand_kind::execz:
      return "src_execz";
    case operand_kind::scc:
      return "src_scc";
    case operand_kind::constant:
      break;
  }
  if (o.encoded == field::literal) return literal_text(i.raw[1], t);
  if (o.encoded < field::half) return fmt::format("{}", static_cast<int64_t>(inline_constant(o.encoded, type::i64)));
  if (is_integer_16(t)) return fmt::format("{:#x}", inline_constant(o.encoded, t));
  return float_text(o.encoded, dwords_of(t) == 2);
}

std::string small_text(uint32_t v) {
  return v <= 64 ? fmt::format("{}", v) : fmt::format("{:#x}", v);
}

std::string waitcnt_text(const inst& i) {
  const waitcnt_fields w = waitcnt(i);
  constexpr unsigned vm_max = 15, exp_max = 7, lgkm_max = 15;  // "do not wait" in each field
  const bool all = w.vmcnt == vm_max && w.expcnt == exp_max && w.lgkmcnt == lgkm_max;
  std::string s;
  const auto add = [&](const char* name, unsigned v, unsigned max) {
    if (v != max || all) s += fmt::format("{}{}({})", s.empty() ? "" : " ", name, v);
  };
  add("vmcnt", w.vmcnt, vm_max);
  add("expcnt", w.expcnt, exp_max);
  add("lgkmcnt", w.lgkmcnt, lgkm_max);
  return s;
}

// GCN3 ISA, "S_SENDMSG": message [3:0], operation [6:4], stream [9:8].
std::string sendmsg_text(uint32_t message) {
  constexpr unsigned interrupt = 1, gs = 2, gs_done = 3, save_wave = 4, sysmsg = 15;
  const unsigned id = message & 0xf, op = (message >> 4) & 7, stream = (message >> 8) & 3;
  static constexpr const char* gs_ops[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
  static constexpr const char* sys_ops[] = {"", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
                                            "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};
  if (id == interrupt && op == 0 && stream == 0) return "sendmsg(MSG_INTERRUPT)";
  if (id == save_wave && op == 0 && stream == 0) return "sendmsg(MSG_SAVEWAVE)";
  if (id == sysmsg && op >= 1 && op <= 4 && stream == 0) return fmt::format("sendmsg(MSG_SYSMSG, {})", sys_ops[op]);
  // A geometry shader message names its stream unless its operation is the empty one, which only GS_DONE has.
  if ((id == gs || id == gs_done) && op >= 1 && op <= 3)
    return fmt::format("sendmsg({}, {}, {})", id == gs ? "MSG_GS" : "MSG_GS_DONE", gs_ops[op], stream);
  if (id == gs_done && op == 0 && stream == 0) return "sendmsg(MSG_GS_DONE, GS_OP_NOP)";
  // Bits outside the fields: the number tells more.
  if ((message & ~0x37fu) != 0) return fmt::format("{}", message);
  return fmt::format("sendmsg({}, {}, {})", id, op, stream);
}

std::string hwreg_text(uint32_t where) {
  static constexpr const char* names[] = {"MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC", "IB_STS"};
  const hardware_register_field f(where);
  const std::string name =
      f.id >= hw_mode && f.id <= hw_ib_sts ? fmt::format("HW_REG_{}", names[f.id - 1]) : fmt::format("{}", f.id);
  if (f.offset == 0 && f.size == 32) return fmt::format("hwreg({})", name);
  return fmt::format("hwreg({}, {}, {})", name, f.offset, f.size);
}

std::string gpr_idx_text(uint32_t mode) {
  if (mode > 0xf) return fmt::format("{:#x}", mode);
  static constexpr const char* names[] = {"SRC0", "SRC1", "SRC2", "DST"};
  std::string s;
  for (unsigned n = 0; n < 4; ++n)
    if ((mode >> n & 1) != 0) s += (s.empty() ? "" : ",") + std::string(names[n]);
  return "gpr_idx(" + s + ")";
}

namespace {

// One character per bit of the lane number: 0, 1, p (kept), i (inverted).
std::string bitmask_text(unsigned and_mask, unsigned or_mask, unsigned xor_mask) {
  const unsigned of_zero = or_mask ^ xor_mask, of_one = (and_mask | or_mask) ^ xor_mask;
  std::string s;
  for (unsigned bit = 0x10; bit != 0; bit >>= 1) {
    const bool zero = (of_zero & bit) != 0, one = (of_one & bit) != 0;
    s += zero == one ? (zero ? '1' : '0') : (zero ? 'i' : 'p');
  }
  return s;
}

constexpr bool power_of_two(unsigned v) {
  return v != 0 && (v & (v - 1)) == 0;
}

}  // namespace

std::string swizzle_text(uint32_t offset) {
  if (offset == 0) return "";
  if ((offset & 0xff00) == 0x8000)
    return fmt::format(" offset:swizzle(QUAD_PERM,{},{},{},{})", offset & 3, offset >> 2 & 3, offset >> 4 & 3,
                       offset >> 6 & 3);
  if ((offset & 0x8000) != 0) return fmt::format(" offset:{}", offset);
  const unsigned and_mask = offset & 0x1f, or_mask = offset >> 5 & 0x1f, xor_mask = offset >> 10 & 0x1f;
  if (and_mask == 0x1f && or_mask == 0) {
    if (power_of_two(xor_mask)) return fmt::format(" offset:swizzle(SWAP,{})", xor_mask);
    if (xor_mask != 0 && power_of_two(xor_mask + 1)) return fmt::format(" offset:swizzle(REVERSE,{})", xor_mask + 1);
  }
  const unsigned group = 0x20 - and_mask;
  if (group > 1 && power_of_two(group) && or_mask < group && xor_mask == 0)
    return fmt::format(" offset:swizzle(BROADCAST,{},{})", group, or_mask);
  return fmt::format(" offset:swizzle(BITMASK_PERM,\"{}\")", bitmask_text(and_mask, or_mask, xor_mask));
}

std::string dpp_control_text(unsigned ctrl) {
  if (ctrl < 0x100)
    return fmt::format("quad_perm:[{},{},{},{}]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6 & 3);
  if (ctrl < 0x130) {
    static constexpr const char* rows[] = {"row_shl", "row_shr", "row_ror"};
    return fmt::format("{}:{}", rows[(ctrl >> 4) & 3], ctrl & 0xf);
  }
  switch (ctrl) {
    case 0x130:
      return "wave_shl:1";
    case 0x134:
      return "wave_rol:1";
    case 0x138:
      return "wave_shr:1";
    case 0x13c:
      return "wave_ror:1";
    case 0x140:
      return "row_mirror";
    case 0x141:
      return "row_half_mirror";
    case 0x142:
      return "row_bcast:15";
    default:
      return "row_bcast:31";
  }
}

std::string buffer_format_text(unsigned data_format, unsigned num_format) {
  static constexpr const char* data[] = {"INVALID",     "8",        "16",          "8_8",        "32",      "16_16",
                                         "10_11_11",    "11_11_10", "10_10_10_2",  "2_10_10_10", "8_8_8_8", "32_32",
                                         "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
  static constexpr const char* numbers[] = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                            "UINT",  "SINT",  "RESERVED_6", "FLOAT"};
  constexpr unsigned default_data = 1, default_number = 0;
  std::string s;
  if (data_format != default_data) s = fmt::format("BUF_DATA_FORMAT_{}", data[data_format & 15]);
  if (num_format != default_number)
    s += fmt::format("{}BUF_NUM_FORMAT_{}", s.empty() ? "" : ",", numbers[num_format & 7]);
  return s.empty() ? "" : " format:[" + s + "]";
}

}  // namespace pws::isa
