// SPDX-License-Identifier: Apache-2.0
#include "models/check/polls/code_state.h"

#include "models/isa/integer.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"

namespace pws::check {

namespace {

using isa::inst;
using isa::operand_kind;
using isa::operation;

constexpr uint32_t is_scc = 0x10000;
constexpr uint32_t shift_to_lane = 6;  // frame registers count bytes of the whole wavefront

bool is_plain(const inst& i) {
  return isa::has_plain_operands(i) && !i.clamp && i.omod == 0 && i.neg == 0 && i.abs == 0;
}

}  // namespace

code_state::code_state(value_table& values) : values_(&values) {
  bits_[held_at(false, isa::exec_lo)] = true;
}

value_id& code_state::held(bool is_vgpr, unsigned number) {
  return is_vgpr ? vgprs_[number % vgprs_.size()] : scalars_[number % scalars_.size()];
}

value_id code_state::held_at(bool is_vgpr, unsigned number) {
  value_id& v = held(is_vgpr, number);
  if (v == 0) {
    inst::run r;
    r.first = static_cast<uint16_t>(number);
    r.count = 1;
    r.is_vgpr = is_vgpr;
    v = values_->initial(r);
  }
  return v;
}

value_id code_state::of(const isa::operand& o, unsigned dword) {
  switch (o.kind) {
    case operand_kind::constant:
      return values_->constant(static_cast<uint32_t>(o.value >> (32 * dword)));
    case operand_kind::vgpr:
      return held_at(true, o.index + dword);
    case operand_kind::scalar:
      return held_at(false, o.index + dword);
    case operand_kind::scc:
      return scc_ == 0 ? scc_ = values_->made({is_scc}, {}) : scc_;
    case operand_kind::execz:
      return values_->made({is_scc}, {held_at(false, isa::exec_lo), held_at(false, isa::exec_hi)});
    case operand_kind::vccz:
      return values_->made({is_scc}, {held_at(false, isa::vcc_lo), held_at(false, isa::vcc_lo + 1)});
    case operand_kind::none:
      break;
  }
  return values_->constant(0);
}

// All of an instruction but its registers.
code_state::how code_state::how_of(const inst& i) const {
  how h{static_cast<uint32_t>(i.row->native) << 16 | i.row->opcode, static_cast<uint32_t>(i.simm),
        uint32_t{i.neg} << 24 | uint32_t{i.abs} << 16 | uint32_t{i.omod} << 8 | (i.clamp ? 1u : 0u) |
            (i.variant == isa::encoding_variant::sdwa  ? 2u
             : i.variant == isa::encoding_variant::dpp ? 4u
                                                       : 0u),
        i.offset0, i.offset1};
  if (i.variant == isa::encoding_variant::sdwa)
    h.push_back(uint32_t{i.sdwa.dst_sel} << 24 | uint32_t{i.sdwa.dst_unused} << 20 | uint32_t{i.sdwa.src0_sel} << 12 |
                uint32_t{i.sdwa.src1_sel} << 4 | (i.sdwa.src0_sext ? 2u : 0u) | (i.sdwa.src1_sext ? 1u : 0u));
  if (i.variant == isa::encoding_variant::dpp)
    h.push_back(uint32_t{i.dpp.ctrl} << 9 | uint32_t{i.dpp.bank_mask} << 5 | uint32_t{i.dpp.row_mask} << 1 |
                (i.dpp.bound_ctrl ? 1u : 0u));
  for (const isa::operand& o : i.src) {
    h.push_back(static_cast<uint32_t>(o.kind));
    if (o.kind != operand_kind::constant) continue;
    h.push_back(static_cast<uint32_t>(o.value));
    h.push_back(static_cast<uint32_t>(o.value >> 32));
  }
  return h;
}

// A vector instruction's EXEC is no source: lanes that take the way are on.
std::vector<value_id> code_state::sources_of(const inst& i) {
  std::vector<value_id> all;
  for (unsigned k = 0; k < i.n_reads; ++k)
    for (unsigned r = i.reads[k].first; r < unsigned{i.reads[k].first} + i.reads[k].count; ++r)
      if (i.reads[k].is_vgpr || isa::is_scalar(i) || (r != isa::exec_lo && r != isa::exec_hi))
        all.push_back(held_at(i.reads[k].is_vgpr, r));
  if (i.variant == isa::encoding_variant::sdwa || i.variant == isa::encoding_variant::dpp) all.push_back(of(i.dst, 0));
  if (i.reads_scc) {
    isa::operand scc;
    scc.kind = operand_kind::scc;
    all.push_back(of(scc, 0));
  }
  return all;
}

void code_state::write(const inst& i, const how& h, const std::vector<value_id>& of, bool of_frame) {
  how with_number = h;
  with_number.push_back(0);
  for (unsigned k = 0; k < i.n_writes; ++k)
    for (unsigned r = 0; r < i.writes[k].count; ++r) {
      held(i.writes[k].is_vgpr, i.writes[k].first + r) = values_->made(with_number, of, of_frame);
      ++with_number.back();
    }
  with_number.back() = is_scc;
  if (i.writes_scc) scc_ = values_->made(with_number, of);
}

void code_state::pass(const inst& i) {
  const operation o = isa::operation_of(i);
  if (o == operation::load)
    load(i);
  else if (o == operation::store)
    store(i);
  else
    compute(i);
}

void code_state::pass_loaded(const inst& load) {
  for (unsigned k = 0; k < load.n_writes; ++k)
    for (unsigned r = 0; r < load.writes[k].count; ++r)
      held(load.writes[k].is_vgpr, load.writes[k].first + r) = values_->loaded();
}

namespace {

// A value of the table, for isa::logic.
struct bits {
  value_table* in;
  value_id id;
  bits operator&(const bits& o) const { return {in, in->both(id, o.id)}; }
  bits operator|(const bits& o) const { return {in, in->either(id, o.id)}; }
  bits operator^(const bits& o) const { return {in, in->differ(id, o.id)}; }
  bits operator~() const { return {in, in->inverted(id)}; }
};

}  // namespace

// What is computed bit by bit.
bool code_state::compute_mask(const inst& i) {
  const operation o = isa::operation_of(i);
  if (!isa::is_scalar(i) || !isa::is_logic(o)) return false;
  const bool saves = isa::is_saveexec(i);
  const isa::operand_list list = isa::operands_of(i);
  std::vector<value_id> results, saved;
  for (unsigned k = 0; k < i.dst.dwords; ++k) {
    const value_id a = of(list.value(0).from, k), b = of(list.value(1).from, k);
    saved.push_back(b);
    results.push_back(isa::logic<bits>(o, {values_, a}, {values_, b}).id);
  }
  write(i, how_of(i), sources_of(i));
  for (unsigned k = 0; k < results.size(); ++k) {
    held(false, i.dst.index + k) = saves ? saved[k] : results[k];
    if (saves) held(false, isa::exec_lo + k) = results[k];
  }
  return true;
}

void code_state::compute(const inst& i) {
  if (compute_mask(i)) return;
  const isa::meaning& m = i.row->means;
  const isa::operand_list list = isa::operands_of(i);
  const value_id a = of(list.value(0).from, 0), b = of(list.value(1).from, 0);
  const bool to_one = i.dst.kind == operand_kind::vgpr || i.dst.kind == operand_kind::scalar;
  std::vector<value_id> results;  // of the destination's dwords, where more is known than that they are made
  value_id carry = 0;
  switch (is_plain(i) && to_one ? m.does : operation::other) {
    case operation::move:
      for (unsigned k = 0; k < i.dst.dwords; ++k) results.push_back(of(list.value(0).from, k));
      break;
    case operation::add:
    case operation::add_carry:
    case operation::subtract:
    case operation::subtract_borrow: {
      if (m.of != isa::data_type::u32 && m.of != isa::data_type::i32) break;
      const auto x = values_->known(m.reversed ? b : a), y = values_->known(m.reversed ? a : b);
      const auto c = !isa::carries_in(m.does) ? std::optional(0u)
                     : isa::is_scalar(i)      ? values_->known(scc_)
                                              : std::nullopt;
      if (x && y && c) {
        results.push_back(values_->constant(isa::arithmetic<uint32_t>(m.does, *x, *y, *c)));
        if (m.of == isa::data_type::u32)
          carry = values_->constant(isa::carry_out<uint32_t>(m.does, *x, *y, *c) ? 1 : 0);
      } else if (m.does == operation::add && (x || y)) {
        results.push_back(x ? values_->sum(b, *x) : values_->sum(a, *y));
      }
      break;
    }
    case operation::read_lane:
      if (const auto lane = values_->known(b)) results.push_back(values_->lane(a, *lane & 63));
      break;
    case operation::write_lane:
      if (const auto lane = values_->known(b)) results.push_back(values_->with_lane(of(i.dst, 0), *lane & 63, a));
      break;
    case operation::get_pc:
    case operation::call: {
      const uint64_t next = i.pc + i.bytes();
      results = {values_->constant(static_cast<uint32_t>(next)), values_->constant(static_cast<uint32_t>(next >> 32))};
      break;
    }
    default:
      break;
  }
  const bool of_frame = isa::operation_of(i) == operation::shift_right && values_->known(a) == shift_to_lane &&
                        i.src[1].kind == operand_kind::scalar;
  write(i, how_of(i), sources_of(i), of_frame);
  if (carry != 0 && i.writes_scc) scc_ = carry;
  for (unsigned k = 0; k < results.size(); ++k) held(i.dst.kind == operand_kind::vgpr, i.dst.index + k) = results[k];
}

// ---- branches

std::optional<bool> code_state::bit_of(value_id mask) const {
  using kind = value_table::kind;
  if (const auto known = bits_.find(mask); known != bits_.end()) return known->second;
  const value_table::node& n = (*values_)[mask];
  if (n.is == kind::constant)
    return n.a == 0 ? std::optional(false) : n.a == ~uint32_t{0} ? std::optional(true) : std::nullopt;
  if (n.is != kind::both && n.is != kind::either && n.is != kind::differ) return std::nullopt;
  const auto a = bit_of(n.a), b = bit_of(n.b);
  if (n.is == kind::both && (a == false || b == false)) return false;
  if (n.is == kind::either && (a == true || b == true)) return true;
  if (!a || !b) return std::nullopt;
  return n.is == kind::both ? *a && *b : n.is == kind::either ? *a || *b : *a != *b;
}

bool code_state::assume(value_id mask, bool bit) {
  using kind = value_table::kind;
  if (const auto known = bit_of(mask)) return *known == bit;
  bits_[mask] = bit;
  const value_table::node n = (*values_)[mask];
  if (n.is != kind::both && n.is != kind::either && n.is != kind::differ) return true;
  const auto a = bit_of(n.a), b = bit_of(n.b);
  if (n.is == kind::differ) return a ? assume(n.b, *a != bit) : !b || assume(n.a, *b != bit);
  const bool forced = n.is == kind::both;  // the bit that both must have
  if (bit == forced) return assume(n.a, bit) && assume(n.b, bit);
  return a == forced ? assume(n.b, bit) : b != forced || assume(n.a, bit);
}

bool code_state::assume_branch(const inst& branch, bool taken) {
  using condition = isa::branch_condition;
  const condition c = isa::branch_condition_of(branch);
  const bool by_exec = c == condition::exec_zero || c == condition::exec_nonzero;
  if (!by_exec && c != condition::vcc_zero && c != condition::vcc_nonzero) return true;
  const unsigned first = by_exec ? isa::exec_lo : isa::vcc_lo;
  const value_id low = held_at(false, first), high = held_at(false, first + 1);
  const bool zero = taken == (c == condition::exec_zero || c == condition::vcc_zero);
  if (zero) return assume(low, false);  // of all lanes
  return values_->known(low) != 0u || values_->known(high) != 0u;
}

}  // namespace pws::check
