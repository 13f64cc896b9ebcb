// SPDX-License-Identifier: Apache-2.0
#include "models/dispatch/code_in_memory.h"

#include <algorithm>

namespace pws::models {

std::shared_ptr<isa::program> code_in_memory::at(uint64_t entry) {
  std::shared_ptr<isa::program>& known = programs_[entry];
  if (known && known->holds()) return known;
  const uint64_t begin = entry - std::min(entry, reach);
  const uint64_t words = (entry - begin + std::min(reach, UINT64_MAX - entry)) / sizeof(uint32_t);
  known = std::make_shared<isa::program>(read_, begin, words);
  return known;
}

}  // namespace pws::models
