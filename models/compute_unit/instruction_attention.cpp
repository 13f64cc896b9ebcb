// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/instruction_attention.h"

namespace pws::models {

void instruction_attention::ask_at(const std::vector<uint64_t>& addresses) {
  places_.fill(false);
  has_places_ = !addresses.empty();
  for (const uint64_t pc : addresses) places_[place_of(pc)] = true;
}

void instruction_attention::tell(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) {
  observer_.issuing(cu, c, i, at);
}

}  // namespace pws::models
