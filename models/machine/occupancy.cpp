// SPDX-License-Identifier: Apache-2.0
#include "models/machine/occupancy.h"

#include <fmt/format.h>

namespace pws::models {

std::string shortage_of(const machine_config& c, const workgroup_resources& w) {
  const occupancy o = occupancy_of(c, w);
  if (o.workgroups != 0) return "";
  std::string missing;
  const auto add = [&](cu_resource r, const std::string& there_is) {
    if (o.allowed_by(r) == 0) missing += (missing.empty() ? "" : " and ") + there_is;
  };
  add(cu_resource::contexts, fmt::format("n_wfc {} contexts in each of n_simd {} SIMD units", c.n_wfc, c.n_simd));
  add(cu_resource::vgprs, fmt::format("vgprs_per_simd {} in each of n_simd {}", c.vgprs_per_simd, c.n_simd));
  add(cu_resource::sgprs, fmt::format("sgprs_per_simd {} in each of n_simd {}", c.sgprs_per_simd, c.n_simd));
  add(cu_resource::lds, fmt::format("lds.size_kib {}", c.lds.size_kib));
  return fmt::format(
      "a workgroup of {} wavefronts with {} VGPRs, {} SGPRs and {} bytes of LDS does not fit an empty compute unit, "
      "which has {}",
      wavefronts_of(w.work_items), w.vgprs, w.sgprs, w.lds_bytes, missing);
}

}  // namespace pws::models
