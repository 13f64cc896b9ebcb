// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/simd_unit.h"

namespace pws::models {

simd_unit::simd_unit(const sc_core::sc_module_name& name, const machine_config& c, const place& where,
                     cycle_t& attention_slot)
    : sc_module(name), context_file(c, where), table(contexts_per_unit(c)), attention(attention_slot) {}

void simd_unit::release(wf_context& context) {
  const context_rank rank = context.rank;
  const uint32_t before = in_use();
  context_file::release(context);
  for (uint32_t freed = before - in_use(); freed != 0; --freed) table.remove(rank);
}

}  // namespace pws::models
