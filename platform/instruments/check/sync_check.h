// SPDX-License-Identifier: Apache-2.0
// machine.check.sync on a machine: its wavefronts' barriers, ends and reaches between paths.
#pragma once

#include <map>
#include <utility>

#include "models/check/sync/barrier_check.h"
#include "models/check/sync/split_check.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/machine/device_runtime.h"

namespace pws::platform {

class sync_check : public machine_check {
 public:
  sync_check(const models::gpu& gpu, const device_runtime& runtime, check::finding_sink& sink);

  interests wants() const override { return {true, false, false}; }
  void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void barrier_passed(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void workgroup_ended(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;

 private:
  bool same_line(uint64_t pc, uint64_t other_pc);
  unsigned open_splits(uint32_t cu, const models::wf_context& c) const;
  void path_ends(uint32_t cu, const models::wf_context& c, const check::site& here);
  void check_reach(uint32_t cu, const models::wf_context& c, const isa::inst& i);

  const models::gpu& gpu_;
  const device_runtime& runtime_;
  const bool splits_;      // wavefronts may be in pieces:
  const bool in_spsimds_;  // these in contexts of SpSIMD units
  const bool joins_;       // each in a context, until they merge
  const bool cuts_for_good_;
  check::barrier_check barriers_;
  check::split_check paths_;
  std::map<std::pair<uint64_t, uint64_t>, bool> same_line_;  // what was asked before
};

}  // namespace pws::platform
