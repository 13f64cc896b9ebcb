#include "models/compute_unit/simd_unit.h"

#include <algorithm>

namespace pws::models {

namespace {
constexpr uint32_t vgpr_granule = 4;   // GCN3: registers are handed out in fours
constexpr uint32_t sgpr_granule = 16;  // gfx8
uint32_t granted(uint32_t sgprs) {
  return (sgprs + sgpr_granule - 1) / sgpr_granule * sgpr_granule;
}
}  // namespace

simd_unit::simd_unit(const sc_core::sc_module_name& name, const machine_config& c, const place& where,
                     cycle_t& attention_slot)
    : sc_module(name),
      number(where.number),
      split_masks("split_masks", c.n_wfc),
      child_stacks("child_stacks", c.n_wfc, c.child_stack_entries),
      contexts(c.n_wfc),
      attention(attention_slot),
      free_sgprs_(c.sgprs_per_simd),
      vgprs_(is_spsimd() ? 0 : c.vgprs_per_simd, vgpr_granule),
      rows_(is_spsimd() ? 0 : c.vgprs_per_simd) {
  for (uint32_t i = 0; i < c.n_wfc; ++i) {
    contexts[i].unit = where.unit;
    contexts[i].simd = where.simd;
    contexts[i].slot = i;
    contexts[i].seat = {where.simd * c.n_wfc + i, static_cast<uint32_t>(number - own_number), false};
  }
  order.reserve(c.n_wfc);
  ready_at.fill(never);
  fetch_at.fill(never);
}

// ---- contexts

wf_context* simd_unit::free_context() {
  const auto free =
      std::find_if(contexts.begin(), contexts.end(), [](const wf_context& c) { return c.status == wf_status::idle; });
  return free == contexts.end() ? nullptr : &*free;
}

// The youngest of the unit from now on.
void simd_unit::occupy(wf_context& context) {
  context.status = wf_status::running;  // taken: whoever asks next gets another one
  context.age = next_age_++;
  context.rank = static_cast<uint32_t>(order.size());
  order.push_back(static_cast<uint8_t>(context.slot));
}

void simd_unit::vacate(wf_context& context) {
  context.status = wf_status::idle;
  const uint32_t rank = context.rank;
  order.erase(order.begin() + rank);
  for (size_t r = rank; r < order.size(); ++r) --contexts[order[r]].rank;
  for (auto* at : {&ready_at, &fetch_at}) {
    std::copy(at->begin() + rank + 1, at->end(), at->begin() + rank);
    at->back() = never;
  }
  const rank_set younger = ~rank_set{0} << rank;
  for (rank_set& s : wanting) s = (s & ~younger) | ((s >> 1) & younger);
  if (turn > rank) --turn;
}

wf_context* simd_unit::allocate(const dispatch& d) {
  if (granted(d.sgprs) > free_sgprs_) return nullptr;
  wf_context* const free = free_context();
  if (free == nullptr) return nullptr;
  const auto first = vgprs_.allocate(d.vgprs);
  if (!first) return nullptr;
  free_sgprs_ -= granted(d.sgprs);
  free->vgpr_first = *first;
  free->state.vgpr = &rows_[*first];
  free->state.n_vgprs = d.vgprs;
  free->state.n_sgprs = d.sgprs;
  occupy(*free);
  return free;
}

void simd_unit::release(wf_context& context) {
  vgprs_.release(context.vgpr_first, context.state.n_vgprs);
  free_sgprs_ += granted(context.state.n_sgprs);
  vacate(context);
}

wf_context* simd_unit::allocate_swf(uint32_t slot) {
  if (contexts[slot].status != wf_status::idle) return nullptr;
  occupy(contexts[slot]);
  return &contexts[slot];
}

wf_context* simd_unit::allocate_swf_from_wavefronts(uint32_t sgprs) {
  if (granted(sgprs) > free_sgprs_) return nullptr;
  wf_context* const free = free_context();
  if (free == nullptr) return nullptr;
  free_sgprs_ -= granted(sgprs);
  occupy(*free);
  return free;
}

void simd_unit::release_swf(wf_context& context) {
  if (!is_spsimd()) free_sgprs_ += granted(context.state.n_sgprs);
  vacate(context);
}

uint32_t simd_unit::capacity(const dispatch& d) const {
  const auto slots = static_cast<uint32_t>(contexts.size() - order.size());
  const uint32_t by_sgpr = d.sgprs == 0 ? slots : free_sgprs_ / granted(d.sgprs);
  const uint32_t limit = std::min(slots, by_sgpr);
  if (d.vgprs == 0) return limit;
  range_allocator trial = vgprs_;  // fragmentation counts, so try it
  uint32_t n = 0;
  while (n < limit && trial.allocate(d.vgprs)) ++n;
  return n;
}

}  // namespace pws::models
