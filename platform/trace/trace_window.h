// When a waveform is recorded: from a cycle, a launch or an instruction on, until another one (machine.trace.from_*,
// until_*).
#pragma once

#include <cstdint>

#include "models/compute_unit/execution_observer.h"
#include "models/machine/machine_config.h"

namespace pws::platform {

// Opens once and closes once. It is told of cycles by whoever records, and hears of instructions itself, if it has to:
// then it is an observer of the compute units that are recorded.
class trace_window : public models::execution_observer {
 public:
  explicit trace_window(const models::trace_config& c) : c_(c) {}

  // Whether it is open in cycle `now`, while launch number `launch` runs (0: none does).
  bool open_in(models::cycle_t now, uint64_t launch);
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
