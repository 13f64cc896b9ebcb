// SPDX-License-Identifier: Apache-2.0
// Which memory instructions of a function reach which variable of its frame in private memory, told from code that
// clang has made for AMDGPU without optimisation. There the address of a variable begins as a constant that is the
// variable's place in the frame, in the function's first block, and is a FLAT address with the private aperture's high
// half behind it. It goes through registers and spill slots to the access; on the way something is added to it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/inst.h"

namespace pws::check {

// Bytes of the frame that belong together.
struct frame_object {
  uint64_t offset = 0, bytes = 0;
};

// The instruction at `pc` reaches the object of that index, plus or minus what the program has computed.
struct frame_access {
  uint64_t pc = 0;
  uint32_t object = 0;
};

// A function's accesses to its frame, in ascending order. What is not certain is left out: addresses that come from
// memory other than spill slots, from two objects at once, or from where several paths meet.
std::vector<frame_access> frame_accesses(const std::vector<isa::inst>& function,
                                         const std::vector<frame_object>& objects);

}  // namespace pws::check
