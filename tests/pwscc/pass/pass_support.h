// SPDX-License-Identifier: Apache-2.0
// Compiles, splits and runs kernels for the tests of the pass.
#pragma once

#include <string>
#include <vector>

#include "sw/loader/program_image.h"
#include "sw/pwscc/split_pass.h"
#include "tests/integration/child_run.h"

namespace pws::test {

// Assembly of a HIP source below tests/pwscc/pass/kernels, as clang writes it for gfx803. Compiled once per process for
// the same flags.
const std::string& assembly_of(const std::string& source, const std::vector<std::string>& flags);

// The program of an assembly text. Throws std::runtime_error with the assembler's messages.
loader::program_image assembled(const std::string& text);

// `body` as the code of a kernel `k` with a descriptor that asks for 16 scalar and 16 vector registers; its argument is
// one pointer, in s[0:1] of the kernarg segment pointer.
std::string kernel_text(const std::string& body);

pwscc::pass_result place(const std::string& assembly, pwscc::split_choice choice, unsigned swf_contexts);

// Runs kernel_text()'s kernel, which writes a dword for each of 256 work-items.
struct text_result {
  std::vector<uint32_t> out;
  std::string error;
  uint64_t splits = 0, instructions = 0;
  models::cycle_t cycles = 0;
};
text_result run_text(const std::string& text, const models::machine_config& machine);

struct lane_inputs {
  std::vector<uint32_t> x, y;
  uint32_t u = 0;
};
// Different inputs for every work-item, many with few bits set so that all paths are taken.
lane_inputs inputs_for(uint32_t work_items, uint32_t seed);

struct lane_result {
  std::vector<uint32_t> out;
  std::string error;                // what stopped the machine
  uint64_t splits = 0, merges = 0;  // instructions executed
};
// Runs kernels of lane_functions.h, one after the other on one machine; fewer results if it stopped.
std::vector<lane_result> run_lane_kernels(const loader::program_image& program, const std::vector<std::string>& kernels,
                                          const lane_inputs& in, const models::machine_config& machine);

}  // namespace pws::test
