// SPDX-License-Identifier: Apache-2.0
// machine.check.memory: accesses of a kernel's variables in private memory that leave the variable. Where the code
// object has no entries of variables, or is optimised, nothing is found.
#pragma once

#include <string>
#include <unordered_map>

#include "models/isa/inst.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/instruments/check/per_program.h"
#include "platform/machine/device_runtime.h"

namespace pws::platform {

class private_variables_check : public machine_check {
 public:
  private_variables_check(const device_runtime& runtime, check::finding_sink& sink) : runtime_(runtime), sink_(sink) {}

  interests wants() const override { return {true, false, false}; }
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;

 private:
  struct accesses {
    explicit accesses(const isa::program&) {}
    bool known = false;
    std::unordered_map<uint64_t, loader::frame_variable> by_pc;  // what the instruction there reaches
  };
  void read(accesses& to, isa::program& code) const;

  const device_runtime& runtime_;
  check::finding_sink& sink_;
  per_program<accesses> programs_;
};

}  // namespace pws::platform
