#include "platform/report/machine_report.h"

#include <fmt/format.h>

#include "platform/json/quantity.h"

namespace pws::platform {

using nlohmann::ordered_json;

std::string machine_text(const models::machine_config& m) {
  return fmt::format("{} CU x {} SIMD x {} wavefront contexts, {} VALU lanes, {} MHz", m.n_cu, m.n_simd, m.n_wfc,
                     m.valu_lanes, m.clock_mhz);
}

ordered_json machine_json(const models::machine_config& m) {
  return {{"n_cu", m.n_cu},
          {"n_simd", m.n_simd},
          {"n_wfc", m.n_wfc},
          {"valu_lanes", m.valu_lanes},
          {"clock", quantity(m.clock_mhz, "MHz")}};
}

namespace {
double microseconds(models::cycle_t cycles, const models::machine_config& m) {
  return static_cast<double>(cycles) / m.clock_mhz;
}
}  // namespace

ordered_json simulated_time(models::cycle_t cycles, const models::machine_config& m) {
  return quantity(microseconds(cycles, m), "us");
}

std::string simulated_time_text(models::cycle_t cycles, const models::machine_config& m) {
  return fmt::format("{:.3f} us", microseconds(cycles, m));
}

}  // namespace pws::platform
