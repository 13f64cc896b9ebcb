// SPDX-License-Identifier: Apache-2.0
// The check for races (models/check/races) on a machine.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/check/races/races.h"
#include "models/gpu/gpu.h"
#include "platform/instruments/check/access_pieces.h"
#include "platform/instruments/check/guessing_loads.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/instruments/check/polling_loads.h"

namespace pws::platform {

class races_check : public machine_check {
 public:
  races_check(const models::gpu& gpu, check::finding_sink& sink);

  void launch_begins(uint64_t launch, bool alone) override;
  void launch_ended(uint64_t launch, bool completed, bool last) override;
  interests wants() const override { return {false, true, true}; }
  void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void barrier_passed(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void workgroup_ended(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;

 private:
  struct running {
    check::races* in = nullptr;  // of its launch
    check::path_id path = 0;
    const models::wf_context* parent = nullptr;  // whom it merges with
    bool ends = false;                           // it has executed s_endpgm
  };
  running& of(const models::wf_context& c) {
    if (&c != last_) {
      last_ = &c;
      last_running_ = &contexts_[&c];
    }
    return *last_running_;
  }

  struct group {
    check::races* in = nullptr;
    check::workgroup_id id{};
  };
  check::races& of_launch(uint64_t number);

  const models::gpu& gpu_;
  check::finding_sink& sink_;
  // Launches that are on the machine at the same time know nothing of each other: each has one, and those of launches
  // that are over are taken again.
  std::map<uint64_t, std::unique_ptr<check::races>> launches_;  // by number
  std::vector<std::unique_ptr<check::races>> spare_;
  access_pieces pieces_;
  guessing_loads guesses_;
  polling_loads polls_;
  std::unordered_map<const models::wf_context*, running> contexts_;
  std::unordered_map<const models::resident_workgroup*, group> groups_;
  const models::wf_context* last_ = nullptr;
  running* last_running_ = nullptr;
};

}  // namespace pws::platform
