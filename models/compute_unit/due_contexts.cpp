// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/due_contexts.h"

#include "models/isa/levels/lane_levels.h"

namespace pws::models {

find_due find_due_of(const std::string& level) {
  if (level == "x86-64-v4") return find_due_by_8;
  if (level == "x86-64-v3") return find_due_by_4;
  return level == "x86-64" ? find_due_by_number : nullptr;
}

find_due find_due_here() {
  const find_due of_level = find_due_of(isa::lane_level());
  return of_level == nullptr ? find_due_by_number : of_level;
}

}  // namespace pws::models
