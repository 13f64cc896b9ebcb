// SPDX-License-Identifier: Apache-2.0
// The check of what is used before it is written (models/check/init), on a machine.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "models/check/init/init_checker.h"
#include "models/gpu/gpu.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/instruments/check/per_context.h"

namespace pws::platform {

class init_check : public machine_check {
 public:
  init_check(const models::gpu& gpu, check::finding_sink& sink);

  interests wants() const override { return {true, true, false}; }
  void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void launch_ended(uint64_t launch, bool completed, bool last) override;

  void allocated(uint64_t address, uint64_t bytes, const std::string& name) override;
  void host_wrote(uint64_t address, uint64_t bytes) override;
  void host_reads(uint64_t address, uint64_t bytes) override;
  void copied(uint64_t to, uint64_t from, uint64_t bytes) override;

 private:
  // What is known of a context of the machine, whichever wavefront is in it.
  struct shadow {
    check::init::context context;
    check::init::vector_shadow vectors;  // in a wavefront's own context
    uint64_t moves = 0;                  // of the paths of the wavefront whose own context it is
    uint64_t moves_seen = 0;             // of its wavefront, when it issued last
  };
  struct cu_shadows {
    std::unordered_map<const models::resident_workgroup*, check::init::lds_shadow> lds;
    shadow* latest = nullptr;  // that has issued
  };
  shadow& of(uint32_t cu, const models::wf_context& c) { return contexts_.of(cu, c); }

  check::init::init_checker checker_;
  std::vector<cu_shadows> cus_;
  per_context<shadow> contexts_;
  const bool paths_move_;  // from one context to another, or wait in a stack
};

}  // namespace pws::platform
