// What the check of numbers knows of a wavefront: where the NaNs and infinities in its registers came from.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/check/finding.h"
#include "models/isa/opcode_row.h"

namespace pws::check {

// An instruction that has made a NaN or an infinity of numbers; of each lane the last time.
struct arisen_number {
  uint64_t pc = 0;
  const isa::opcode_row* row = nullptr;
  unsigned operands = 0;
  bool of_integers = false;  // a reciprocal of what has been an integer
  uint64_t value[4][64] = {};
  uint64_t result[64] = {};
};

class number_shadow {
 public:
  using mark = uint16_t;  // which of the arisen, from 1; 0: none

  void begin(const site& wave, unsigned vgprs) {
    who = wave;
    rows_.assign(vgprs, {});
    marked_ = 0;
    arisen_.clear();
    by_pc_.clear();
    scratch.clear();
  }

  // What a register holds. A number of 64 bits has its mark in the upper half.
  mark of(unsigned r, unsigned lane) const {
    return r < rows_.size() && (rows_[r].lanes >> lane & 1) != 0 ? rows_[r].marks[lane] : mark{0};
  }
  uint64_t lanes(unsigned r) const { return r < rows_.size() ? rows_[r].lanes : 0; }
  void set(unsigned r, unsigned lane, mark m) {
    if (r >= rows_.size()) return;
    row& x = rows_[r];
    const bool had = x.lanes != 0;
    x.lanes = (x.lanes & ~(uint64_t{1} << lane)) | uint64_t{m != 0} << lane;
    x.marks[lane] = m;
    marked_ += (x.lanes != 0 ? 1u : 0u) - (had ? 1u : 0u);
  }
  void clear(unsigned r, uint64_t lanes) {
    if (r >= rows_.size() || (rows_[r].lanes & lanes) == 0) return;
    rows_[r].lanes &= ~lanes;
    if (rows_[r].lanes == 0) --marked_;
  }
  void clear() {
    for (row& x : rows_) x.lanes = x.integers = 0;
    marked_ = 0;
  }
  bool any() const { return marked_ != 0; }

  // Lanes whose register holds an integer that was made a floating-point number.
  uint64_t integers(unsigned r) const { return r < rows_.size() ? rows_[r].integers : 0; }
  void set_integers(unsigned r, uint64_t lanes, uint64_t are) {
    if (r < rows_.size()) rows_[r].integers = (rows_[r].integers & ~lanes) | (are & lanes);
  }

  mark arisen_at(uint64_t pc) {
    const auto [at, is_new] = by_pc_.try_emplace(pc, static_cast<mark>(arisen_.size() + 1));
    if (is_new && arisen_.size() < most_arisen) {
      arisen_.emplace_back();
      arisen_.back().pc = pc;
    }
    return at->second <= arisen_.size() ? at->second : mark{0};
  }
  arisen_number& arisen(mark m) { return arisen_[m - 1]; }

  site who;
  std::unordered_map<uint64_t, mark> scratch;  // by device address

 private:
  static constexpr size_t most_arisen = 0xfff0;
  struct row {
    uint64_t lanes = 0;
    uint64_t integers = 0;
    std::array<mark, 64> marks{};
  };
  std::vector<row> rows_;
  unsigned marked_ = 0;  // registers
  std::vector<arisen_number> arisen_;
  std::unordered_map<uint64_t, mark> by_pc_;
};

}  // namespace pws::check
