// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/machine_costs.h"

#include <array>

#include "models/isa/predicates.h"
#include "sw/wcet/accesses/access_pattern.h"
#include "sw/wcet/instructions/instruction_time.h"
#include "sw/wcet/instructions/outstanding_operations.h"

namespace pws::pwscc {

namespace {

constexpr uint32_t lanes = 64;

// Lines that so many consecutive bytes can touch, at addresses that are multiples of `alignment`.
uint32_t touched(uint32_t bytes, uint32_t alignment, uint32_t line_bytes) {
  return 1 + (bytes + line_bytes - 2 * alignment) / line_bytes;
}

uint32_t scalar_bytes(const isa::inst& i) {
  return 4u * (operation_of(i) == isa::operation::store ? i.src[1].dwords : i.dst.dwords);
}

// One line or pass where there is one: the least that an access with active work-items takes.
wcet::access_bound usual_access(const isa::inst& i) {
  wcet::access_bound a;
  if (i.unit == isa::unit::lds) {
    a.lds_passes = 1;
  } else if (i.is_memory()) {
    a.lines = 1;
  }
  return a;
}

// Each lane anywhere, and unaligned.
wcet::access_bound most_access(const isa::inst& i, const wcet::machine_timing& m) {
  constexpr uint32_t most_bytes = 16;  // of a lane
  // Consecutive words lie in different banks, so that a lane adds one to each, if there are banks enough.
  const uint32_t passes = lanes * ((most_bytes / 4 + m.lds_banks) / m.lds_banks);
  wcet::access_bound a;
  switch (i.native) {
    case isa::format::smem:
      a.lines = scalar_bytes(i) == 0 ? 1 : touched(scalar_bytes(i), 4, m.line_bytes);
      break;
    case isa::format::ds:
      a.lds_passes = passes * ((i.row->flags & isa::double_access) != 0 ? 2 : 1);
      break;
    case isa::format::mimg:
      a.lines = lanes * isa::most_texels(i);
      break;
    default:
      // The analysis counts one more for each group of lanes whose addresses may go on past 4 GiB.
      a.lines = lanes * (touched(most_bytes, 1, m.line_bytes) + 1);
      a.lds_passes = i.native == isa::format::flat ? passes : 0;
      break;
  }
  return a;
}

// What the editor writes (split_editor.cpp), priced.
class overhead_counter {
 public:
  overhead_counter(const cfg::flow_graph& graph, const wcet::machine_timing& machine,
                   const std::vector<uint64_t>& most_slots)
      : graph_(graph),
        machine_(machine),
        most_slots_(most_slots),
        under_way_(wcet::find_outstanding(graph, [](size_t) { return true; })) {
    constexpr std::array<uint32_t, 6> words{
        0xbf147f7e,  // split exec_lo, exec_hi
        0xbf150000,  // merge
        0xbf880000,  // s_cbranch_execz
        0xbefe017e,  // s_mov_b64 exec, exec: like any scalar instruction
        0x7e000300,  // v_mov_b32 v0, v0: like v_cndmask and v_cmp
        0xbf810000   // s_endpgm
    };
    inserted_ = cfg::decode_function("inserted", words.data(), words.size(), 0);
  }

  uint64_t of(const cfg::split_region& r, const carried_scalars& carried) const {
    const uint64_t branch = time(2), salu = time(3), valu = time(4);
    const size_t merge_at = r.joins_in_place ? r.merge_after + 1 : graph_[r.join].first;
    uint64_t cycles = time(0, r.branch.skip.after) + time(1, merge_at);
    if (r.branch.skip.missing) cycles += branch;
    if (r.branch.bsb.missing) cycles += branch;
    if (!r.joins_in_place) cycles += branch;  // around joins of other regions
    const uint64_t masks = carried.masks.size();
    if (r.exec_restored)
      cycles += masks * (2 * valu + 2 * salu);
    else
      cycles += masks == 0 ? salu : 6 * salu + masks * 2 * valu;
    // Between the join's beginning and the merge both parts execute what is there.
    if (r.joins_in_place)
      for (size_t k = graph_[r.join].first; k <= r.merge_after; ++k) cycles += most_slots_[k];
    return cycles;
  }

 private:
  uint64_t time(size_t which) const {
    const wcet::instruction_time t = wcet::time_of(inserted_.instructions[which], machine_, wcet::scheme::pws, {});
    return t.issue + t.wait;
  }
  // Before that instruction: split and merge wait for what is under way.
  uint64_t time(size_t which, size_t before) const {
    const wcet::instruction_time t =
        wcet::time_of(inserted_.instructions[which], machine_, wcet::scheme::pws, under_way_.at(before));
    return t.issue + t.wait;
  }

  const cfg::flow_graph& graph_;
  const wcet::machine_timing& machine_;
  const std::vector<uint64_t>& most_slots_;
  std::vector<wcet::outstanding_operations> under_way_;
  cfg::function_code inserted_;
};

}  // namespace

cfg::code_costs machine_costs(const cfg::flow_graph& graph, const std::vector<cfg::split_region>& regions,
                              const std::vector<carried_scalars>& carried, const wcet::machine_timing& machine) {
  const auto& code = graph.code().instructions;
  const auto times = [&](auto access) {
    std::vector<wcet::access_bound> accesses(code.size());
    for (size_t k = 0; k < code.size(); ++k)
      if (code[k].is_memory()) accesses[k] = access(code[k]);
    return wcet::instruction_times(graph, machine, wcet::scheme::none, accesses);
  };
  const auto usual = times(usual_access);
  const auto most = times([&](const isa::inst& i) { return most_access(i, machine); });
  std::vector<uint64_t> most_slots;
  most_slots.reserve(most.size());
  for (const wcet::instruction_time& t : most) most_slots.push_back(t.memory);
  cfg::code_costs out;
  for (size_t b = 0; b < graph.size(); ++b) {
    cfg::code_costs::block block;
    for (size_t k = graph[b].first; k < graph[b].end; ++k) {
      block.cycles += usual[k].issue + usual[k].wait;
      block.most_slots += most_slots[k];
    }
    out.blocks.push_back(block);
  }
  const overhead_counter counter(graph, machine, most_slots);
  for (size_t k = 0; k < regions.size(); ++k)
    out.overhead.push_back(regions[k].refused() ? 0 : counter.of(regions[k], carried[k]));
  return out;
}

}  // namespace pws::pwscc
