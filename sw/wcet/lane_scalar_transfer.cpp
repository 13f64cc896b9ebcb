// Scalar instructions: numbers that all lanes share, and masks.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "models/isa/opcode_row.h"
#include "sw/wcet/lane_transfer.h"

namespace pws::wcet {

namespace {

using number = lane_value;  // uniform
using pair64 = lane_state::pair64;

const number any_number{word_set::any()};
const number bit{word_set::range(0, 1)};

// --- Numbers ---------------------------------------------------------------------------------------

struct operands {
  number a, b, scc, old;
  int32_t simm;
};
using binary = number (*)(const operands&);

// The shift count of an instruction that takes it from a register or constant.
std::optional<unsigned> count_of(const number& n, unsigned width) {
  const auto c = n.scalar();
  return c ? std::optional<unsigned>(*c & (width - 1)) : std::nullopt;
}

number field(const number& v, const number& where, bool is_signed) {
  const auto w = where.scalar();
  if (!w) return any_number;
  const unsigned first = *w & 31, size = *w >> 16 & 127;
  if (size == 0) return lane_value::constant(0);
  if (first + size > 32) return any_number;
  const number top = shifted_left(v, 32 - first - size);
  return is_signed ? shifted_right_signed(top, 32 - size) : shifted_right(top, 32 - size);
}

number immediate(const operands& o) {
  return lane_value::constant(static_cast<uint32_t>(o.simm));
}

template <lane_value (*Shift)(const lane_value&, unsigned)>
number by_count(const operands& o) {
  const auto n = count_of(o.b, 32);
  return n ? Shift(o.a, *n) : any_number;
}

number larger(const number& a, const number& b) {
  if (a.base().highest() <= b.base().lowest()) return b;
  if (b.base().highest() <= a.base().lowest()) return a;
  return join(a, b);
}

const std::unordered_map<std::string_view, binary>& words() {
  static const number ones = lane_value::constant(~uint32_t{0});
  static const std::unordered_map<std::string_view, binary> table = {
      {"s_mov_b32", [](const operands& o) { return o.a; }},
      {"s_movk_i32", immediate},
      {"s_add_u32", [](const operands& o) { return o.a + o.b; }},
      {"s_add_i32", [](const operands& o) { return o.a + o.b; }},
      {"s_addc_u32", [](const operands& o) { return o.a + o.b + o.scc; }},
      {"s_addk_i32", [](const operands& o) { return o.old + immediate(o); }},
      {"s_sub_u32", [](const operands& o) { return o.a - o.b; }},
      {"s_sub_i32", [](const operands& o) { return o.a - o.b; }},
      {"s_subb_u32", [](const operands& o) { return o.a - o.b - o.scc; }},
      {"s_mul_i32", [](const operands& o) { return o.a * o.b; }},
      {"s_mulk_i32", [](const operands& o) { return o.old * immediate(o); }},
      {"s_and_b32", [](const operands& o) { return o.a & o.b; }},
      {"s_or_b32", [](const operands& o) { return o.a | o.b; }},
      {"s_xor_b32", [](const operands& o) { return o.a ^ o.b; }},
      {"s_andn2_b32", [](const operands& o) { return o.a & (o.b ^ ones); }},
      {"s_orn2_b32", [](const operands& o) { return o.a | (o.b ^ ones); }},
      {"s_not_b32", [](const operands& o) { return o.a ^ ones; }},
      {"s_lshl_b32", by_count<shifted_left>},
      {"s_lshr_b32", by_count<shifted_right>},
      {"s_ashr_i32", by_count<shifted_right_signed>},
      {"s_bfe_u32", [](const operands& o) { return field(o.a, o.b, false); }},
      {"s_bfe_i32", [](const operands& o) { return field(o.a, o.b, true); }},
      {"s_sext_i32_i8", [](const operands& o) { return shifted_right_signed(shifted_left(o.a, 24), 24); }},
      {"s_sext_i32_i16", [](const operands& o) { return shifted_right_signed(shifted_left(o.a, 16), 16); }},
      {"s_min_u32", [](const operands& o) { return smaller(o.a, o.b); }},
      {"s_max_u32", [](const operands& o) { return larger(o.a, o.b); }},
      {"s_min_i32", [](const operands& o) { return join(o.a, o.b); }},
      {"s_max_i32", [](const operands& o) { return join(o.a, o.b); }},
      {"s_cselect_b32", [](const operands& o) { return join(o.a, o.b); }},
      {"s_cmov_b32", [](const operands& o) { return join(o.a, o.old); }},
      {"s_cmovk_i32", [](const operands& o) { return join(immediate(o), o.old); }},
  };
  return table;
}

number carry_out(std::string_view name, const operands& o) {
  if (name == "s_add_u32") return carry_of(o.a, o.b);
  if (name == "s_sub_u32") return borrow_of(o.a, o.b);
  return bit;
}

// What s_cmp_OP_TYPE and s_cmpk_OP_TYPE leave in SCC.
word_set comparison(const lane_state& s, std::string_view name, const isa::inst& i) {
  const bool immediate_operand = name.substr(0, 7) == "s_cmpk_";
  const std::string_view what = name.substr(immediate_operand ? 7 : 6);
  const std::string_view type = what.substr(what.size() < 3 ? what.size() : 3);
  if (type != "u32" && type != "i32") return word_set::range(0, 1);
  const uint32_t bits = static_cast<uint32_t>(i.simm);
  const word_set turn = word_set::constant(type == "i32" ? 1u << 31 : 0);
  const word_set a = scalar_source(s, i.src[0]);
  const word_set b =
      immediate_operand ? word_set::constant(type == "u32" ? bits & 0xffff : bits) : scalar_source(s, i.src[1]);
  const outcome o = compare(what.substr(0, 2), a + turn, b + turn);
  return o.yes && o.no ? word_set::range(0, 1) : word_set::constant(o.yes ? 1 : 0);
}

// Where a pointer to something at an unknown place is moved by a known distance.
relative_word moved(const lane_state& s, std::string_view name, const isa::inst& i) {
  if (i.src[0].kind != isa::operand_kind::scalar) return {};
  const relative_word from = s.scalar(i.src[0].index).relative;
  if (from.from == relative_word::origin::none) return {};
  if (name == "s_mov_b32") return from;
  const word_set by = scalar_source(s, i.src[1]);
  if (!by.is_constant()) return {};
  if (name == "s_add_u32" && !from.upper) return {from.from, false, from.distance + by.start};
  if (name == "s_addc_u32" && from.upper && from.distance == 0 && by.start == 0 && s.scc_carries.from == from.from)
    return {from.from, true, s.scc_carries.distance};
  return {};
}

// --- Pairs -----------------------------------------------------------------------------------------

using pairwise = pair64 (*)(const pair64&, const pair64&);

template <pair64 (*Shift)(const pair64&, unsigned)>
pair64 pair_by_count(const pair64& a, const pair64& b) {
  const auto n = count_of(b.first, 64);
  return n ? Shift(a, *n) : pair64{any_number, any_number};
}

const std::unordered_map<std::string_view, pairwise>& pairs() {
  static const number ones = lane_value::constant(~uint32_t{0});
  static const std::unordered_map<std::string_view, pairwise> table = {
      {"s_mov_b64", [](const pair64& a, const pair64&) { return a; }},
      {"s_not_b64",
       [](const pair64& a, const pair64&) {
         return pair64{a.first ^ ones, a.second ^ ones};
       }},
      {"s_and_b64",
       [](const pair64& a, const pair64& b) {
         return pair64{a.first & b.first, a.second & b.second};
       }},
      {"s_or_b64",
       [](const pair64& a, const pair64& b) {
         return pair64{a.first | b.first, a.second | b.second};
       }},
      {"s_xor_b64",
       [](const pair64& a, const pair64& b) {
         return pair64{a.first ^ b.first, a.second ^ b.second};
       }},
      {"s_andn2_b64",
       [](const pair64& a, const pair64& b) {
         return pair64{a.first & (b.first ^ ones), a.second & (b.second ^ ones)};
       }},
      {"s_cselect_b64",
       [](const pair64& a, const pair64& b) {
         return pair64{join(a.first, b.first), join(a.second, b.second)};
       }},
      {"s_lshl_b64", pair_by_count<shifted_left>},
      {"s_lshr_b64", pair_by_count<shifted_right>},
      {"s_ashr_i64", pair_by_count<shifted_right_signed>},
  };
  return table;
}

// --- Masks -----------------------------------------------------------------------------------------

template <class Op>
std::shared_ptr<const lane_value> each_bit(const lane_mask& a, const lane_mask& b, Op op) {
  if (!a.bits || !b.bits) return nullptr;
  return std::make_shared<const lane_value>(op(*a.bits, *b.bits));
}

lane_mask lanes_of_both(const lane_mask& a, const lane_mask& b) {
  return {a.within | b.within, a.within_exec || b.within_exec, a.lanes & b.lanes,
          each_bit(a, b, [](const lane_value& x, const lane_value& y) { return x & y; })};
}
lane_mask lanes_of_either(const lane_mask& a, const lane_mask& b) {
  return {a.within & b.within, a.within_exec && b.within_exec, a.lanes | b.lanes,
          each_bit(a, b, [](const lane_value& x, const lane_value& y) { return x | y; })};
}
lane_mask lanes_of_one(const lane_mask& a, const lane_mask& b) {
  return {a.within & b.within, a.within_exec && b.within_exec, a.lanes | b.lanes,
          each_bit(a, b, [](const lane_value& x, const lane_value& y) { return x ^ y; })};
}
lane_mask lanes_without(const lane_mask& a, const lane_mask& b) {
  return {a.within, a.within_exec, a.lanes,
          each_bit(a, b, [](const lane_value& x, const lane_value& y) { return x & (y ^ lane_value::constant(1)); })};
}

// Of s_OP_b64 and s_OP_saveexec_b64, whose second operand is EXEC.
lane_mask combined(std::string_view op, const lane_mask& a, const lane_mask& b, const lane_mask& unknown) {
  if (op == "and") return lanes_of_both(a, b);
  if (op == "or") return lanes_of_either(a, b);
  if (op == "xor") return lanes_of_one(a, b);
  if (op == "andn2") return lanes_without(a, b);
  if (op == "mov") return a;
  if (op == "cselect") {
    lane_mask m = lanes_of_either(a, b);
    m.bits = each_bit(a, b, [](const lane_value& x, const lane_value& y) { return join(x, y); });
    return m;
  }
  return unknown;
}

std::string_view operation(std::string_view mnemonic) {
  const size_t end = mnemonic.find('_', 2);
  return mnemonic.substr(2, end == std::string_view::npos ? end : end - 2);
}

}  // namespace

// s_xor_b64 s, exec, t where t is a mask that EXEC is within: s has the lanes of t that are not in EXEC. Its number; 0:
// it is no such instruction.
unsigned lane_transfer::save_sides(lane_state& s, size_t instruction) const {
  const auto sides = sides_of_.find(instruction);
  if (sides == sides_of_.end()) return 0;
  const isa::inst& i = graph_.code().instructions[instruction];
  const auto is_exec = [](const isa::operand& o) {
    return o.kind == isa::operand_kind::scalar && o.index == isa::exec_lo;
  };
  if (is_exec(i.src[0]) == is_exec(i.src[1])) return 0;
  const unsigned whole = source_mask(s, i.src[is_exec(i.src[0]) ? 1 : 0]).is;
  if (whole == 0 || !s.exec().within[whole]) return 0;
  s.save_sides(whole, sides->second.first, sides->second.second);
  return sides->second.second;
}

void lane_transfer::scalar_instruction(lane_state& s, size_t instruction) const {
  const isa::inst& i = graph_.code().instructions[instruction];
  const std::string_view name = i.row->mnemonic;
  const auto save = mask_saved_by_.find(instruction);
  if (save != mask_saved_by_.end()) s.save_exec(save->second);

  if (name.find("_saveexec_b64") != std::string_view::npos) {
    lane_mask before = s.exec();
    if (save != mask_saved_by_.end()) before.is = save->second;
    const lane_mask after = combined(operation(name), source_mask(s, i.src[0]), before, s.unknown_mask());
    if (i.dst.index != isa::exec_lo) s.set_mask(i.dst.index, before);
    s.set_exec(after);
    s.scc = word_set::range(0, 1);
    s.scc_carries = {};
    return;
  }

  const auto pair = pairs().find(name);
  if (pair != pairs().end()) {
    const unsigned rest = save_sides(s, instruction);
    lane_mask m = combined(operation(name), source_mask(s, i.src[0]), source_mask(s, i.src[1]), s.unknown_mask());
    if (save != mask_saved_by_.end()) m.is = save->second;
    if (rest != 0) {
      m.within.set(rest);
      m.is = rest;
    }
    if (i.dst.index == isa::exec_lo) {
      s.set_exec(m);
    } else {
      const pair64 v = pair->second(source64(s, i.src[0]), source64(s, i.src[1]));
      const bool copied = name == "s_mov_b64" && i.src[0].kind == isa::operand_kind::scalar;
      const relative_word low = copied ? s.scalar(i.src[0].index).relative : relative_word{};
      const relative_word high = copied ? s.scalar(i.src[0].index + 1u).relative : relative_word{};
      s.set_mask(i.dst.index, m, v.first.base(), v.second.base());
      if (low.from != relative_word::origin::none) {
        s.set_scalar(i.dst.index, scalar_word{v.first.base(), low});
        s.set_scalar(i.dst.index + 1u, scalar_word{v.second.base(), high});
      }
    }
    if (i.writes_scc) {
      s.scc = word_set::range(0, 1);
      s.scc_carries = {};
    }
    return;
  }

  const auto word = words().find(name);
  if (word == words().end() || i.writes_exec) {
    const word_set scc = name.substr(0, 5) == "s_cmp" ? comparison(s, name, i) : word_set::range(0, 1);
    forget_results(s, i);
    if (i.writes_scc) s.scc = scc;
    return;
  }
  const operands o{
      {scalar_source(s, i.src[0])}, {scalar_source(s, i.src[1])}, {s.scc}, {scalar_source(s, i.dst)}, i.simm};
  const relative_word to = moved(s, name, i);
  s.set_scalar(i.dst.index, scalar_word{word->second(o).base(), to});
  if (i.writes_scc) {
    s.scc = carry_out(name, o).base();
    s.scc_carries = name == "s_add_u32" ? to : relative_word{};
  }
}

}  // namespace pws::wcet
