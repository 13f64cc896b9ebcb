// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/uniformity/branch_uniformity.h"

#include <algorithm>

#include "models/isa/operands.h"
#include "models/isa/predicates.h"
#include "models/machine/occupancy.h"
#include "sw/wcet/lanes/lane_value_analysis.h"
#include "sw/wcet/uniformity/condition_trace.h"

namespace pws::wcet {

namespace {

// A mask whose bits differ between work-items that are active here, or may.
bool mask_varies(const lane_state& s, const isa::operand& o) {
  const lane_mask m = source_mask(s, o);
  return !m.bits || !m.bits->is_uniform();
}

bool vector_varies(const lane_state& s, const isa::operand& o) {
  for (unsigned d = 0; d < std::max<unsigned>(1, o.dwords); ++d)
    if (o.index + d >= s.vgprs() || !s.vector(o.index + d).is_uniform()) return true;
  return false;
}

// Instructions that work on masks read a pair of scalar registers work-item by work-item; all others as a number,
// which a path has one of.
bool is_mask(const isa::inst& i, const isa::input_operand& o) {
  if (o.from.kind != isa::operand_kind::scalar && o.from.kind != isa::operand_kind::constant) return false;
  return is_scalar(i) ? o.from.dwords == 2 || is_saveexec(i) : o.role == isa::operand_role::flag;
}

varying_operands varying_in(const lane_state& s, const isa::inst& i) {
  varying_operands v;
  for (const isa::input_operand& in : isa::operands_of(i).sources) {
    if (in.field < 0) continue;
    const bool varies =
        in.from.kind == isa::operand_kind::vgpr ? vector_varies(s, in.from) : is_mask(i, in) && mask_varies(s, in.from);
    if (varies) v.bits = static_cast<uint8_t>(v.bits | 1u << in.field);
  }
  if (i.dst.kind == isa::operand_kind::vgpr && vector_varies(s, i.dst))
    v.bits = static_cast<uint8_t>(v.bits | 1u << varying_operands::old_value);
  return v;
}

bool is_uniform(const lane_state& s, const isa::inst& i, cfg::branch_kind kind) {
  if (kind == cfg::branch_kind::scalar) return true;
  if (kind == cfg::branch_kind::mask) return !mask_varies(s, isa::scalar_run(isa::vcc_lo, 2));
  const varying_operands v = varying_in(s, i);
  for (const unsigned n : condition_operands(i, kind))
    if (i.native == isa::format::vopc ? v.at(n) : mask_varies(s, i.src[n])) return false;
  return true;
}

}  // namespace

std::vector<branch_uniformity> analyse_uniformity(const cfg::flow_graph& graph, const launch_facts& facts,
                                                  const std::vector<wave_kind>& kinds) {
  const auto& code = graph.code().instructions;
  std::vector<branch_uniformity> out;
  std::vector<size_t> site_of(code.size(), code.size());
  for (const cfg::branch_site& s : cfg::find_branch_sites(graph)) {
    site_of[s.instruction] = out.size();
    branch_uniformity& b = out.emplace_back();
    b.site = s;
    b.uniform = true;
    b.origin = condition_origin::unreached;
  }
  std::vector<varying_operands> varying(code.size());
  for (const wave_kind& kind : kinds)
    analyse_lane_values(graph, facts, kind, [&](size_t k, const lane_state& before) {
      varying[k].bits |= varying_in(before, code[k]).bits;
      if (site_of[k] == code.size()) return;
      branch_uniformity& b = out[site_of[k]];
      b.origin = condition_origin::not_followed;
      b.uniform = b.uniform && is_uniform(before, code[k], b.site.kind);
    });
  const condition_trace trace(graph, varying);
  // Code that no branch leads to may be what a call in it goes to, with whatever the caller has in its registers.
  const bool calls = std::any_of(code.begin(), code.end(), [](const isa::inst& i) { return is_call(i); });
  for (branch_uniformity& b : out) {
    if (b.origin != condition_origin::unreached) {
      trace.follow(b);
    } else if (calls) {
      b.uniform = b.site.kind == cfg::branch_kind::scalar;
      b.origin = b.uniform ? condition_origin::scalar : condition_origin::call;
    }
  }
  return out;
}

std::vector<branch_uniformity> analyse_uniformity(const cfg::flow_graph& graph,
                                                  const isa::kernel_descriptor& descriptor) {
  launch_facts any;
  any.descriptor = descriptor;
  any.grid.fill(UINT32_MAX);  // with workgroups of one work-item: whatever workgroup ids there can be
  wave_kind kind;
  kind.lanes = ~uint64_t{0};
  kind.ids_known = false;
  kind.base.fill(word_set::range(0, models::most_work_items - 1));
  return analyse_uniformity(graph, any, {kind});
}

}  // namespace pws::wcet
