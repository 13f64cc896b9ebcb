// SPDX-License-Identifier: Apache-2.0
// Runs 64 vectors of one instruction on a Verilated unit and as an instruction on the reference model, and compares.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/wave_state.h"
#include "tests/cosim/float/float_cases.h"

namespace pws::rtl_test {

// One instruction on all 64 lanes.
struct float_batch {
  const float_case* what = nullptr;
  uint32_t mode = 0;          // HW_REG_MODE[9:0]
  unsigned neg = 0, abs = 0;  // a bit per source
  unsigned omod = 0;
  bool clamp = false;
  uint64_t flags = 0;  // the mask that is read
  std::array<operand_triple, isa::wave_size> operands{};
};

// A batch with random operands, mode and modifiers that the instruction has.
float_batch random_batch(random_bits& random, const float_case& c);

// What an instruction leaves behind; a compare has no results, most others no flags.
struct float_results {
  std::array<uint64_t, isa::wave_size> value{};
  uint64_t flags = 0;
};
float_results run_reference(const float_batch& batch);
float_results run_unit(float_units& units, const float_batch& batch);

// One line per lane that differs: instruction, mode, modifiers, operands, both results.
std::vector<std::string> differences(const float_batch& batch, const float_results& unit,
                                     const float_results& reference);

}  // namespace pws::rtl_test
