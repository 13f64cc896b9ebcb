// SPDX-License-Identifier: Apache-2.0
// What program.split: auto comes to for the launches of a run: the code with splits or the code without, whichever has
// the shorter bound.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/output/report_part.h"

namespace pws::platform {

struct launch_choice {
  struct code {
    std::optional<uint64_t> bound;  // cycles, summed over the launches
    std::string problem;            // why there is none
  };
  code with_splits, without_splits;

  // Whether the code with splits is the one: also where both bounds are the same, and where there is none.
  bool splits() const {
    return !without_splits.bound || (with_splits.bound && *with_splits.bound <= *without_splits.bound);
  }
};

// One line: the code that is chosen, both bounds, and of a problem the beginning.
std::string text(const launch_choice& c);
const report_part<launch_choice>& launch_choice_part();

}  // namespace pws::platform
