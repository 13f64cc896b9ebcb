// SPDX-License-Identifier: Apache-2.0
// The warp formation paper's machines as threads see them (Fung et al., MICRO 2007, sections 3 and 4), written from the
// paper: which threads issue in which cycle. It knows no paths and shares no code with the machine. Where the paper is
// silent it does as docs/formation.md says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "tests/formation/thread_program.h"

namespace pws::test {

// Threads that issue an instruction in a cycle, in ascending order.
struct thread_issue {
  uint64_t cycle = 0;
  size_t instruction = 0;  // of the program
  std::vector<uint32_t> threads;
  bool operator==(const thread_issue& o) const {
    return cycle == o.cycle && instruction == o.instruction && threads == o.threads;
  }
};

// A pass through the program from the cycle after the barrier to the last thread's next one at it, by cycle, and in
// one of them by instruction. `came`: the threads that came to the barrier together, in the order in which they came,
// the last of them in cycle 0. `address`: of each instruction.
std::vector<thread_issue> predict(const thread_program& program, const models::machine_config& machine,
                                  const std::vector<std::vector<uint32_t>>& came, const std::vector<uint64_t>& address);

}  // namespace pws::test
