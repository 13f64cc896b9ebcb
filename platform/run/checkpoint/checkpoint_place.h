// SPDX-License-Identifier: Apache-2.0
// Where a run is saved: --checkpoint-at LAUNCH or LAUNCH+INSTRUCTIONS.
#pragma once

#include <cstdint>
#include <string>

namespace pws::platform {

struct checkpoint_place {
  uint64_t launch = 1;  // from 1; one more than there are launches: behind the last one
  // Executed in that launch by all wavefronts together; 0: before it begins.
  uint64_t instructions = 0;

  bool is_within_launch() const { return instructions != 0; }
  bool operator==(const checkpoint_place& o) const { return launch == o.launch && instructions == o.instructions; }
  // "2+1000", as it is given
  std::string text() const;
  // "before launch 2", "launch 2, behind 1000 instructions"
  std::string meaning() const;
};

// Throws input_error.
checkpoint_place checkpoint_place_in(const std::string& text);

}  // namespace pws::platform
