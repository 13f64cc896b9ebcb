// SPDX-License-Identifier: Apache-2.0
#include "models/bus/gpu_clock.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace pws::models {

namespace {

sc_core::sc_time period_of(uint32_t mhz) {
  const double wanted = 1e6 / static_cast<double>(mhz);                             // ps
  const double resolution = sc_core::sc_get_time_resolution().to_seconds() * 1e12;  // ps
  const double steps = std::round(wanted / resolution);
  const double ppm = std::fabs(steps * resolution / wanted - 1) * 1e6;
  constexpr double rounding = 1e-3;  // of the numbers here
  if (steps < 1 || ppm > gpu_clock::most_ppm + rounding)
    throw input_error(
        fmt::format("clock_mhz {}: a cycle of {:.6g} ps is no multiple of SystemC's time resolution, {}; "
                    "call sc_set_time_resolution with 1 ps before anything has a time",
                    mhz, wanted, sc_core::sc_get_time_resolution().to_string()));
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(steps));
}

}  // namespace

uint64_t picoseconds(const sc_core::sc_time& t) {
  constexpr uint64_t fs_in_ps = 1000;
  // A power of ten, from 1 fs on.
  const auto step = static_cast<uint64_t>(std::llround(sc_core::sc_get_time_resolution().to_seconds() * 1e15));
  return step < fs_in_ps ? t.value() / (fs_in_ps / step) : t.value() * (step / fs_in_ps);
}

gpu_clock::gpu_clock(uint32_t mhz)
    : at_ratio_1_(period_of(mhz)), period_(at_ratio_1_), period_value_(period_.value()) {}

void gpu_clock::set_ratio(uint32_t ratio) {
  const uint64_t value = sc_core::sc_time_stamp().value();
  first_cycle_ += (value - first_value_ + period_value_ - 1) / period_value_;
  first_value_ = value;
  period_value_ = at_ratio_1_.value() * ratio;
  period_ = sc_core::sc_time::from_value(period_value_);
  last_value_ = value;
  last_cycle_ = first_cycle_;
}

}  // namespace pws::models
