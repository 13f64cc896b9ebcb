// SPDX-License-Identifier: Apache-2.0
// What random programs are made of that know no memory: the words that tell their work-items apart, computed from the
// work-items' numbers alone, and kernels without arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pws::test {

// Random bits of a work-item: conditions of its branches, and trips of its loops.
struct work_item_words {
  uint32_t conditions = 0, trips = 0;
};

class word_source {
 public:
  explicit word_source(uint64_t seed);
  work_item_words of(uint32_t work_item) const;
  // Vector registers that `code` writes. It writes s43, s44 and VCC too.
  struct registers {
    unsigned conditions, trips, scratch;
  };
  // Lines that compute the words of the work-item whose number is in v0.
  std::string code(const registers& to) const;

 private:
  uint32_t multiplier_, offset_;
  int by_bit_ = -1;  // of the work-item's number, which decides all conditions; -1: they are random
};

// An instruction, and the number of the one that it branches to; the number of lines is their end.
struct code_line {
  std::string text;
  std::optional<size_t> target;
};
// With labels, which begin with `name`.
std::string labelled(const std::vector<code_line>& lines, const std::string& name);

// An assembly file with kernels k0, k1, ... of this code, s_endpgm included. Each begins at a multiple of `alignment`
// bytes, and has v0 to v19 and s0 to s63.
std::string kernels_without_arguments(const std::vector<std::string>& code, unsigned alignment = 256);

}  // namespace pws::test
