// SPDX-License-Identifier: Apache-2.0
#include "platform/report/machine_report.h"

#include <fmt/format.h>

namespace pws::platform {

std::string machine_text(const models::machine_config& m) {
  return fmt::format("{} CU x {} SIMD x {} wavefront contexts, {} VALU lanes, {} MHz", m.n_cu, m.n_simd, m.n_wfc,
                     m.valu_lanes, m.clock_mhz);
}

const report_part<models::machine_config>& machine_part() {
  using m = models::machine_config;
  static const report_part<m> all = report_part<m>()
                                        .value("n_cu", "compute units", &m::n_cu)
                                        .value("n_simd", "SIMD units of a compute unit", &m::n_simd)
                                        .value("n_wfc", "wavefront contexts of a SIMD unit", &m::n_wfc)
                                        .value("valu_lanes", "lanes of a vector ALU", &m::valu_lanes)
                                        .value("clock", "MHz", "of the GPU", &m::clock_mhz);
  return all;
}

double simulated_time(models::cycle_t cycles, const models::machine_config& m) {
  return static_cast<double>(cycles) / m.clock_mhz;
}

std::string simulated_time_text(models::cycle_t cycles, const models::machine_config& m) {
  return fmt::format("{:.3f} {}", simulated_time(cycles, m), time_unit);
}

}  // namespace pws::platform
