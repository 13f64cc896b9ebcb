// SPDX-License-Identifier: Apache-2.0
// The best alignment of two sequences of passes (Needleman, Wunsch): which passes of the one to execute together with
// equal ones of the other, so that the most instructions are shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sw/reconvergence/pass_table.h"

namespace pws::reconvergence {

struct aligned_pair {
  size_t a = 0, b = 0;  // places in the two sequences
};

// The result is exact. Time grows with the product of the lengths for sequences that have little in common, with the
// length alone for those that are nearly the same; memory with the length. Sequences and table must outlive this.
class alignment {
 public:
  alignment(const std::vector<pass_id>& a, const std::vector<pass_id>& b, const pass_table& passes);

  // Instructions that a best alignment shares.
  uint64_t shared() const { return shared_; }
  // A best alignment: pairs of equal passes, ascending in both sequences. Wherever both sequences go on with equal
  // passes, these are a pair: who goes on alike stays together.
  std::vector<aligned_pair> pairs() const;

 private:
  // Parts of both sequences, and what their best alignment does not share: the instructions that only one of the two
  // executes, each sequence's counted by itself.
  struct part {
    size_t a_begin, a_end, b_begin, b_end;
    uint64_t apart;
  };
  enum class direction : uint8_t { forward, backward };
  // By how far b has been read: instructions shared up to there at most, once a's part has been read from its begin
  // (forward), or from its end, to the row `to`. Only alignments with no more than `apart` unshared instructions count;
  // less than 0: there is none.
  template <direction d>
  std::vector<int64_t> row(const part& p, size_t to) const;
  uint64_t instructions_of(const part& p) const;
  int64_t excess_of(const part& p) const;
  uint64_t find_shared() const;
  void align(part p, std::vector<aligned_pair>& out) const;
  void divide(const part& p, std::vector<aligned_pair>& out) const;
  std::vector<aligned_pair> together_early(const std::vector<aligned_pair>& pairs) const;

  const std::vector<pass_id>&a_, &b_;
  const pass_table& passes_;
  std::vector<uint64_t> a_before_, b_before_;  // instructions before each pass, and of all
  uint64_t shared_ = 0;
};

}  // namespace pws::reconvergence
