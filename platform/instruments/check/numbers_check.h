// SPDX-License-Identifier: Apache-2.0
// The check of numbers (models/check/numbers) on a machine.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "models/check/numbers/numbers.h"
#include "platform/instruments/check/access_pieces.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/instruments/check/per_context.h"
#include "platform/instruments/check/per_program.h"
#include "platform/machine/device_runtime.h"

namespace pws::platform {

// Code of the device libraries: functions of their own in code that is not optimised (__ocml_log_f64), and what was
// inlined from the headers that call them.
class library_functions : public check::function_names {
 public:
  explicit library_functions(const device_runtime& runtime) : runtime_(runtime) {}
  // Which program the next instructions belong to.
  void enter(const isa::program& code) { code_ = &code; }
  origin origin_of(const isa::inst& i) override;

 private:
  struct names {
    explicit names(const isa::program&) {}
    struct place {
      bool known = false;
      std::string function;
    };
    std::unordered_map<uint64_t, place> by_pc;
  };
  const device_runtime& runtime_;
  const isa::program* code_ = nullptr;
  per_program<names> programs_;
};

class numbers_check : public machine_check {
 public:
  numbers_check(const device_runtime& runtime, uint32_t n_cu, check::finding_sink& sink)
      : functions_(runtime), numbers_(sink, &functions_), latest_(n_cu) {}

  interests wants() const override { return {true, true, true}; }
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;

 private:
  // Parts of a wavefront share its vector registers; each has scalars of its own.
  check::numbers::path of(uint32_t cu, const models::wf_context& c) {
    return {waves_.of(cu, *c.tree.root), scalars_.of(cu, c)};
  }

  library_functions functions_;
  check::numbers numbers_;
  access_pieces pieces_;
  per_context<check::number_shadow> waves_;
  per_context<check::scalar_numbers> scalars_;
  struct issuer {
    const check::number_shadow* wave = nullptr;
    const check::scalar_numbers* scalars = nullptr;
  };
  std::vector<issuer> latest_;  // of each compute unit
};

}  // namespace pws::platform
