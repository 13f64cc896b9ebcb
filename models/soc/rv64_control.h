// SPDX-License-Identifier: Apache-2.0
// Who may stop a hart between two instructions (rv64_cpu.h): a debugger. The whole simulation stands for as long as
// stopped() takes.
#pragma once

#include <cstdint>

namespace pws::models {

enum class hart_stop : uint8_t {
  asked,       // it was wanted: is_stop_wanted()
  step,        // the instruction that was wanted alone has been executed
  breakpoint,  // before an instruction at a breakpoint
  watchpoint,  // behind an instruction that has accessed what is watched
  failed       // the hart stops for good (rv64_cpu::failure())
};

class rv64_control {
 public:
  virtual ~rv64_control() = default;

  // Before each piece of work of the hart, which is at most a quantum long.
  virtual bool is_stop_wanted() = 0;
  // The next piece is to be one instruction.
  virtual bool wants_step() = 0;
  // `address`, `is_write`: of watchpoint.
  virtual void stopped(hart_stop why, uint64_t address, bool is_write) = 0;
};

}  // namespace pws::models
