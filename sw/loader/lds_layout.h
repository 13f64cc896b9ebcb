// SPDX-License-Identifier: Apache-2.0
// Where clang places a kernel's variables in LDS. Its DWARF says of each that it is in LDS, and leaves the offset out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace pws::loader {

// A variable that may be in a kernel's LDS.
struct lds_variable {
  uint64_t bytes = 0;      // at least 1
  uint64_t alignment = 1;  // of its type
};

// The offsets of variables that a kernel has, all of them, in the order of the source. The compiler packs them by
// alignment and size.
struct lds_layout {
  std::vector<uint64_t> offsets;
  uint64_t bytes = 0;  // that a kernel declares which has nothing else
};
// As clang 15 packs them.
lds_layout layout_of(const std::vector<lds_variable>& all);

// Which of these a kernel has that declares so many bytes is not known, because it does without those that it does not
// use. The offset of each that it certainly has; none: not known.
std::vector<std::optional<uint64_t>> lds_offsets(const std::vector<lds_variable>& all, uint64_t declared_bytes);

}  // namespace pws::loader
