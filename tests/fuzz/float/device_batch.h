// SPDX-License-Identifier: Apache-2.0
// Programs launched on one platform in a process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/float/float_program.h"

namespace pws::test {

struct compiled_program {
  const float_program* program = nullptr;
  std::vector<uint8_t> code_object;
};

struct case_result {
  std::string error;              // what stopped the machine, "" if the kernel ended
  std::vector<uint64_t> outputs;  // outputs.size() of the case per lane
};

struct batch_result {
  std::string crash;                            // how the process died, with what it printed; "" if it did not
  std::vector<std::vector<case_result>> cases;  // by program; fewer where a program stopped the machine
  std::vector<uint64_t> counts;                 // coverage::counts()
};

batch_result run_batch(const std::vector<compiled_program>& programs);

}  // namespace pws::test
