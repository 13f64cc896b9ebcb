// SPDX-License-Identifier: Apache-2.0
// The Verilated vector ALU as a function on a wavefront's state: plays the register file and the issue logic around it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/isa/wave_state.h"

namespace pws::cosim {

// What one instruction did beside its effect on the registers.
struct valu_outcome {
  bool unsupported = false;
  unsigned cycles = 0;  // in which passes begin, that of the start included; 0 if unsupported
  unsigned waited = 0;  // cycles from the last of them until its results come out
  unsigned length = 0;  // dwords
  unsigned cycles_of_a_pass = 0;
  std::vector<unsigned> rows;  // vector registers written, in any lane
};

class rtl_valu {
 public:
  virtual ~rtl_valu() = default;
  // Executes the instruction on the state, whose 256 vector registers must be there. Throws std::logic_error where
  // the unit breaks its protocol: writes after an instruction's end, a scalar source that nothing can resolve, no end.
  virtual valu_outcome run(const uint32_t (&words)[2], isa::wave_state& s) = 0;
  // The decoder's answer alone.
  virtual bool supports(const uint32_t (&words)[2]) = 0;
  // A cycle without an instruction; throws std::logic_error if anything is written.
  virtual void idle_cycle() = 0;
  virtual unsigned lanes() const = 0;
  virtual unsigned stages() const = 0;
};

std::unique_ptr<rtl_valu> make_rtl_valu_16();
std::unique_ptr<rtl_valu> make_rtl_valu_64();

}  // namespace pws::cosim
