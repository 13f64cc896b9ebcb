// SPDX-License-Identifier: Apache-2.0
// Which path issued which instruction in which cycle, as the machine's observers hear of it.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/inst.h"
#include "models/machine/machine_config.h"
#include "sw/loader/program_image.h"

namespace pws::test {

struct observed_issue {
  uint64_t cycle = 0, pc = 0;
  uint64_t work_items = 0;  // of the path, among those that were launched
  uint64_t active = 0;      // of these
  uint32_t launch = 0, wavefront = 0;
  isa::unit unit = isa::unit::salu;
};

// Kernels k0, k1, ... one after the other on one machine, in a process of its own; each without arguments, in one
// workgroup of `work_items[k]`. Throws std::runtime_error if one of them does not come to its end.
std::vector<std::vector<observed_issue>> record_issues(const models::machine_config& machine,
                                                       const loader::program_image& image,
                                                       const std::vector<uint32_t>& work_items);

}  // namespace pws::test
