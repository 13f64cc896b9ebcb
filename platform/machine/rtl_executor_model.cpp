// SPDX-License-Identifier: Apache-2.0
// What the model executes for the RTL: memory, and what the unit leaves to it. It executes on the RTL's registers; in
// lockstep these are compared with its own before it reads them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "models/isa/predicates.h"
#include "platform/machine/lockstep_checker.h"
#include "platform/machine/rtl_executor.h"
#include "platform/machine/rtl_inputs.h"

namespace pws::platform::cosim {

using models::cycle_t;
using models::wf_context;
using rtl::spsimd_rtl;

void rtl_executor::execute_in_model(wf_context& c, const isa::inst& i, cycle_t now) {
  if (checker_ == nullptr)
    take_results(c, c.slot.value);
  else
    check_inputs(c, i, now);
  std::array<uint32_t, isa::scalar_count> before;
  std::copy_n(c.state.scalar, isa::scalar_count, before.begin());
  const spsimd_rtl::status_registers status = status_of(c.state);
  const bool scalar = i.unit == isa::unit::salu || i.unit == isa::unit::branch;
  if (checker_ != nullptr && scalar)
    execute_scalar_on_both(c, i, now);
  else
    i.exec(c.state, i);
  std::array<uint64_t, 2> changed{};
  for (unsigned k = 0; k < isa::scalar_count; ++k)
    if (before[k] != c.state.scalar[k]) add_register(changed, k);
  bool loads = changed[0] != 0 || changed[1] != 0;
  const spsimd_rtl::status_registers after = status_of(c.state);
  // What the instruction has not changed stays as the RTL has it.
  spsimd_rtl::status_registers to_load = rtl_->status(c.slot.value);
  const auto take_changed = [&](auto member) {
    if (after.*member == status.*member) return;
    to_load.*member = after.*member;
    loads = true;
  };
  take_changed(&spsimd_rtl::status_registers::scc);
  take_changed(&spsimd_rtl::status_registers::mode);
  take_changed(&spsimd_rtl::status_registers::trapsts);
  if (loads) rtl_->load(c.slot.value, c.state.scalar, changed, to_load);
}

// Lockstep: the registers that `i` is executed on are not the same on both sides.
void rtl_executor::refuse_to_execute(wf_context& c, const isa::inst& i, cycle_t now, const std::string& why) {
  issued_instruction at;
  describe(at, c, i, now);
  checker_->protocol(&at, now, why);
}

// Lockstep: what a scalar instruction gives from the RTL's registers is what it gives from the model's, whatever its
// decoded form says that it reads.
void rtl_executor::execute_scalar_on_both(wf_context& c, const isa::inst& i, cycle_t now) {
  isa::wave_state rtl = c.state;
  std::copy_n(rtl_->scalar(c.slot.value), isa::scalar_count, rtl.scalar);
  const spsimd_rtl::status_registers status = rtl_->status(c.slot.value);
  rtl.scc = status.scc;
  rtl.mode = status.mode;
  rtl.trapsts = status.trapsts;
  i.exec(rtl, i);
  i.exec(c.state, i);
  const auto require = [&](const auto& name, uint64_t model_gives, uint64_t rtl_gives) {
    if (model_gives == rtl_gives) return;
    refuse_to_execute(c, i, now,
                      fmt::format("the model executes this instruction for the RTL: {} is {:#x} by the model's "
                                  "registers, {:#x} by the RTL's",
                                  name(), model_gives, rtl_gives));
  };
  for (unsigned k = 0; k < i.n_writes; ++k)
    for (unsigned n = i.writes[k].first; !i.writes[k].is_vgpr && n < i.writes[k].first + i.writes[k].count; ++n)
      require([&] { return scalar_name(n); }, c.state.scalar[n], rtl.scalar[n]);
  if (i.writes_scc) require([] { return "scc"; }, c.state.scc ? 1 : 0, rtl.scc ? 1 : 0);
  require([] { return "the next pc"; }, c.state.pc, rtl.pc);
}

// Lockstep: what the model is about to read for `i` is what the RTL has at this moment, and none of it is on its way.
void rtl_executor::check_inputs(wf_context& c, const isa::inst& i, cycle_t now) {
  const auto require = [&](const auto& name, uint64_t model, uint64_t rtl) {
    if (model == rtl) return;
    refuse_to_execute(c, i, now,
                      fmt::format("{} is {:#x} in the model, {:#x} in the RTL, when it is read by this instruction, "
                                  "which the model executes for the RTL",
                                  name(), model, rtl));
  };
  const unsigned slot = c.slot.value;
  const uint32_t* scalar = nullptr;
  for (unsigned k = 0; k < i.n_reads; ++k) {
    const isa::inst::run& r = i.reads[k];
    if (r.is_vgpr) {
      check_arrived(c, i, r.first, r.count, now);
      continue;
    }
    if (scalar == nullptr) scalar = rtl_->scalar(slot);
    for (unsigned n = r.first; n < r.first + r.count && n < isa::scalar_count; ++n)
      require([&] { return scalar_name(n); }, c.state.scalar[n], scalar[n]);
  }
  if (isa::is_indexed(i, c.state.mode)) {  // M0 names the registers: any of them
    require([] { return scalar_name(isa::m0); }, c.state.scalar[isa::m0], rtl_->scalar(slot)[isa::m0]);
    check_arrived(c, i, 0, c.state.n_vgprs, now);
  }
  const auto named = [](const char* name) { return [name] { return name; }; };
  const spsimd_rtl::status_registers rtl = rtl_->status(slot);
  if (i.reads_scc) require(named("scc"), c.state.scc ? 1 : 0, rtl.scc ? 1 : 0);
  require(named("mode"), c.state.mode, rtl.mode);
  require(named("trapsts"), c.state.trapsts, rtl.trapsts);
  require(named("spm"), c.state.split_mask, rtl_->spm(slot));
}

// No instruction that is under way in the RTL writes one of `count` vector registers, which `i` reads.
void rtl_executor::check_arrived(wf_context& c, const isa::inst& i, unsigned first, unsigned count, cycle_t now) {
  for (unsigned v = 0; v < vector_count_; ++v) {
    const flight& f = vector_[(vector_first_ + v) % vector_slots];
    if (f.issued.context != &c || f.abandoned) continue;
    for (unsigned k = 0; k < f.n_results; ++k) {
      if (f.rtl[k].row < first || f.rtl[k].row >= first + count) continue;
      refuse_to_execute(c, i, now,
                        fmt::format("v{} is still on its way in the RTL, when it is read by this instruction, which "
                                    "the model executes for the RTL",
                                    f.rtl[k].row));
    }
  }
}

}  // namespace pws::platform::cosim
