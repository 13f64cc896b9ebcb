// SPDX-License-Identifier: Apache-2.0
// Many programs: worker processes, their results in the order of the seeds, and the summary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/csmith/check.h"

namespace pws::test {

struct campaign_options {
  uint64_t first_seed = 1;
  uint64_t programs = 40;  // seeds first_seed, first_seed + 1, ...
  unsigned jobs = 1;
  std::string source;  // check this file as every seed's program, instead of generating one
  bool list_executed = false;
  check_options check;
};

// Prints differences as they come and the summary at the end. True if every program was compared or discarded and none
// differs, and at least one was compared.
bool run_campaign(const campaign_options& options);

}  // namespace pws::test
