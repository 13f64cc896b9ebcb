// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/trace/trace_window.h"

#include "models/context/workgroup.h"

namespace pws::platform {

bool trace_window::may_begin(models::cycle_t now, uint64_t launch) const {
  return now >= c_.from_cycle.value_or(0) && launch >= c_.from_launch.value_or(0);
}

bool trace_window::open_in(models::cycle_t now, launch_range running) {
  if (over_) return false;
  if (!begun_ && !c_.from_pc) begun_ = may_begin(now, running.last);
  over_ = (c_.until_cycle && now >= *c_.until_cycle) || (c_.until_launch && running.first > *c_.until_launch);
  return begun_ && !over_;
}

void trace_window::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t at) {
  const models::dispatch& d = *c.group->launch.of;
  const uint64_t offset = c.state.pc - i.bytes() - d.setup.entry;
  if (!begun_ && c_.from_pc)
    begun_ = offset == *c_.from_pc && may_begin(at, d.number());
  else if (begun_ && c_.until_pc && offset == *c_.until_pc)
    over_ = true;
}

}  // namespace pws::platform
