// SPDX-License-Identifier: Apache-2.0
// The GPU's side: code objects of one program launched on a platform in a process of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "tests/fuzz/csmith/recipe.h"

namespace pws::test {

struct device_program {
  std::string file;    // code object
  std::string kernel;  // its name, different in each
};

struct device_launch {
  std::string error;                // what stopped the machine; "" if the kernel ended
  std::vector<uint64_t> checksums;  // one per lane
  uint64_t instructions = 0;        // wavefront instructions executed
};

struct device_result {
  std::string crash;  // how the platform's process died, with what it printed; "" if it did not
  std::vector<device_launch> launches;
  std::string findings;          // of the machine's checks, as they are printed
  std::vector<uint64_t> counts;  // coverage::counts()
};

// The machine that programs run on.
models::machine_config fuzz_machine(models::fidelity fidelity);

// Launches each program in turn on one machine, so that a later one finds the memory and scratch of the earlier
// ones. `state_bytes` is the size of a lane's globals.
device_result run_on_device(const std::vector<device_program>& programs, const recipe& r,
                            const std::vector<uint64_t>& inputs, uint64_t state_bytes,
                            const models::machine_config& machine);

}  // namespace pws::test
