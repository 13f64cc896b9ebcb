// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/region_safety.h"

#include <bitset>

#include "models/isa/predicates.h"

namespace pws::pwscc {

namespace {

using isa::inst;

// Rows of the vector register file that the region writes; all, if an instruction chooses its register by M0.
std::bitset<256> vgprs_written(const cfg::flow_graph& graph, const cfg::split_region& region) {
  std::bitset<256> rows;
  region.for_each_instruction(graph, [&](size_t k) {
    const inst& i = graph.code().instructions[k];
    if (i.relative_index) rows.set();
    for (unsigned w = 0; w < i.n_writes; ++w)
      for (unsigned r = 0; i.writes[w].is_vgpr && r < i.writes[w].count; ++r) rows.set(i.writes[w].first + r);
  });
  return rows;
}

std::string why_unsafe(const inst& i, bool surely_active, const std::bitset<256>& written) {
  constexpr const char* whole_wavefront = "it acts on the whole wavefront";
  constexpr const char* unknown_change = "what it changes is not known here";
  switch (i.unit) {
    case isa::unit::barrier:
      return "a barrier while the wavefront is split is an error";
    case isa::unit::message:
      return whole_wavefront;
    case isa::unit::end:
      return "it ends one side";
    case isa::unit::split:
    case isa::unit::merge:
      return "there is a split or merge already";
    default:
      break;
  }
  if (i.variant == isa::encoding_variant::dpp) return "DPP reads other work-items, which may be on the other side";
  switch (operation_of(i)) {
    case isa::operation::call:
    case isa::operation::set_pc:
      return "what a called function does is not known here";
    case isa::operation::write_lane:
      return "it writes a vector register whatever the mask (a spilled scalar register)";
    case isa::operation::read_lane:
      // src[0] is the vector register.
      if (i.src[0].kind == isa::operand_kind::vgpr && !written[i.src[0].index]) return "";
      return "it may read a work-item of the other side";
    case isa::operation::read_first_lane:
      return surely_active ? "" : "with no work-item active it reads one of the other side";
    case isa::operation::permute_forward:
    case isa::operation::permute_backward:
    case isa::operation::swizzle:
      return "it reads other work-items, which may be on the other side";
    case isa::operation::global_data_share:
    case isa::operation::count_active_lanes:
      return whole_wavefront;
    case isa::operation::set_hardware_register:
      return (i.row->flags & isa::literal_k) != 0 ? "" : unknown_change;  // s_setreg_imm32 is not refused
    case isa::operation::set_vector_register_indexing:
      return unknown_change;
    case isa::operation::move_relative_destination:
      return is_scalar(i) ? unknown_change : "";
    case isa::operation::fork:
    case isa::operation::join:
      return "it uses the branch stack";
    default:
      return i.gds ? whole_wavefront : "";
  }
}

}  // namespace

unsafe_instruction find_unsafe(const cfg::flow_graph& graph, const cfg::exec_tracking& exec,
                               const cfg::split_region& region) {
  const std::bitset<256> written = vgprs_written(graph, region);
  unsafe_instruction first;
  region.for_each_instruction(graph, [&](size_t k) {
    if (!first.why.empty()) return;
    first.why = why_unsafe(graph.code().instructions[k], exec.surely_active(k), written);
    first.instruction = k;
  });
  return first;
}

}  // namespace pws::pwscc
