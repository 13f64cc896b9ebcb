#include "models/compute_unit/simd_unit.h"

#include <algorithm>

namespace pws::models {

simd_unit::simd_unit(const sc_core::sc_module_name& name, const machine_config& c, const place& where,
                     cycle_t& attention_slot)
    : sc_module(name), context_file(c, where), attention(attention_slot) {
  ready_at.fill(never);
  fetch_at.fill(never);
}

void simd_unit::release(wf_context& context) {
  const uint32_t rank = context.rank;
  context_file::release(context);
  for (auto* at : {&ready_at, &fetch_at}) {
    std::copy(at->begin() + rank + 1, at->end(), at->begin() + rank);
    at->back() = never;
  }
  const rank_set younger = ~rank_set{0} << rank;
  for (rank_set& s : wanting) s = (s & ~younger) | ((s >> 1) & younger);
  if (turn > rank) --turn;
}

}  // namespace pws::models
