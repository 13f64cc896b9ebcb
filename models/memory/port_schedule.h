// SPDX-License-Identifier: Apache-2.0
// When a port is taken, for a port whose transfers are announced out of order: a transfer that is ready early goes
// before one that was announced first but is ready later.
#pragma once

#include <algorithm>
#include <deque>

#include "models/machine/machine_config.h"

namespace pws::models {

class port_schedule {
 public:
  // Takes the port for `beats` cycles in a row, at `ready` or as soon after it as it is free so long, and returns the
  // first of them. Nothing that is `ready` before `now` will be asked for any more.
  cycle_t reserve(cycle_t ready, cycle_t beats, cycle_t now) {
    while (!taken_.empty() && taken_.front().end <= now) taken_.pop_front();
    auto next = std::find_if(taken_.begin(), taken_.end(), [&](const interval& i) { return i.end > ready; });
    cycle_t start = ready;
    for (; next != taken_.end() && next->begin < start + beats; ++next) start = std::max(start, next->end);
    if (next != taken_.begin() && (next - 1)->end == start) {
      (next - 1)->end += beats;
    } else {
      taken_.insert(next, {start, start + beats});
    }
    return start;
  }

 private:
  struct interval {
    cycle_t begin, end;
  };
  std::deque<interval> taken_;  // ascending, apart
};

}  // namespace pws::models
