// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/workgroup_placement.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cstring>
#include <stdexcept>

#include "models/context/wavefront.h"
#include "models/machine/fill_pattern.h"

namespace pws::models {

bool workgroup_placement::fits(const workgroup& w) const {
  if (cu_.lds.allocator().room(w.of->lds_bytes, 1) == 0) return false;
  const uint32_t wavefronts = w.wavefronts();
  uint32_t room = 0;
  for (uint32_t k = 0; k < cu_.contexts.layout().simds && room < wavefronts; ++k)
    room += cu_.units[k]->room(*w.of, wavefronts - room);
  return room >= wavefronts;
}

resident_workgroup& workgroup_placement::free_group() {
  for (const auto& g : cu_.groups)
    if (!g->live) return *g;
  cu_.groups.push_back(std::make_unique<resident_workgroup>());
  return *cu_.groups.back();
}

// Takes the SIMD unit with the most free contexts: spreads a workgroup, and fills evenly.
wf_context& workgroup_placement::free_context(const dispatch& d) {
  simd_unit* best = nullptr;
  for (uint32_t k = 0; k < cu_.contexts.layout().simds; ++k) {
    simd_unit& unit = *cu_.units[k];
    if (unit.room(d, 1) != 0 && (best == nullptr || unit.in_use() < best->in_use())) best = &unit;
  }
  wf_context* const c = best == nullptr ? nullptr : best->allocate(d);
  if (c == nullptr) throw std::logic_error("a workgroup that does not fit is placed");
  return *c;
}

resident_workgroup& workgroup_placement::place(const workgroup& w, uint64_t time) {
  resident_workgroup& g = free_group();
  g.launch = w;
  g.live = true;
  g.running = g.at_barrier = 0;
  g.unfinished = w.wavefronts();
  g.waves.clear();
  g.swfs.clear();
  // No allocation at a split.
  g.swfs.reserve(size_t{w.wavefronts()} * std::max(cu_.config.spsimd_per_simd, contexts_per_wavefront(cu_.config) - 1));
  g.lds_first = cu_.lds.allocator().allocate(w.of->lds_bytes).value();
  fill_lds(g);
  ++live_;
  ++cu_.statistics.workgroups;
  cu_.statistics.wavefronts += g.unfinished;
  for (uint32_t wave = 0; wave < g.unfinished; ++wave) {
    wf_context& c = free_context(*w.of);
    initialise(c, g, wave, time);
    g.waves.push_back(&c);
  }
  return g;
}

void workgroup_placement::retire(resident_workgroup& g) {
  for (wf_context* c : g.waves) cu_.unit_of(*c).release(*c);
  cu_.lds.allocator().release(g.lds_first, g.launch.of->lds_bytes);
  g.live = false;
  --live_;
}

void workgroup_placement::clear() {
  for (const auto& u : cu_.units) u->clear();
  for (const auto& g : cu_.groups) {
    if (!g->live) continue;
    cu_.lds.allocator().release(g->lds_first, g->launch.of->lds_bytes);
    g->live = false;
  }
  live_ = 0;
}

void workgroup_placement::initialise(wf_context& c, resident_workgroup& g, uint32_t wave, uint64_t time) {
  const dispatch& d = *g.launch.of;
  c.wave_in_group = wave;
  c.code = d.code;
  isa::vgpr_row* rows = c.state.vgpr;
  const uint32_t n_vgprs = c.state.n_vgprs, n_sgprs = c.state.n_sgprs;
  c.state = {};
  c.state.host_csr = cu_.host_csr;
  c.state.vgpr = rows;
  c.state.n_vgprs = n_vgprs;
  c.state.n_sgprs = n_sgprs;
  const fill_pattern contents(cu_.config.memory);
  const filled_storage vector_registers{filled_storage::kind::vector_registers, d.number(), g.launch.number(), wave};
  contents.fill(rows, uint64_t{n_vgprs} * isa::wave_size, vector_registers);
  c.state.memory = &memory_;
  if (cu_.config.fidelity == fidelity::functional)
    c.state.time = std::max(d.time, time);  // a workgroup that had to wait for room has waited
  else
    c.state.clock_ahead = d.functional_time;
  // HW_REG_HW_ID: wave_id, simd_id, cu_id
  c.state.hw_id = (c.slot.value & 0xf) | (c.simd.value & 0xf) << 4 | cu_.index << 8;
  isa::wave_launch launch = d.setup;
  launch.workgroup_id = g.launch.id;
  launch.wave_in_workgroup = wave;
  // Every context of the machine has its slice of scratch memory.
  const uint32_t slice = cu_.index * contexts_of_cu(cu_.config) + c.simd.value * cu_.config.n_wfc + c.slot.value;
  launch.scratch_wave_offset = slice * d.setup.scratch_bytes_per_lane * isa::wave_size;
  launch.lds = cu_.lds.bytes(g.lds_first);
  launch.lds_bytes = d.lds_bytes;
  isa::initial_state(d.descriptor, launch, c.state);
  if (!contents.is_zero()) fill_undefined(c, g);
  begin_wavefront(cu_.contexts, c, g, c.state.scalar64(isa::exec_lo));
}

void workgroup_placement::fill_lds(const resident_workgroup& g) {
  const workgroup& w = g.launch;
  uint8_t* const lds = cu_.lds.bytes(g.lds_first);
  const filled_storage what{filled_storage::kind::lds, w.of->number(), w.number()};
  const fill_pattern contents(cu_.config.memory);
  constexpr uint32_t word = sizeof(uint32_t);
  const uint32_t words = w.of->lds_bytes / word, rest = w.of->lds_bytes % word;
  contents.fill(lds, words, what);
  const uint32_t last = contents.word(what, words);
  std::memcpy(lds + size_t{words} * word, &last, rest);
}

// Scalar registers that the kernel's start leaves as they are, SCC, and the wavefront's scratch. Zeros are there
// already, but in scratch: what earlier wavefronts left in it.
void workgroup_placement::fill_undefined(wf_context& c, const resident_workgroup& g) {
  isa::wave_state& s = c.state;
  const fill_pattern contents(cu_.config.memory);
  filled_storage what{filled_storage::kind::scalar_registers, g.launch.of->number(), g.launch.number(),
                      c.wave_in_group};
  const std::bitset<isa::scalar_count> defined = isa::defined_at_start(g.launch.of->descriptor);
  for (unsigned n = 0; n < isa::scalar_count; ++n) {
    const bool allocated = n < s.n_sgprs || n == isa::m0 || (n >= isa::flat_scratch_lo && n < isa::tba_lo);
    if (allocated && !defined[n]) s.scalar[n] = contents.word(what, n);
  }
  s.scc = (contents.word(what, isa::scalar_count) & 1) != 0;
  if (s.scratch_bytes_per_lane == 0) return;
  what.what = filled_storage::kind::scratch;
  const uint32_t bytes = s.scratch_bytes_per_lane * isa::wave_size;
  if (uint8_t* const direct = s.memory->private_span(s.scratch_base, s.scratch_base, bytes); direct != nullptr)
    return contents.fill(direct, bytes / sizeof(uint32_t), what);
  std::array<uint32_t, isa::wave_size> row{};  // a dword of each work-item
  for (uint32_t at = 0; at < bytes; at += sizeof row) {
    contents.fill(row.data(), row.size(), what, at / sizeof(uint32_t));
    s.memory->private_write(s.scratch_base + at, row.data(), sizeof row, program_error::no_lane);
  }
}

}  // namespace pws::models
