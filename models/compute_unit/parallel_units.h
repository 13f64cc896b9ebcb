// SPDX-License-Identifier: Apache-2.0
// Compute units that run at the same time, on threads of the host: functional fidelity with machine.threads above 1.
// Between two instants of SystemC each unit that is due runs what it would run in its turn. What the dispatcher hears
// of that comes in the order of the units' numbers, so all else is as with one thread; only wavefronts of different
// units that touch the same bytes do so in any order, as on hardware.
#pragma once

#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "models/compute_unit/unit_threads.h"
#include "models/memory/event_sequencer.h"

namespace pws::models {

class parallel_units final : public pass_runner {
 public:
  // `cus`: all of them, by their numbers in the sequencer; they must outlive it.
  parallel_units(size_t threads, const std::vector<compute_unit*>& cus) : threads_(threads), cus_(cus) {}

  bool run(const std::vector<size_t>& due, cycle_t now) override;

 private:
  unit_threads threads_;
  const std::vector<compute_unit*>& cus_;
};

}  // namespace pws::models
