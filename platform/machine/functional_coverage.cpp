// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/functional_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "models/isa/code/alu_words.h"
#include "models/isa/code/decode.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/source_field.h"
#include "models/isa/hardware_register.h"
#include "models/isa/operation.h"
#include "models/isa/predicates.h"
#include "models/isa/vector/lane_reach.h"
#include "platform/machine/rtl_inputs.h"

namespace pws::platform::cosim {

using isa::opcode_row;
using isa::vector_encoding;

namespace {

// ---- Names of bins, and which one of them is hit

// Encodings as bins: the row's own format without and with a literal, VOP3, SDWA, DPP.
constexpr std::array<const char*, 5> encodings{"e32", "literal", "vop3", "sdwa", "dpp"};
size_t encoding_of(const isa::inst& i) {
  switch (i.variant) {
    case isa::encoding_variant::literal:
      return 1;
    case isa::encoding_variant::vop3:
      return 2;
    case isa::encoding_variant::sdwa:
      return 3;
    case isa::encoding_variant::dpp:
      return 4;
    default:
      return i.native == isa::format::vop3 ? 2 : 0;
  }
}

constexpr std::array<const char*, 4> lane_counts{"no lane", "one lane", "some lanes", "all lanes"};
constexpr size_t all_lanes = 3;  // not to be had: an SWF is a part of a wavefront
size_t lane_count_of(uint64_t lanes) {
  if (lanes == 0) return 0;
  if ((lanes & (lanes - 1)) == 0) return 1;
  return lanes == ~uint64_t{0} ? all_lanes : 2;
}

constexpr std::array<const char*, 12> lane_masks{
    "none",    "lane 0 alone", "lane 63 alone",        "another lane alone", "all",      "all but one",
    "0 to 31", "32 to 63",     "one pass of 16 lanes", "even ones",          "odd ones", "others"};
constexpr size_t every_lane = 4;
size_t lane_mask_of(uint64_t m) {
  constexpr uint64_t even = 0x5555555555555555;
  if (m == 0) return 0;
  if (m == 1) return 1;
  if (m == uint64_t{1} << 63) return 2;
  if ((m & (m - 1)) == 0) return 3;
  if (m == ~uint64_t{0}) return every_lane;
  if ((~m & (~m - 1)) == 0) return 5;
  if (m == 0xffffffff) return 6;
  if (m == 0xffffffff00000000) return 7;
  for (unsigned pass = 0; pass < 4; ++pass)
    if (m == uint64_t{0xffff} << (16 * pass)) return 8;
  return m == even ? 9 : m == ~even ? 10 : 11;
}

constexpr std::array<const char*, 10> modifiers_of_a_row{"neg 0", "neg 1", "neg 2", "abs 0", "abs 1",
                                                         "abs 2", "clamp", "mul:2", "mul:4", "div:2"};
constexpr size_t first_abs = 3, clamp_bin = 6, first_omod = 7;

constexpr std::array<const char*, 4> roundings{"to even", "up", "down", "to zero"};
constexpr std::array<const char*, 4> denormals{"flushed", "flushed in results", "flushed in sources", "kept"};
constexpr size_t modes = roundings.size() * denormals.size();
// Single precision: round 1:0, denormals 5:4; double and half: round 3:2, denormals 7:6.
size_t mode_of(const opcode_row& row, uint32_t mode) {
  const unsigned shift = (row.flags & isa::f32_arith) != 0 ? 0 : 2;
  return denormals.size() * (mode >> shift & 3) + (mode >> (4 + shift) & 3);
}

constexpr std::array<const char*, 7> selections{"byte 0", "byte 1", "byte 2", "byte 3", "word 0", "word 1", "dword"};
constexpr std::array<const char*, 3> unused{"padded", "sign-extended", "preserved"};
// sdwa field: destination by what becomes of the rest, then sources 0 and 1, each without and with sign extension.
constexpr size_t sdwa_sources = selections.size() * unused.size(), sdwa_per_source = 2 * selections.size();

constexpr std::array<const char*, 13> dpp_controls{
    "quad_perm", "row_shl",    "row_shr",         "row_ror",      "wave_shl",     "wave_rol",          "wave_shr",
    "wave_ror",  "row_mirror", "row_half_mirror", "row_bcast:15", "row_bcast:31", "some rows or banks"};
constexpr size_t some_rows_or_banks = 12;
size_t dpp_control_of(unsigned ctrl) {
  if (ctrl < 0x100) return 0;
  if (ctrl < 0x130) return 1 + (ctrl >> 4 & 3);
  return ctrl < 0x140 ? 4 + (ctrl >> 2 & 3) : 8 + (ctrl & 3);
}

// A control of each kind, and the place of its bins in "dpp row": by row and whether the value is another row's, then
// in place, at quarter rate.
constexpr std::array<unsigned, some_rows_or_banks> dpp_examples{0xe4,  0x101, 0x111, 0x121, 0x130, 0x134,
                                                                0x138, 0x13c, 0x140, 0x141, 0x142, 0x143};
constexpr size_t rows_of_16 = 4, dpp_in_place = 2 * rows_of_16, dpp_quarter_rate = dpp_in_place + 1,
                 dpp_row_bins = dpp_quarter_rate + 1;
bool moves_into(unsigned ctrl, unsigned row, bool from_another) {
  for (unsigned l = 16 * row; l < 16 * row + 16; ++l)
    if (const int from = isa::dpp_source(ctrl, static_cast<int>(l));
        from >= 0 && (unsigned(from) / 16 != row) == from_another)
      return true;
  return false;
}

constexpr std::array<const char*, 4> register_numbers{"v0 to v31", "v32 to v63", "v64 to v127", "v128 to v255"};
size_t register_number_of(unsigned v) {
  return v < 32 ? 0 : v < 64 ? 1 : v < 128 ? 2 : 3;
}
constexpr std::array<const char*, 4> register_operands{"source 0", "source 1", "source 2", "destination"};

constexpr std::array<const char*, 5> m0_writers{"nothing in this unit", "an instruction's destination",
                                                "s_set_gpr_idx_idx", "s_set_gpr_idx_on", "s_set_gpr_idx_mode"};

// Those that the unit reads, from MODE on, of which the second, STATUS, is the model's.
constexpr std::array<const char*, 6> hardware_registers{"MODE", "STATUS", "TRAPSTS", "HW_ID", "GPR_ALLOC", "LDS_ALLOC"};
constexpr unsigned low_hardware_bits = 10;

constexpr std::array<const char*, 5> reasons{"VGPR indexing mode", "two scalar registers, the second as source 1",
                                             "two scalar registers, the second as source 2", "s_getreg of STATUS",
                                             "a row that the RTL has not"};
constexpr size_t no_such_row = 4;
// The source that is the second scalar register or pair; 0: there is none.
size_t second_scalar(const isa::inst& i) {
  std::optional<unsigned> pair;
  for (size_t k = 0; k < 3 && k < i.n_src; ++k) {
    if (i.src[k].kind != isa::operand_kind::scalar) continue;
    if (pair && *pair != i.src[k].index / 2u) return k;
    pair = i.src[k].index / 2u;
  }
  return 0;
}

constexpr std::array<const char*, 9> events{"a split creates an SWF",
                                            "a split creates none",
                                            "a merge where there is a child",
                                            "a merge where there is none",
                                            "a child comes back at its merge",
                                            "a child has ended before its merge",
                                            "a path goes on with a child's work-items",
                                            "an SWF begins",
                                            "an SWF leaves"};
constexpr std::array<const char*, 6> depths{"0", "1", "2", "3 and 4", "5 to 16", "17 and more"};
size_t depth_of(unsigned depth) {
  return depth < 3 ? depth : depth < 5 ? 3 : depth < 17 ? 4 : 5;
}
// Whether a context with that many children can be where this happens.
bool possible(divergence_event e, size_t depth) {
  switch (e) {
    case divergence_event::merges_with_child:
    case divergence_event::joined:
    case divergence_event::dropped:
    case divergence_event::taken_over:
      return depth != 0;
    case divergence_event::merges_without_one:
    case divergence_event::begins:
    case divergence_event::leaves:
      return depth == 0;
    default:
      return true;
  }
}

// ---- What the RTL does

// An RTL unit that is asked and never clocked on.
class rtl_knowledge : private rtl::vrf_port {
 public:
  rtl_knowledge() {
    rtl::spsimd_rtl::start s;
    s.pc = pc;
    s.spm = s.launched = 1;
    s.parent = 1;
    unit_->begin(0, s);
    while (unit_->busy()) unit_->clock(this);
  }
  // The model has the instruction too, and no register outside of a wavefront's.
  bool does(const uint32_t (&words)[2]) {
    const std::optional<isa::inst> i = decoded(words);
    if (!i) return false;
    const bool scalar = i->unit == isa::unit::salu || i->unit == isa::unit::branch;
    return scalar ? unit_->issue_scalar(0, words_of(*i), pc, 0).supported
                  : unit_->issue_vector(0, words_of(*i), pc, *this);
  }

 private:
  static constexpr uint64_t pc = 0x1000;
  static std::optional<isa::inst> decoded(const uint32_t (&words)[2]) {
    try {
      return isa::decode(words, 2, pc);
    } catch (const program_error&) {
      return std::nullopt;
    }
  }
  void read(unsigned, unsigned, unsigned, uint32_t* data) override {
    std::fill_n(data, 2 * rtl::spsimd_rtl::lanes, 0u);
  }
  uint32_t read_edge(unsigned, unsigned) override { return 0; }
  void write(unsigned, bool, unsigned, uint64_t, const uint32_t*) override {}

  std::unique_ptr<rtl::spsimd_rtl> unit_ = rtl::spsimd_rtl::make();
};

bool does_scalar(rtl_knowledge& rtl, const opcode_row& row, bool with_literal) {
  constexpr uint32_t sgpr = 10, label = 4, mode_register = 1 | 31 << 11;
  const bool takes_literal =
      row.src[0] != isa::type::none &&
      (row.native == isa::format::sop1 || row.native == isa::format::sop2 || row.native == isa::format::sopc);
  if (with_literal && !takes_literal) return false;
  const bool hardware_register = row.means.does == isa::operation::get_hardware_register ||
                                 row.means.does == isa::operation::set_hardware_register;
  const uint32_t words[2] = {isa::scalar_word(row, sgpr, with_literal ? isa::field::literal : sgpr, sgpr,
                                              hardware_register ? mode_register : label),
                             0x12345678};
  return rtl.does(words);
}

bool does_vector(rtl_knowledge& rtl, const opcode_row& row, vector_encoding e, const isa::vector_fields& f) {
  const std::vector<vector_encoding> there = isa::encodings_of(row);
  if (std::find(there.begin(), there.end(), e) == there.end()) return false;
  uint32_t words[2];
  isa::encode_vector(row, e, f, words);
  return rtl.does(words);
}

// In the order of `encodings`. v_madmk and v_madak have a literal in any case.
std::array<bool, encodings.size()> encodings_done(rtl_knowledge& rtl, const opcode_row& row) {
  const isa::vector_fields plain = isa::plain_fields(row);
  isa::vector_fields literal = plain;
  literal.src[0] = isa::field::literal;
  const bool always_literal = (row.flags & isa::literal_k) != 0;
  const bool may_have_one = isa::source_count(row) != 0 && !isa::wants_scalar(row, 0);
  const bool e32 = does_vector(rtl, row, vector_encoding::e32, plain);
  return {e32 && !always_literal,
          always_literal ? e32 : may_have_one && does_vector(rtl, row, vector_encoding::e32, literal),
          does_vector(rtl, row, vector_encoding::vop3, plain), does_vector(rtl, row, vector_encoding::sdwa, plain),
          does_vector(rtl, row, vector_encoding::dpp, plain)};
}

// `m`: of modifiers_of_a_row.
bool does_modifier(rtl_knowledge& rtl, const opcode_row& row, size_t m) {
  const auto source = static_cast<unsigned>(m % first_abs);
  if (m < clamp_bin && source >= isa::source_count(row)) return false;
  isa::vector_fields f = isa::plain_fields(row);
  if (m < first_abs)
    f.neg = 1u << source;
  else if (m < clamp_bin)
    f.abs = 1u << source;
  else if (m == clamp_bin)
    f.clamp = true;
  else
    f.omod = static_cast<unsigned>(m - first_omod + 1);
  return does_vector(rtl, row, vector_encoding::vop3, f);
}

}  // namespace

uint64_t cover_point::wanted() const {
  return static_cast<uint64_t>(std::count_if(bins.begin(), bins.end(), [](const auto& b) { return b.wanted; }));
}
uint64_t cover_point::covered() const {
  return static_cast<uint64_t>(
      std::count_if(bins.begin(), bins.end(), [](const auto& b) { return b.wanted && b.hits != 0; }));
}

functional_coverage::functional_coverage() {
  points_.resize(n_points);
  constexpr std::array<const char*, n_points> names{"scalar instruction",
                                                    "vector instruction",
                                                    "lanes",
                                                    "modifier",
                                                    "rounding and denormals",
                                                    "sdwa field",
                                                    "dpp control",
                                                    "dpp row",
                                                    "vector register",
                                                    "m0",
                                                    "hardware register",
                                                    "left to the model",
                                                    "lane mask",
                                                    "divergence",
                                                    "divergence mask",
                                                    "context"};
  for (size_t k = 0; k < n_points; ++k) points_[k].name = names[k];
  add_rows();
  add_fixed();
}

void functional_coverage::add_rows() {
  rtl_knowledge rtl;
  for (const opcode_row& row : isa::scalar_rows()) {
    if (row.exec == nullptr || (row.unit != isa::unit::salu && row.unit != isa::unit::branch)) continue;
    rows_[&row].instruction = next_bin(scalar_instruction);
    add(scalar_instruction, row.mnemonic, does_scalar(rtl, row, false));
    add(scalar_instruction, fmt::format("{}, literal", row.mnemonic), does_scalar(rtl, row, true));
  }
  for (const opcode_row& row : isa::vector_rows()) {
    if (row.exec == nullptr) continue;
    row_bins& bins = rows_[&row];
    bins = {next_bin(vector_instruction), next_bin(lanes), next_bin(modifier), row_bins::none};
    const std::array<bool, encodings.size()> done = encodings_done(rtl, row);
    const bool any = std::find(done.begin(), done.end(), true) != done.end();
    const bool by_lane = (row.flags & isa::ignores_exec) == 0;
    for (size_t k = 0; k < encodings.size(); ++k)
      add(vector_instruction, fmt::format("{}, {}", row.mnemonic, encodings[k]), done[k]);
    for (size_t n = 0; n < lane_counts.size(); ++n)
      add(lanes, fmt::format("{}, {}", row.mnemonic, lane_counts[n]), any && by_lane && n != all_lanes);
    for (size_t m = 0; m < modifiers_of_a_row.size(); ++m)
      add(modifier, fmt::format("{}, {}", row.mnemonic, modifiers_of_a_row[m]), does_modifier(rtl, row, m));
    if ((row.flags & (isa::f32_arith | isa::f64_arith)) == 0 || !any) continue;
    bins.mode = next_bin(float_mode);
    for (const char* r : roundings)
      for (const char* d : denormals) add(float_mode, fmt::format("{}, {}, denormals {}", row.mnemonic, r, d), true);
  }
}

void functional_coverage::add_dpp_rows() {
  for (size_t c = 0; c < dpp_examples.size(); ++c) {
    for (unsigned row = 0; row < rows_of_16; ++row)
      for (const bool another : {false, true})
        add(dpp_row, fmt::format("{}, row {} from {}", dpp_controls[c], row, another ? "another" : "itself"),
            moves_into(dpp_examples[c], row, another));
    add(dpp_row, fmt::format("{}, in place", dpp_controls[c]), true);
    add(dpp_row, fmt::format("{}, quarter rate", dpp_controls[c]), true);
  }
}

void functional_coverage::add_fixed() {
  add_dpp_rows();
  for (const char* o : register_operands)
    for (const char* n : register_numbers) add(vector_register, fmt::format("{} {}", o, n), true);
  for (const char* w : m0_writers) add(m0_handed_over, fmt::format("handed over, written by {}", w), true);
  for (size_t r = 0; r < hardware_registers.size(); ++r)
    for (const char* bits : {"bits below 10", "bits from 10 on"})
      add(hardware_register, fmt::format("{}, {}", hardware_registers[r], bits), r + 1 != isa::hw_status);
  for (size_t k = 0; k < reasons.size(); ++k) add(left_to_model, reasons[k], k != no_such_row);
  for (const char* s : selections)
    for (const char* u : unused) add(sdwa_field, fmt::format("destination {}, rest {}", s, u), true);
  for (unsigned k = 0; k < 2; ++k)
    for (const char* s : selections)
      for (const char* extension : {"", ", sign-extended"})
        add(sdwa_field, fmt::format("source {} {}{}", k, s, extension), true);
  for (const char* c : dpp_controls)
    for (const char* bound : {"", ", bound_ctrl"}) add(dpp_control, fmt::format("{}{}", c, bound), true);
  for (size_t m = 0; m < lane_masks.size(); ++m) add(lane_mask, lane_masks[m], m != every_lane);
  for (size_t e = 0; e < events.size(); ++e) {
    const auto event = static_cast<divergence_event>(e);
    for (size_t d = 0; d < depths.size(); ++d)
      add(divergence_depth, fmt::format("{}, children {}", events[e], depths[d]), possible(event, d));
    // A split of one work-item creates nothing, and no path is without work-items but one that leaves.
    for (size_t n = 0; n < lane_counts.size(); ++n) {
      const bool can = (n != 0) == (event != divergence_event::leaves) && n != all_lanes &&
                       (event != divergence_event::creates || n != 1);
      add(divergence_mask, fmt::format("{}, {}", events[e], lane_counts[n]), can);
    }
  }
  for (unsigned k = 0; k < rtl::spsimd_rtl::contexts; ++k)
    add(context, fmt::format("a scalar instruction in {}", k), true);
  for (unsigned k = 0; k < rtl::spsimd_rtl::contexts; ++k)
    add(context, fmt::format("a vector instruction in {}", k), true);
  for (const char* what :
       {"no SWF was there before", "the cycle after the last SWF left", "2 to 7 cycles after it left",
        "8 cycles or more after it left", "left with nothing under way", "left with a scalar result under way",
        "left with a vector result under way"})
    add(context, what, true);
}

// ---- Hits

void functional_coverage::scalar(const isa::inst& i, unsigned number) {
  const auto row = rows_.find(i.row);
  if (row != rows_.end() && row->second.instruction != row_bins::none)
    hit(scalar_instruction, row->second.instruction + (i.variant == isa::encoding_variant::literal ? 1 : 0));
  hit(context, number);
  if (operation_of(i) != isa::operation::get_hardware_register) return;
  const isa::hardware_register_field f(static_cast<uint32_t>(i.simm));
  if (f.id < isa::hw_mode || f.id > isa::hw_lds_alloc) return;
  constexpr uint32_t low = (1u << low_hardware_bits) - 1;
  if ((f.mask() & low) != 0) hit(hardware_register, 2 * (f.id - isa::hw_mode));
  if ((f.mask() & ~low) != 0) hit(hardware_register, 2 * (f.id - isa::hw_mode) + 1);
}

void functional_coverage::vector(const isa::inst& i, unsigned number, uint64_t active, uint32_t mode) {
  hit(lane_mask, lane_mask_of(active));
  hit(context, rtl::spsimd_rtl::contexts + number);
  if (i.variant == isa::encoding_variant::sdwa) sdwa(i);
  if (i.variant == isa::encoding_variant::dpp) {
    const size_t bound = i.dpp.bound_ctrl ? 1 : 0;
    hit(dpp_control, 2 * dpp_control_of(i.dpp.ctrl) + bound);
    if ((i.dpp.row_mask & i.dpp.bank_mask) != 15) hit(dpp_control, 2 * some_rows_or_banks + bound);
    dpp(i, active);
  }
  registers(i);
  const auto row = rows_.find(i.row);
  if (row == rows_.end()) return;
  const row_bins& bins = row->second;
  hit(vector_instruction, bins.instruction + encoding_of(i));
  hit(lanes, bins.lanes + lane_count_of(active));
  modifiers(i, bins.modifier);
  if (bins.mode != row_bins::none) hit(float_mode, bins.mode + mode_of(*i.row, mode));
}

void functional_coverage::modifiers(const isa::inst& i, uint32_t first) {
  for (unsigned k = 0; k < 3; ++k) {
    if ((i.neg >> k & 1) != 0) hit(modifier, first + k);
    if ((i.abs >> k & 1) != 0) hit(modifier, first + first_abs + k);
  }
  if (i.clamp) hit(modifier, first + clamp_bin);
  if (i.omod != 0) hit(modifier, first + first_omod + i.omod - 1);
}

void functional_coverage::sdwa(const isa::inst& i) {
  const isa::sdwa_fields& f = i.sdwa;
  if (i.native != isa::format::vopc) hit(sdwa_field, f.dst_sel * unused.size() + f.dst_unused);
  const unsigned n = isa::source_count(*i.row);
  if (n > 0) hit(sdwa_field, sdwa_sources + 2 * f.src0_sel + (f.src0_sext ? 1 : 0));
  if (n > 1) hit(sdwa_field, sdwa_sources + sdwa_per_source + 2 * f.src1_sel + (f.src1_sext ? 1 : 0));
}

void functional_coverage::dpp(const isa::inst& i, uint64_t active) {
  const size_t first = dpp_row_bins * dpp_control_of(i.dpp.ctrl);
  const isa::dpp_lanes moved = isa::lanes_of(i.dpp, active);
  unsigned reached = 0;  // by row, and whether from another one
  for (uint64_t m = moved.writes; m != 0; m &= m - 1) {
    const auto l = static_cast<unsigned>(__builtin_ctzll(m));
    if (moved.from[l] >= 0) reached |= 1u << (2 * (l / 16) + (unsigned(moved.from[l]) / 16 != l / 16 ? 1 : 0));
  }
  for (; reached != 0; reached &= reached - 1) hit(dpp_row, first + static_cast<size_t>(__builtin_ctz(reached)));
  if (moved.writes == 0) return;
  const bool vector = i.dst.kind == isa::operand_kind::vgpr && i.src[0].kind == isa::operand_kind::vgpr;
  if (vector && i.dst.index == i.src[0].index) hit(dpp_row, first + dpp_in_place);
  if (i.unit == isa::unit::valu_trans) hit(dpp_row, first + dpp_quarter_rate);
}

void functional_coverage::registers(const isa::inst& i) {
  for (size_t k = 0; k < register_operands.size(); ++k) {
    const isa::operand& o = k < 3 ? i.src[k] : i.dst;
    if (o.kind != isa::operand_kind::vgpr || (k < 3 && k >= i.n_src)) continue;
    hit(vector_register, k * register_numbers.size() + register_number_of(o.index));
  }
}

void functional_coverage::hands_over_m0(m0_writer by) {
  hit(m0_handed_over, static_cast<size_t>(by));
}

void functional_coverage::left_to_the_model(const isa::inst& i, uint32_t mode) {
  const bool vector = i.native >= isa::format::vop1 && i.native <= isa::format::vopc;
  size_t reason = no_such_row;
  if (vector && (mode & isa::mode_indexing) != 0)
    reason = 0;
  else if (const size_t second = vector ? second_scalar(i) : 0; second != 0)
    reason = second;
  else if (operation_of(i) == isa::operation::get_hardware_register)
    reason = 3;
  hit(left_to_model, reason);
}

std::optional<m0_writer> writes_m0_as(const isa::inst& i) {
  if (operation_of(i) == isa::operation::set_vector_register_indexing) {
    if (i.native == isa::format::sop1) return m0_writer::index;
    if (i.native == isa::format::sopc) return m0_writer::indexing_on;
    if ((i.row->flags & isa::writes_m0) != 0) return m0_writer::indexing_mode;
    return std::nullopt;
  }
  for (unsigned k = 0; k < i.n_writes; ++k)
    if (!i.writes[k].is_vgpr && i.writes[k].first <= isa::m0 && i.writes[k].first + i.writes[k].count > isa::m0)
      return m0_writer::destination;
  return std::nullopt;
}

void functional_coverage::divergence(divergence_event e, unsigned depth, uint64_t work_items) {
  const auto event = static_cast<size_t>(e);
  hit(divergence_depth, event * depths.size() + depth_of(depth));
  hit(divergence_mask, event * lane_counts.size() + lane_count_of(work_items));
}

namespace {
constexpr size_t first_reuse = 2 * rtl::spsimd_rtl::contexts, first_left = first_reuse + 4;
}

void functional_coverage::begins_first() {
  hit(context, first_reuse);
}
void functional_coverage::begins_after(uint64_t cycles) {
  hit(context, first_reuse + (cycles <= 1 ? 1 : cycles < 8 ? 2 : 3));
}
void functional_coverage::leaves(bool scalar_under_way, bool vector_under_way) {
  if (!scalar_under_way && !vector_under_way) hit(context, first_left);
  if (scalar_under_way) hit(context, first_left + 1);
  if (vector_under_way) hit(context, first_left + 2);
}

}  // namespace pws::platform::cosim
