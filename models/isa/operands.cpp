// SPDX-License-Identifier: Apache-2.0
#include "models/isa/operands.h"

#include <algorithm>
#include <optional>

#include "models/isa/predicates.h"

namespace pws::isa {

operand scalar_run(unsigned first, unsigned dwords) {
  operand o;
  o.kind = operand_kind::scalar;
  o.index = static_cast<uint16_t>(first);
  o.dwords = static_cast<uint8_t>(dwords);
  return o;
}

namespace {

operand special(operand_kind kind) {
  operand o;
  o.kind = kind;
  o.dwords = 1;
  return o;
}

bool follows_exec(const inst& i) {
  return i.native >= format::vop1 && (i.row->flags & ignores_exec) == 0;
}

// Bits of STATUS that are made of other registers.
constexpr uint32_t status_scc = 1u << 0, status_execz = 1u << 9, status_vccz = 1u << 10;

// Those that an s_getreg names.
uint32_t status_bits(const inst& i) {
  if (i.row->means.does != operation::get_hardware_register) return 0;
  const hardware_register_field f(static_cast<uint32_t>(i.simm));
  return f.id == hw_status ? f.mask() : 0;
}

// SOPK's immediate where it is an operand; elsewhere it names a hardware register or a place.
std::optional<operand> immediate_of(const inst& i) {
  if (i.native != format::sopk) return std::nullopt;
  switch (i.row->means.does) {
    case operation::move:
    case operation::conditional_move:
    case operation::compare:
    case operation::add:
    case operation::multiply:
      break;
    default:
      return std::nullopt;
  }
  operand o = special(operand_kind::constant);
  o.value = i.row->means.of == data_type::u32 ? static_cast<uint16_t>(i.simm) : static_cast<uint32_t>(i.simm);
  return o;
}

class list_of {
 public:
  explicit list_of(const inst& i) : i_(i), flags_(i.row->flags) {}
  operand_list make() {
    fields();
    destination();
    implicit_sources();
    results();
    mode();
    return list_;
  }

 private:
  bool has(uint32_t flag) const { return (flags_ & flag) != 0; }
  void add(const operand& from, operand_role role, type of = type::none) {
    list_.sources.add({from, role, of, {}, false, -1});
  }

  void fields() {
    for (unsigned n = 0; n < i_.n_src; ++n) {
      const bool mask = i_.native >= format::vop1 && has(reads_vcc) && n + 1u == i_.n_src;
      const type of = mask ? type::b64 : n < 3 ? i_.row->src[n] : type::none;
      const bool of_other_lanes = n == 0 && i_.variant == encoding_variant::dpp;
      list_.sources.add({i_.src[n], mask ? operand_role::flag : operand_role::value, of,
                         mask ? register_part{} : source_part(i_, n), of_other_lanes, static_cast<int8_t>(n)});
    }
  }
  void destination() {
    const bool one_lane = i_.row->means.does == operation::write_lane;
    const bool part = i_.variant == encoding_variant::sdwa && i_.sdwa.dst_unused == uint8_t(other_bits::kept);
    const auto immediate = immediate_of(i_);
    const bool old_first = i_.row->means.does != operation::conditional_move;
    if (immediate && !old_first) add(*immediate, operand_role::value, type::b32);
    if (has(reads_dst) && !one_lane)
      add(i_.dst, operand_role::old, i_.row->dst);
    else if (has(reads_dst) || part)
      add(i_.dst, operand_role::kept, i_.row->dst);
    if (immediate && old_first) add(*immediate, operand_role::value, type::b32);
  }
  void implicit_sources() {
    if (has(implicit_vcc)) add(scalar_run(vcc_lo, 2), operand_role::flag, type::b64);
    if (has(row_flag::reads_m0) || i_.lds_bit) add(scalar_run(m0, 1), operand_role::selector);
    if (i_.row->means.saves_exec)
      add(scalar_run(exec_lo, 2), operand_role::value, type::b64);
    else if (has(row_flag::reads_exec) || follows_exec(i_))
      add(scalar_run(exec_lo, 2), operand_role::lanes);
    if (has(row_flag::reads_scc)) add(special(operand_kind::scc), operand_role::flag);
    const uint32_t status = status_bits(i_);
    if ((status & status_scc) != 0) add(special(operand_kind::scc), operand_role::value);
    if ((status & status_execz) != 0) add(special(operand_kind::execz), operand_role::value);
    if ((status & status_vccz) != 0) add(special(operand_kind::vccz), operand_role::value);
  }
  void results() {
    const bool compares = i_.native == format::vopc;
    const operand_role role = compares                   ? operand_role::flag
                              : i_.row->means.saves_exec ? operand_role::saved
                                                         : operand_role::value;
    if (i_.dst.kind != operand_kind::none) list_.results.add({i_.dst, role, result_part(i_), rest_of_result(i_)});
    if (i_.sdst.kind != operand_kind::none) add_result(i_.sdst, operand_role::flag);
    if (has(row_flag::writes_exec))
      add_result(scalar_run(exec_lo, 2), compares ? operand_role::flag : operand_role::value);
    if (has(row_flag::writes_m0)) add_result(scalar_run(m0, 1), operand_role::value);
    if (has(row_flag::writes_scc)) add_result(special(operand_kind::scc), operand_role::flag);
  }
  void mode() {
    const operation does = i_.row->means.does;
    const auto has_type = [&](auto is) {
      return is(i_.row->dst) || std::any_of(std::begin(i_.row->src), std::end(i_.row->src), is);
    };
    const bool single = i_.row->means.of == data_type::f32 || has_type([](type t) { return t == type::f32; });
    const bool other = has_type([](type t) { return t == type::f64 || t == type::f16; });
    const bool vector = i_.native >= format::vop1 && i_.native <= format::vopc;
    if (single) list_.mode_read |= mode_of_f32;
    if (other) list_.mode_read |= mode_of_f64_and_f16;
    if (vector && (single || other)) list_.mode_read |= mode_dx10_clamp | mode_ieee;
    if (vector) list_.mode_read |= mode_indexing;
    if (does == operation::fork || does == operation::join) list_.mode_read |= list_.mode_written |= mode_branch_stack;
    // s_set_gpr_idx_idx and s_set_gpr_idx_mode leave it as it is: code has them where it is on.
    if (does == operation::set_vector_register_indexing) list_.mode_read |= list_.mode_written |= mode_indexing;
    const hardware_register_field f(static_cast<uint32_t>(i_.simm));
    if (f.id == hw_mode && does == operation::get_hardware_register) list_.mode_read |= f.mask();
    if (f.id == hw_mode && does == operation::set_hardware_register) list_.mode_written |= f.mask();
  }
  void add_result(const operand& to, operand_role role) { list_.results.add({to, role, {}, other_bits::zero}); }

  const inst& i_;
  const uint32_t flags_;
  operand_list list_;
};

bool is_made_of(const input_operand& s) {
  return s.role == operand_role::value || s.role == operand_role::old;
}

}  // namespace

operand_list operands_of(const inst& i) {
  return list_of(i).make();
}

const input_operand& operand_list::value(unsigned n) const {
  static const input_operand none;
  for (const input_operand& s : sources)
    if (is_made_of(s) && n-- == 0) return s;
  return none;
}

unsigned operand_list::values() const {
  unsigned n = 0;
  for (const input_operand& s : sources) n += is_made_of(s) ? 1 : 0;
  return n;
}

const input_operand* operand_list::flag() const {
  for (const input_operand& s : sources)
    if (s.role == operand_role::flag) return &s;
  return nullptr;
}

// ---- for the machine

namespace {

void add_run(inst::run* runs, uint8_t& n, const operand& o) {
  if (o.kind != operand_kind::scalar && o.kind != operand_kind::vgpr) return;
  const inst::run r{o.index, o.dwords, o.kind == operand_kind::vgpr};
  for (unsigned k = 0; k < n; ++k)
    if (runs[k].first == r.first && runs[k].count == r.count && runs[k].is_vgpr == r.is_vgpr) return;
  runs[n++] = r;
}

uint16_t end_of_vgprs(const inst::run* runs, unsigned n) {
  unsigned end = 0;
  for (unsigned k = 0; k < n; ++k)
    if (runs[k].is_vgpr) end = std::max(end, unsigned{runs[k].first} + runs[k].count);
  return static_cast<uint16_t>(end);
}

}  // namespace

void note_operands(inst& i) {
  const operand_list list = operands_of(i);
  i.n_reads = i.n_writes = 0;
  for (const input_operand& s : list.sources) {
    const operand_kind kind = s.from.kind;
    const bool exec = kind == operand_kind::execz || touches_exec(s.from);
    const bool zero = kind == operand_kind::execz || kind == operand_kind::vccz;
    if (s.field >= 0 && (exec || zero || kind == operand_kind::scc)) i.special_src = true;
    if (exec) i.reads_exec = true;
    if (kind == operand_kind::scc) i.reads_scc = true;
    add_run(i.reads, i.n_reads, zero ? scalar_run(exec ? exec_lo : vcc_lo, 2) : s.from);
  }
  for (const output_operand& r : list.results) {
    if (touches_exec(r.to)) i.writes_exec = true;
    if (r.to.kind == operand_kind::scc) i.writes_scc = true;
    add_run(i.writes, i.n_writes, r.to);
  }
  i.relative_index = (i.row->flags & row_flag::relative_index) != 0;
  i.vgpr_end = std::max(end_of_vgprs(i.reads, i.n_reads), end_of_vgprs(i.writes, i.n_writes));
  if (i.native != format::mimg) return;
  // The address has one register at least; the executor, which sees the resource, looks after the others.
  i.vgpr_end = static_cast<uint16_t>(i.src[0].index + 1u);
  for (const operand* o : {&i.src[1], &i.dst})
    if (o->kind == operand_kind::vgpr) i.vgpr_end = std::max(i.vgpr_end, static_cast<uint16_t>(o->index + o->dwords));
}

// ---- registers by M0

index_by_m0 indexed_by_m0(const inst& i, uint32_t mode, uint32_t m0) {
  constexpr uint8_t destination = 8;
  const bool vector = i.native >= format::vop1 && i.native <= format::vopc;
  if (vector && (mode & mode_indexing) != 0) return {static_cast<uint8_t>(m0 >> 12), m0 & 0xff, 0xf0ff};
  const int64_t by = vector ? int64_t{m0} : int64_t{static_cast<int32_t>(m0)};
  switch (i.row->means.does) {
    case operation::move_relative_source:
      return {1, by, ~uint32_t{0}};
    case operation::move_relative_destination:
      return {destination, by, ~uint32_t{0}};
    case operation::move_relative_both:
      return {1 | destination, by, ~uint32_t{0}};
    default:
      return {};
  }
}

inst in_place(const inst& i, const index_by_m0& index) {
  inst moved = i;
  for (unsigned n = 0; n < 4; ++n) {
    operand& o = n < 3 ? moved.src[n] : moved.dst;
    // VGPR indexing moves no scalar registers.
    const bool there = o.kind == operand_kind::vgpr || (o.kind == operand_kind::scalar && is_scalar(i));
    if (!there || (index.operands >> n & 1) == 0) continue;
    const int64_t to = o.index + index.by;
    o.index = to < 0 || to > no_register ? no_register : static_cast<uint16_t>(to);
    if (o.kind == operand_kind::vgpr) moved.vgpr_end = std::max<uint16_t>(moved.vgpr_end, o.index + o.dwords);
  }
  return moved;
}

bool differs_by_lane(const inst& i) {
  const operation does = i.row->means.does;
  return (i.row->flags & (reads_vcc | implicit_vcc)) != 0 || i.variant == encoding_variant::dpp ||
         does == operation::count_lanes_below || does == operation::write_lane;
}

}  // namespace pws::isa
