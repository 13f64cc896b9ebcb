// The check for races (models/check/races) on a machine.
#pragma once

#include <unordered_map>

#include "models/check/races/races.h"
#include "platform/check/access_pieces.h"
#include "platform/check/guessing_loads.h"
#include "platform/check/machine_check.h"
#include "platform/check/polling_loads.h"
#include "platform/gpu/virtual_platform.h"

namespace pws::platform {

class races_check : public machine_check {
 public:
  races_check(const virtual_platform& gpu, check::finding_sink& sink);

  void launch_begins(uint32_t launch) override;
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

  const virtual_platform& gpu_;
  check::races races_;
  access_pieces pieces_;
  guessing_loads guesses_;
  polling_loads polls_;
  std::unordered_map<const models::wf_context*, running> contexts_;
  std::unordered_map<const models::resident_workgroup*, check::workgroup_id> groups_;
  const models::wf_context* last_ = nullptr;
  running* last_running_ = nullptr;
};

}  // namespace pws::platform
