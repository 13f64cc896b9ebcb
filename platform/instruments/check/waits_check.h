// SPDX-License-Identifier: Apache-2.0
// The check of waits (models/check/waits) on a machine: which context executes what, and what becomes of what it has
// under way when paths part and join.
#pragma once

#include <memory>
#include <vector>

#include "models/check/waits/waits_core.h"
#include "models/gpu/gpu.h"
#include "platform/instruments/check/machine_check.h"
#include "platform/instruments/check/per_context.h"
#include "platform/instruments/check/per_program.h"

namespace pws::platform {

class waits_check : public machine_check {
 public:
  waits_check(const models::gpu& gpu, check::finding_sink& sink);

  interests wants() const override { return {true, true, splits_}; }
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

 private:
  struct context {
    check::context_waits waits;
    const models::wf_context* joins = nullptr;  // an SWF: with whom it becomes one path again
    uint64_t lanes = 0;  // SpM behind its last instruction: another one means that another path has come
  };
  // Facts about a program's instructions, by address.
  struct program_facts {
    explicit program_facts(const isa::program& of) : begin(of.begin()), facts((of.end() - of.begin()) / 4) {}
    uint64_t begin;
    std::vector<check::instruction_facts> facts;
  };
  context& context_of(uint32_t cu, const models::wf_context& c);
  const check::instruction_facts& facts_of(const models::wf_context& c, const isa::inst& i);
  void path_changed(context& x);

  const models::gpu& gpu_;
  check::finding_sink& sink_;
  const bool splits_;
  const bool drains_;  // where paths part or join nothing is under way, or, where they wait in a stack, it is not known
  per_context<context> contexts_;
  per_program<program_facts> programs_;
  // The context that issues, or has issued last, in which compute unit.
  const models::wf_context* issuer_ = nullptr;
  context* issuer_context_ = nullptr;
  uint32_t issuer_cu_ = 0;
};

}  // namespace pws::platform
