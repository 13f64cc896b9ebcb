// SPDX-License-Identifier: Apache-2.0
// HIP (or gfx803 assembly) to a code object with split and merge in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

// A bound for the loop statement that begins in that line, as if a PWS_LOOP_BOUND stood in it.
struct stated_loop_bound {
  std::string file;  // its end, as "kernels/a.hip"; empty: any
  uint32_t line = 0;
  uint64_t bound = 0;
};

struct device_options {
  std::vector<std::string> flags;  // for clang, after its defaults for HIP (or, of assembly sources, for the assembler)
  pass_options pass;               // its marks are read from the source
  std::vector<stated_loop_bound> loop_bounds = {};  // for HIP; one that no loop statement has the line of is an error
  // p, ps and psr: of HIP, without splits. s is pass.choice all.
  divergence_code divergence = divergence_code::none;
  bool describe = false;           // fill the report's kernels; the code is the same
  bool find_dependencies = false;  // fill the result's dependencies
};

struct device_result {
  std::string before, after;         // assembly
  std::vector<uint8_t> code_object;  // of `after`, which it carries (loader::code_object::assembly)
  pass_report report;
  std::string diagnostics;  // the compiler's warnings
  // With find_dependencies, of HIP: files that it was made of (source, headers, plugins of the compiler).
  std::vector<std::filesystem::path> dependencies;
};

// clang's own messages; the compilation failed.
class compilation_failed : public input_error {
 public:
  using input_error::input_error;
};

// What clang is given for p, ps and psr, so that remove_checks() finds all checks; nothing for the others.
std::vector<std::string> predication_flags(divergence_code divergence);

// Sources that end in .s are gfx803 assembly. `name` is what messages call assembly. Throws input_error: no compiler,
// no device libraries, assembly that the pass cannot read; compilation_failed with clang's messages. With split points
// to be placed, clang is told not to copy code behind branches (-tail-dup-placement=0).
device_result compile_device(const std::filesystem::path& source, const device_options& options);

}  // namespace pws::pwscc
