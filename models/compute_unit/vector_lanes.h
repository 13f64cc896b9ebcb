// SPDX-License-Identifier: Apache-2.0
// mimd: the lanes of a vector ALU, each with an instruction of its own.
#pragma once

#include <algorithm>
#include <vector>

#include "models/machine/machine_config.h"

namespace pws::models {

class vector_lanes {
 public:
  explicit vector_lanes(uint32_t lanes) : free_from_(lanes) {}

  uint32_t free(cycle_t now) const {
    return static_cast<uint32_t>(
        std::count_if(free_from_.begin(), free_from_.end(), [now](cycle_t at) { return at <= now; }));
  }
  // Takes a lane that is free at `now`.
  void take(cycle_t now, cycle_t until) {
    *std::find_if(free_from_.begin(), free_from_.end(), [now](cycle_t at) { return at <= now; }) = until;
  }
  // The first cycle at which one is free.
  cycle_t next() const { return *std::min_element(free_from_.begin(), free_from_.end()); }

 private:
  std::vector<cycle_t> free_from_;
};

}  // namespace pws::models
