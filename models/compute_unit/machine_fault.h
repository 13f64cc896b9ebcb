// SPDX-License-Identifier: Apache-2.0
// What has stopped the machine: the text for a person, and what a driver reads of it in the fault registers.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace pws::models {

// What was wrong; the numbers are those of the register fault_cause.
enum class fault_cause : uint32_t {
  none,
  program,  // an instruction that the machine does not allow
  memory,   // an access that what is there does not allow
  packet,   // a packet, or what it names, that the machine cannot run
  limit,    // limits.max_cycles
  host      // the host asked for it
};

struct machine_fault {
  std::string message;
  fault_cause cause = fault_cause::none;
  uint64_t launch = 0;                  // its number; 0: it is in none
  uint64_t kernel_object = 0;           // of the kernel
  uint64_t pc = 0;                      // of the instruction
  int lane = program_error::no_lane;    // that is at fault
  uint64_t address = 0;                 // of the access; fault_cause::memory
  std::array<uint32_t, 3> workgroup{};  // in its grid
};

}  // namespace pws::models
