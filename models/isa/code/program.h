// SPDX-License-Identifier: Apache-2.0
// The program cache.
#pragma once

#include <cstdint>
#include <vector>

#include "models/isa/inst.h"

namespace pws::isa {

// The instructions of a code region, each decoded when first executed and cached by PC.
class program {
 public:
  // Region: device addresses [begin, begin + 4 * n_words); `words` is the host view of it and outlives this.
  program(const uint32_t* words, uint64_t begin, uint64_t n_words);
  // The instruction at pc. Throws program_error if pc is outside the region or unaligned, or as decode() does.
  const inst& at(uint64_t pc) {
    const uint64_t slot = (pc - begin_) >> 2;
    if (slot < cache_.size() && cache_[slot].exec != nullptr && (pc & 3) == 0) return cache_[slot];
    return decode_at(pc);
  }
  uint64_t begin() const { return begin_; }
  uint64_t end() const { return begin_ + 4 * cache_.size(); }
  // Its number in this process: of two programs, one of which was unloaded before the other came to its place, each has
  // its own. Copies have the same.
  uint64_t number() const { return number_; }

 private:
  const inst& decode_at(uint64_t pc);
  const uint32_t* words_;
  uint64_t begin_;
  uint64_t number_;
  std::vector<inst> cache_;
};

}  // namespace pws::isa
