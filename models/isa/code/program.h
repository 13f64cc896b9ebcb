// SPDX-License-Identifier: Apache-2.0
// The program cache.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <vector>

#include "models/isa/inst.h"

namespace pws::isa {

// The instructions of a code region, each decoded when first executed and cached by PC. Several threads may ask for
// instructions at a time.
class program {
 public:
  // The word at a device address. Throws program_error where nothing is.
  using word_reader = std::function<uint32_t(uint64_t address)>;

  // Region: device addresses [begin, begin + 4 * n_words); `words` is the host view of it and outlives this.
  program(const uint32_t* words, uint64_t begin, uint64_t n_words);
  // Words are read when they are executed first. What is never executed takes no memory of the host.
  program(word_reader read, uint64_t begin, uint64_t n_words);

  // Has the number of the other, and decodes anew.
  program(const program& other);
  program& operator=(const program& other) { return *this = program(other); }
  program(program&&) = default;
  program& operator=(program&&) = default;
  ~program() = default;

  // The instruction at pc. Throws program_error if pc is outside the region or unaligned, or as decode() does.
  const inst& at(uint64_t pc) {
    const uint64_t slot = (pc - begin_) >> 2;
    if (slot < slots_ && is_decoded(slot) && (pc & 3) == 0) return cache_[slot];
    return decode_at(pc);
  }
  // The same where it has been decoded before; nullptr: it has not.
  const inst* decoded_at(uint64_t pc) const {
    const uint64_t slot = (pc - begin_) >> 2;
    return slot < slots_ && is_decoded(slot) && (pc & 3) == 0 ? &cache_[slot] : nullptr;
  }
  uint64_t begin() const { return begin_; }
  uint64_t end() const { return begin_ + 4 * slots_; }
  // Its number in this process: of two programs, one of which was unloaded before the other came to its place, each has
  // its own.
  uint64_t number() const { return number_; }
  // Whether what has been decoded still stands in memory so.
  bool holds() const;

 private:
  // What an instruction executes is written last.
  bool is_decoded(uint64_t slot) const { return __atomic_load_n(&cache_[slot].exec, __ATOMIC_ACQUIRE) != nullptr; }
  const inst& decode_at(uint64_t pc);
  word_reader read_;
  uint64_t begin_;
  uint64_t number_;
  uint64_t slots_;
  // Zeros, which the host provides when they are touched: no function executes an instruction that is not decoded.
  struct free_memory {
    void operator()(inst* p) const { std::free(p); }
  };
  std::unique_ptr<inst[], free_memory> cache_;
  std::vector<uint64_t> decoded_;  // slots, in the order of their first execution
};

}  // namespace pws::isa
