// SPDX-License-Identifier: Apache-2.0
// Compares everything that an instruction may change, and stops the run at the first difference with a report that says
// what to look at: kernel, workgroup, wavefront, PC, disassembly, lane, operands and both results in hex and as float,
// the command that runs it again, and a waveform of both sides around it.
#pragma once

#include "models/compute_unit/compute_unit.h"
#include "platform/machine/retirement.h"
#include "platform/machine/window_recorder.h"

namespace pws::platform::cosim {

// What a mismatch's message says of the run.
struct mismatch_context {
  std::string command;   // that reproduces the run; may be empty
  std::string waveform;  // file to write at a mismatch; empty: none
  uint64_t period_ps = 1000;
};

// "s4", "vcc_lo", "m0": the scalar register of that SSRC encoding.
std::string scalar_name(unsigned index);

class lockstep_checker : public checker {
 public:
  lockstep_checker(const models::compute_unit& cu, const mismatch_context& context) : cu_(cu), context_(context) {}
  void describe(const mismatch_context& context) { context_ = context; }  // before the run
  // Whose last cycles go into the waveform.
  void watch(const window_recorder& window) { window_ = &window; }

  // All throw reported_error at a difference.
  void retired(const issued_instruction& i, const retirement& model, const retirement& rtl,
               const std::array<uint64_t, 2>& registers) override;
  void next_pc(const issued_instruction& i, uint64_t model, uint64_t rtl) override;
  void split_registers(const split_event& e, const split_state& model, const split_state& rtl) override;
  void created(const split_event& e, const split_answer& model, const split_answer& rtl) override;
  void written_after_leaving(const split_event& e, unsigned index, uint32_t before, uint32_t now) override;
  void handed_over(const split_event& e, const char* where, unsigned index, uint32_t model, uint32_t rtl) override;
  void begins_with(const split_event& e, const char* name, uint32_t model, uint32_t rtl) override;
  void protocol(const issued_instruction* i, models::cycle_t at, const std::string& what) override;

 private:
  [[noreturn]] void fail(const models::wf_context& c, const isa::inst* i, models::cycle_t at, const std::string& what,
                         const issued_instruction* operands, int lane,
                         const window_recorder::disagreement& shown) const;

  const models::compute_unit& cu_;
  mismatch_context context_;
  const window_recorder* window_ = nullptr;
};

}  // namespace pws::platform::cosim
