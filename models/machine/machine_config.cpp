// SPDX-License-Identifier: Apache-2.0
#include "models/machine/machine_config.h"

#include <fmt/format.h>

#include "models/machine/ids.h"
#include "models/machine/occupancy.h"

namespace pws::models {

machine_config provisioned(machine_config c) {
  if (!has_spsimds(c)) return c;
  if (c.designate_spsimd) c.n_simd /= c.spsimd_per_simd + 1;
  if (c.reuse_idle_spsimd && c.split_points < c.spsimd_per_simd) {
    const uint32_t unused = c.spsimd_per_simd - c.split_points;
    c.n_simd += unused * c.n_simd / (c.split_points + 1);
    c.spsimd_per_simd = c.split_points;
  }
  return c;
}

std::string context_name(const machine_config& c, unit_id unit, slot_id slot) {
  const unit_layout layout = layout_of(c);
  const uint32_t simd = layout.simd_of(unit).value;
  if (layout.is_spsimd(unit))
    return fmt::format("simd{}.spsimd{}.swf{}", simd, layout.number_of(unit).value(), slot.value);
  if (slot.value < c.n_wfc) return fmt::format("simd{}.wf{}", simd, slot.value);
  const scheme_traits& scheme = traits_of(c.divergence);
  if (scheme.contexts == swf_contexts::second_slots)
    return fmt::format("simd{}.wf{}.right", simd, slot.value - c.n_wfc);
  return fmt::format("simd{}.{}{}", simd, scheme.forms_warps() ? "path" : "split", slot.value - c.n_wfc);
}

}  // namespace pws::models
