// SPDX-License-Identifier: Apache-2.0
// A check of a family (models/check) on a machine: it hears what wavefronts do and what the host does with device
// memory, and hands it to the check in the check's own words. Whatever a check does not want to hear it leaves out.
#pragma once

#include "models/check/finding.h"
#include "models/compute_unit/execution_observer.h"
#include "platform/machine/device_runtime.h"

namespace pws::platform {

class machine_check : public models::execution_observer, public memory_listener {
 public:
  // Before a launch's first wavefront begins, and after its last one has ended (or the machine has stopped: not
  // `completed`). With several hardware queues others may be there: `alone` and `last` say that none is.
  virtual void launch_begins(uint64_t /*launch*/, bool /*alone*/) {}
  virtual void launch_ended(uint64_t /*launch*/, bool /*completed*/, bool /*last*/) {}

  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

  void allocated(uint64_t, uint64_t, const std::string&) override {}
  void released(uint64_t) override {}
  void host_wrote(uint64_t, uint64_t) override {}
  void host_reads(uint64_t, uint64_t) override {}
  void copied(uint64_t, uint64_t, uint64_t) override {}
};

// The instruction at `pc` as `c`, in compute unit `cu`, executes it with these work-items.
inline check::site site_of(uint32_t cu, const models::wf_context& c, uint64_t pc, uint64_t lanes) {
  check::site s;
  s.pc = pc;
  s.lanes = lanes;
  s.workgroup = c.group->launch.number();
  s.launch = static_cast<uint32_t>(c.group->launch.of->number());
  s.wave = static_cast<uint16_t>(c.wave_in_group);
  s.cu = static_cast<uint16_t>(cu);
  s.unit = static_cast<uint16_t>(c.unit.value);
  s.slot = static_cast<uint16_t>(c.slot.value);
  return s;
}

}  // namespace pws::platform
