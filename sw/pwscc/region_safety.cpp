#include "sw/pwscc/region_safety.h"

#include <bitset>
#include <string_view>

#include "models/isa/opcode_row.h"

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
  const std::string_view m = i.row->mnemonic;
  switch (i.unit) {
    case isa::unit::barrier:
      return "a barrier while the wavefront is split is an error";
    case isa::unit::message:
      return "it acts on the whole wavefront";
    case isa::unit::end:
      return "it ends one side";
    case isa::unit::split:
    case isa::unit::merge:
      return "there is a split or merge already";
    default:
      break;
  }
  if (m == "s_swappc_b64" || m == "s_setpc_b64") return "what a called function does is not known here";
  if (m == "v_writelane_b32") return "it writes a vector register whatever the mask (a spilled scalar register)";
  if (m == "v_readlane_b32") {
    // src[0] is the vector register.
    if (i.src[0].kind == isa::operand_kind::vgpr && !written[i.src[0].index]) return "";
    return "it may read a work-item of the other side";
  }
  if (m == "v_readfirstlane_b32") {
    return surely_active ? "" : "with no work-item active it reads one of the other side";
  }
  if (i.variant == isa::encoding_variant::dpp) return "DPP reads other work-items, which may be on the other side";
  if (m == "ds_permute_b32" || m == "ds_bpermute_b32" || m == "ds_swizzle_b32")
    return "it reads other work-items, which may be on the other side";
  if (i.gds || m.substr(0, 7) == "ds_gws_" || m == "ds_append" || m == "ds_consume" || m == "ds_ordered_count")
    return "it acts on the whole wavefront";
  if (m == "s_setreg_b32" || m.substr(0, 9) == "s_movreld" || m.substr(0, 9) == "s_set_gpr")
    return "what it changes is not known here";
  if (m.find("fork") != std::string_view::npos || m == "s_cbranch_join") return "it uses the branch stack";
  return "";
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
