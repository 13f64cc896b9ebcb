// SPDX-License-Identifier: Apache-2.0
// Device code as pwscc makes it, kept on disk: a run compiles its kernel once, not every time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/loader/compile_cache.h"
#include "sw/pwscc/device_compiler.h"

namespace pws::pwscc {

// What became of a branch.
struct placed_branch {
  std::string function;  // as in the assembly (mangled)
  bool split = false;
  unsigned carried_masks = 0;
};

struct cached_device {
  std::vector<uint8_t> code_object;
  std::string diagnostics;  // the compiler's warnings
  std::vector<placed_branch> branches;
  bool from_cache = false;
};

// As compile_device. What was made earlier is taken if the options, the compiler, this program and every file that was
// read are the same. Assembly, which has no list of the files that it includes, is assembled every time. A cache that
// cannot be written costs time only.
cached_device compile_cached(const std::filesystem::path& source, const device_options& options,
                             const loader::compile_cache& cache);

}  // namespace pws::pwscc
