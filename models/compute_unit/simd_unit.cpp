#include "models/compute_unit/simd_unit.h"

#include <algorithm>

namespace pws::models {

namespace {
constexpr uint32_t vgpr_granule = 4;   // GCN3: registers are handed out in fours
constexpr uint32_t sgpr_granule = 16;  // gfx8
uint32_t round_up(uint32_t v, uint32_t to) {
  return (v + to - 1) / to * to;
}
}  // namespace

simd_unit::simd_unit(const sc_core::sc_module_name& name, const machine_config& c, uint32_t index,
                     cycle_t& attention_slot)
    : sc_module(name),
      contexts(c.n_wfc),
      attention(attention_slot),
      free_sgprs_(c.sgprs_per_simd),
      vgprs_(c.vgprs_per_simd, vgpr_granule),
      rows_(c.vgprs_per_simd) {
  for (uint32_t i = 0; i < c.n_wfc; ++i) {
    contexts[i].simd = index;
    contexts[i].slot = i;
  }
  order.reserve(c.n_wfc);
  ready_at.fill(never);
  fetch_at.fill(never);
}

uint32_t simd_unit::granted_sgprs(const dispatch& d) const {
  return round_up(d.sgprs, sgpr_granule);
}

wf_context* simd_unit::allocate(const dispatch& d) {
  if (granted_sgprs(d) > free_sgprs_) return nullptr;
  const auto free =
      std::find_if(contexts.begin(), contexts.end(), [](const wf_context& c) { return c.status == wf_status::idle; });
  if (free == contexts.end()) return nullptr;
  const auto first = vgprs_.allocate(d.vgprs);
  if (!first) return nullptr;
  free_sgprs_ -= granted_sgprs(d);
  free->vgpr_first = *first;
  free->status = wf_status::running;  // taken: the next wavefront of its workgroup gets another one
  free->age = next_age_++;
  free->state.vgpr = &rows_[*first];
  free->state.n_vgprs = d.vgprs;
  free->state.n_sgprs = d.sgprs;
  free->rank = static_cast<uint32_t>(order.size());
  order.push_back(static_cast<uint8_t>(free->slot));
  return &*free;
}

void simd_unit::release(wf_context& context) {
  vgprs_.release(context.vgpr_first, context.state.n_vgprs);
  free_sgprs_ += round_up(context.state.n_sgprs, sgpr_granule);
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

uint32_t simd_unit::capacity(const dispatch& d) const {
  const auto slots = static_cast<uint32_t>(contexts.size() - order.size());
  const uint32_t by_sgpr = d.sgprs == 0 ? slots : free_sgprs_ / granted_sgprs(d);
  const uint32_t limit = std::min(slots, by_sgpr);
  if (d.vgprs == 0) return limit;
  range_allocator trial = vgprs_;  // fragmentation counts, so try it
  uint32_t n = 0;
  while (n < limit && trial.allocate(d.vgprs)) ++n;
  return n;
}

}  // namespace pws::models
