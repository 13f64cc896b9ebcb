// SPDX-License-Identifier: Apache-2.0
// Batches of random programs for co-simulation: from one number the machine, the programs and their launches.
#pragma once

#include <vector>

#include "tests/cosim/random_instructions.h"
#include "tests/splitting/batch_run.h"

namespace pws::test {

struct random_batch {
  static constexpr unsigned programs = 10;
  models::machine_config machine;  // lockstep
  loader::program_image program;
  std::vector<batch_launch> launches;
};

random_batch make_random_batch(uint64_t seed, random_instructions& instructions);

}  // namespace pws::test
