// SPDX-License-Identifier: Apache-2.0
// When a waveform is recorded: from a cycle, a launch or an instruction on, until another one (machine.trace.from_*,
// until_*).
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/compute_unit/execution_observer.h"
#include "models/machine/machine_config.h"

namespace pws::platform {

// Numbers of the launches in service; 0: there is none.
struct launch_range {
  uint64_t first = 0, last = 0;
  void add(uint64_t launch) {  // one more that is in service
    first = first == 0 ? launch : std::min(first, launch);
    last = std::max(last, launch);
  }
};

// Opens once and closes once. It is told of cycles by whoever records, and hears of instructions itself, if it has to:
// then it is an observer of the compute units that are recorded.
class trace_window : public models::execution_observer {
 public:
  explicit trace_window(const models::trace_config& c) : c_(c) {}

  // Whether it is open in cycle `now`, while these launches run: from the first cycle of launch trace.from_launch or a
  // later one on, until only launches behind trace.until_launch are left.
  bool open_in(models::cycle_t now, launch_range running);
  // The first cycle in which it may be open; it is never asked before.
  models::cycle_t begins() const { return c_.from_cycle.value_or(0); }
  // No later cycle is of interest.
  bool over() const { return over_; }
  bool hears_of_instructions() const { return c_.from_pc || c_.until_pc; }

  interests wants() const override { return {true, false, false}; }
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

 private:
  bool may_begin(models::cycle_t now, uint64_t launch) const;
  const models::trace_config& c_;
  bool begun_ = false, over_ = false;
};

}  // namespace pws::platform
