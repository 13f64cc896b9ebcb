// SPDX-License-Identifier: Apache-2.0
// Inputs and results of the scalar instructions, by mnemonic.
#pragma once

#include <cstdint>
#include <vector>

namespace pws::isa::test {

struct scalar_vector {
  const char* mnemonic;
  uint64_t a = 0;       // first source; SOPK: the register
  uint64_t b = 0;       // second source; SOPK: the immediate; reads of the destination: its old value
  bool scc = false;     // before
  uint64_t result = 0;  // destination (compares: unused)
  bool result_scc = false;
};

const std::vector<scalar_vector>& scalar_vectors();

}  // namespace pws::isa::test
