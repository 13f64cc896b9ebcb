// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/launch_bound.h"

#include <algorithm>

#include "models/isa/wave_state.h"
#include "sw/wcet/checked.h"

namespace pws::platform {

const report_part<measured_basis>& thesis_part() {
  using m = measured_basis;
  static const report_part<m> all =
      report_part<m>()
          .value("L_kernel", "cycles", "block times measured: splits in parallel (thesis Eq. 5.4)", &m::l_kernel)
          .value("L_kernel_serialised", "cycles", "block times measured: splits one after the other (thesis Eq. 5.5)",
                 &m::l_kernel_serialised);
  return all;
}

std::optional<wcet::scheme> analysed_scheme(models::divergence_kind d, bool measured) {
  switch (models::traits_of(d).bound) {
    case models::divergence_bound::serial:
      return wcet::scheme::none;
    case models::divergence_bound::parallel_sides:
      return wcet::scheme::pws;
    case models::divergence_bound::shared_contexts:
      return wcet::scheme::dws;
    case models::divergence_bound::unknown:
      if (measured) return wcet::scheme::none;
      break;
    case models::divergence_bound::not_analysed:
      break;
  }
  return std::nullopt;
}

void bound_launch(const models::machine_config& machine, const launch_extent& launch, uint64_t first_issue,
                  scheme_bound& b) {
  // A workgroup's resources are free in the second cycle after its end; one workgroup is placed per cycle.
  constexpr uint64_t retire = 2;
  b.n_simd = machine.n_simd;
  b.g_parallel_printed =
      wcet::g_parallel(machine.n_cu, b.n_simd, machine.n_wfc, isa::wave_size, launch.group.work_items);
  b.g_parallel = wcet::effective_g_parallel(machine, launch.group);
  b.d_s = wcet::d_s(launch.workgroups, b.g_parallel);
  b.d = wcet::checked_sum({std::min(b.g_parallel, launch.workgroups), retire, machine.dispatch_latency, first_issue},
                          "d, the initialisation delay,");
  const uint64_t e_wf = b.wavefront.cycles;
  if (b.wavefront.of_scheme == wcet::scheme::dws) {
    b.e_kernel = wcet::e_kernel_dws(b.d_s, b.d, b.wavefront.swfs, e_wf);
    if (b.d_s > 1 && b.wavefront.swfs != 0) b.e_kernel = wcet::checked_sum(b.e_kernel, e_wf, "E_kernel");
  } else {
    b.e_kernel = wcet::e_kernel_pws(b.d_s, b.d, e_wf);
  }
}

}  // namespace pws::platform
