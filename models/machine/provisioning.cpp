// SPDX-License-Identifier: Apache-2.0
#include "models/machine/provisioning.h"

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

}  // namespace pws::models
