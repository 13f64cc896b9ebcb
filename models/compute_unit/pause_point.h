// SPDX-License-Identifier: Apache-2.0
// A place of a launch in functional fidelity between two instructions, at which somebody looks at the machine: how many
// instructions are still to be executed before it, by all compute units together.
#pragma once

#include <cstdint>
#include <functional>

namespace pws::models {

struct pause_point {
  uint64_t left = 0;  // instructions
  // Called there, once, by the compute unit that would execute the next instruction. The machine goes on when it
  // returns.
  std::function<void()> reached;

  // Before an instruction.
  void pass() {
    if (left == 0 && reached) {
      const auto call = std::move(reached);
      reached = nullptr;
      call();
    }
    --left;
  }
  // It has not been reached.
  bool is_ahead() const { return reached != nullptr; }
};

}  // namespace pws::models
