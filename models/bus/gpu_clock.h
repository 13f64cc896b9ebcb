// SPDX-License-Identifier: Apache-2.0
// The GPU clock as a value: converts between cycles and SystemC time. Nothing toggles.
//
// A cycle is a whole number of SystemC's time resolution (1 ps unless sc_set_time_resolution says otherwise), the one
// that is nearest: 1500 MHz are 667 ps, 500 ppm too long. Cycles are counted exactly, whatever their length.
#pragma once

#include <systemc>

#include "models/machine/machine_config.h"

namespace pws::models {

// A time in ps, whatever SystemC's resolution is; a part of one is dropped.
uint64_t picoseconds(const sc_core::sc_time& t);

class gpu_clock {
 public:
  // How far a cycle may be from what `mhz` says. With 1 ps no clock up to 10 GHz is further away.
  static constexpr double most_ppm = 5000;

  // Throws input_error: the time resolution is too coarse for such a cycle.
  explicit gpu_clock(uint32_t mhz);

  const sc_core::sc_time& period() const { return period_; }
  // ps of a cycle, where the ratio is 1.
  uint64_t picoseconds_at_ratio_1() const { return picoseconds(at_ratio_1_); }
  // A cycle is `ratio` times as long from now on. The cycle that runs now, if it has begun before, ends at once.
  void set_ratio(uint32_t ratio);
  // The cycle that contains the current simulation time.
  cycle_t now() const {
    const uint64_t value = sc_core::sc_time_stamp().value();
    if (value != last_value_) {  // asked many times at each instant
      last_value_ = value;
      last_cycle_ = first_cycle_ + (value - first_value_) / period_value_;
    }
    return last_cycle_;
  }
  // SystemC time at which a cycle begins.
  sc_core::sc_time time_of(cycle_t cycle) const {
    return sc_core::sc_time::from_value(first_value_ + (cycle - first_cycle_) * period_value_);
  }
  // How long so many cycles are.
  sc_core::sc_time duration(cycle_t cycles) const { return sc_core::sc_time::from_value(cycles * period_value_); }
  // Cycles after now that SystemC's time can express.
  cycle_t cycles_left() const { return (sc_core::sc_max_time() - sc_core::sc_time_stamp()).value() / period_value_; }
  // Whole cycles in a duration, rounded up: an annotated delay never makes something earlier.
  cycle_t cycles_in(const sc_core::sc_time& t) const { return (t.value() + period_value_ - 1) / period_value_; }

 private:
  sc_core::sc_time at_ratio_1_, period_;
  uint64_t period_value_;
  // Cycles have been that long since this one began, at that time.
  cycle_t first_cycle_ = 0;
  uint64_t first_value_ = 0;
  mutable uint64_t last_value_ = 0;
  mutable cycle_t last_cycle_ = 0;
};

}  // namespace pws::models
