// SPDX-License-Identifier: Apache-2.0
// What a seed stands for: one generated program, how the GPU runs it, and the command lines that make both sides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::test {

// Where a lane's copy of the program's globals lives. The values are FUZZ_STATE in device/program_end.h.
enum class state_memory : uint8_t { scratch = 0, global = 1, lds = 2 };
const char* name_of(state_memory m);

struct recipe {
  uint64_t seed = 0;
  std::vector<std::string> generator_options;  // csmith's, without its seed
  uint32_t lanes = 70;                         // work-items of the grid; no multiple of the workgroup
  uint32_t workgroup = 64;                     // work-items
  uint32_t max_workgroup = 256;                // what registers are allocated for: 1024 leaves a lane 64 VGPRs
  bool uniform = false;                        // all lanes of a workgroup have the same input
  state_memory state = state_memory::scratch;
};

// A function of the seed alone. Uniform programs have their state in scratch, where the compiler can keep it in scalar
// registers.
recipe recipe_of(uint64_t seed);

// LDS holds a workgroup's copies or the state goes to global memory: known only once the size of a copy is.
void place_state(recipe& r, uint64_t state_bytes);

// Seeds give tiny and huge programs too; the generator's seeds derived from one seed are tried in turn until the text
// has this size in bytes.
struct size_limits {
  size_t min = 3'000, max = 24'000;
};
// The text that csmith prints for a recipe, and how many were passed over. Throws std::runtime_error if csmith fails or
// 200 programs in a row are too small or too large.
struct generated_program {
  std::string text;
  unsigned passed_over = 0;
};
generated_program generate(const recipe& r, const size_limits& limits);

// Command lines. `clang` is the compiler's path, `device_dir` the folder of program_begin.h.
struct toolchain {
  std::string clang, device_dir;
};
// The reference: sanitized, counting steps.
std::vector<std::string> reference_command(const toolchain& t, const recipe& r, const std::string& source,
                                           const std::string& output);
// Without sanitizers, at an optimisation level: does the program mean the same to the host compiler everywhere?
std::vector<std::string> plain_host_command(const toolchain& t, const recipe& r, const std::string& level,
                                            const std::string& source, const std::string& output);
// The kernel is called kernel_name(level).
std::string kernel_name(const std::string& level);
std::vector<std::string> device_command(const toolchain& t, const recipe& r, const std::string& level,
                                        const std::string& source, const std::string& output);

// Words joined, quoted for a shell where needed.
std::string shell_line(const std::vector<std::string>& command);

}  // namespace pws::test
