// The check of numbers (models/check/numbers) on a machine.
#pragma once

#include "models/check/numbers/numbers.h"
#include "platform/check/access_pieces.h"
#include "platform/check/machine_check.h"
#include "platform/check/per_context.h"

namespace pws::platform {

class numbers_check : public machine_check {
 public:
  explicit numbers_check(check::finding_sink& sink) : numbers_(sink) {}

  interests wants() const override { return {true, true, true}; }
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;

 private:
  // Parts of a wavefront share its registers.
  check::number_shadow& of(uint32_t cu, const models::wf_context& c) { return waves_.of(cu, *c.tree.root); }

  check::numbers numbers_;
  access_pieces pieces_;
  per_context<check::number_shadow> waves_;
};

}  // namespace pws::platform
