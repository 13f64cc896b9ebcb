// SPDX-License-Identifier: Apache-2.0
// Random structured kernels (tests/splitting/split_program.h): their bounds, and what they take on the machine.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/wcet/launch_bound.h"
#include "tests/splitting/batch_run.h"

namespace pws::test {

// How often the loops of random programs, and of timed trees, run at most.
constexpr uint64_t random_loop_bound = 3, tree_loop_bound = 4;

// The predictable machine with these dimensions.
struct machine_shape {
  uint32_t n_cu = 1, n_simd = 2, n_wfc = 4, valu_lanes = 16;
  models::divergence_kind scheme = models::divergence_kind::none;
  uint32_t s = 0;
};
models::machine_config predictable(const machine_shape& shape);

// Eleven of them, with every scheme that has a bound: what random programs run on.
std::vector<std::pair<std::string, models::machine_config>> soundness_machines();

// The bound of a launch of kernel `name`, with `timing` for the machine's constants. `work`: as wcet::launch_facts has
// it.
platform::scheme_bound bound_of(const loader::program_image& program, const std::string& name,
                                const models::machine_config& machine, const wcet::machine_timing& timing,
                                const batch_launch& launch, uint64_t loop_bound = random_loop_bound,
                                size_t work = 500'000);

}  // namespace pws::test
