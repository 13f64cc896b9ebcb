// SPDX-License-Identifier: Apache-2.0
// The check for stale lines of caches (models/check/coherence) on a machine. The scalar and the instruction cache are
// each compute unit's own here; on hardware up to four share them.
#pragma once

#include <unordered_map>

#include "models/check/coherence/coherence.h"
#include "platform/instruments/check/access_pieces.h"
#include "platform/instruments/check/guessing_loads.h"
#include "platform/instruments/check/machine_check.h"

namespace pws::platform {

class coherence_check : public machine_check {
 public:
  coherence_check(uint32_t n_cu, check::finding_sink& sink) : n_cu_(n_cu), coherence_(sink, n_cu) {}

  void launch_begins(uint64_t launch, bool alone) override;
  void launch_ended(uint64_t launch, bool completed, bool last) override;
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void host_wrote(uint64_t address, uint64_t bytes) override { coherence_.host_wrote(address, bytes); }

 private:
  uint32_t path_of(const models::wf_context& c) {
    if (&c != last_) {
      last_ = &c;
      last_path_ = paths_[&c];
    }
    return last_path_;
  }

  const uint32_t n_cu_;
  check::coherence coherence_;
  access_pieces pieces_;
  guessing_loads guesses_;
  std::unordered_map<const models::wf_context*, uint32_t> paths_;
  const models::wf_context* last_ = nullptr;
  uint32_t last_path_ = 0;
};

}  // namespace pws::platform
