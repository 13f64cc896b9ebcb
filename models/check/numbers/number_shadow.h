// SPDX-License-Identifier: Apache-2.0
// What the check of numbers knows of a wavefront: where the NaNs and infinities in its registers came from, and what
// depends on one.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/check/finding.h"
#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"

namespace pws::check {

// Which of the arisen, from 1; 0: none.
using number_mark = uint16_t;
// Marks what depends on a NaN or an infinity that the program has been given: loaded, or a constant of its own.
constexpr number_mark given_number = 0xffff;

// Where something depends on two numbers, what the program was given counts more, since no finding comes of it.
inline number_mark joined(number_mark a, number_mark b) {
  if (a == 0 || b == given_number) return b;
  return a;
}

// An instruction that has made a NaN or an infinity of numbers; of each lane the last time.
struct arisen_number {
  enum class how : uint8_t {
    computed,   // of its operands
    divided,    // at the end of a division: v_div_fixup
    integers,   // a reciprocal of what has been an integer
    chosen,     // a constant that a mathematical function has as its result
    converted,  // by a store, which has more in its operands than one number
  };
  uint64_t pc = 0;
  const isa::opcode_row* row = nullptr;
  how made = how::computed;
  unsigned operands = 0;
  isa::type operand_type[4] = {};
  isa::type type = isa::type::none;  // of the result
  uint64_t lanes = 0;                // in which it has arisen
  uint64_t value[4][64] = {};
  uint64_t result[64] = {};
  std::string_view function;  // chosen
};

// A mark for each lane of something.
template <class Lanes>
struct marked_lanes {
  Lanes lanes = 0;
  std::array<number_mark, 8 * sizeof(Lanes)> marks{};

  number_mark of(unsigned lane) const { return (lanes >> lane & 1) != 0 ? marks[lane] : number_mark{0}; }
  void set(unsigned lane, number_mark m) {
    lanes = (lanes & ~(Lanes{1} << lane)) | Lanes{m != 0} << lane;
    marks[lane] = m;
  }
};

// Vector registers and scratch, which the parts of a wavefront share.
class number_shadow {
 public:
  void begin(const site& wave, unsigned vgprs) {
    who = wave;
    registers_ = vgprs;
    values_.assign(size_t{2} * vgprs, {});
    depends_.assign(vgprs, {});
    constants_.assign(vgprs, 0);
    integers_.assign(vgprs, 0);
    arisen_.clear();
    by_pc_.clear();
    scratch.clear();
    spilled.clear();
  }

  // What a register holds: a number of 32 bits, the upper half of one of 64, or, apart from each other, numbers of 16
  // bits in its halves. The lower half and the whole are one. Registers that are not there hold nothing.
  number_mark value(unsigned r, unsigned lane, bool upper = false) const {
    return r < registers_ ? values_[2 * r + upper].of(lane) : number_mark{0};
  }
  uint64_t marked(unsigned r) const { return r < registers_ ? values_[2 * r].lanes | values_[2 * r + 1].lanes : 0; }
  uint64_t marked(unsigned r, bool upper) const { return r < registers_ ? values_[2 * r + upper].lanes : 0; }
  void set_value(unsigned r, unsigned lane, number_mark m, bool upper = false) {
    if (r < registers_) values_[2 * r + upper].set(lane, m);
  }
  // On what a register depends, whatever it holds.
  number_mark dependence(unsigned r, unsigned lane) const {
    return r < registers_ ? depends_[r].of(lane) : number_mark{0};
  }
  uint64_t dependent(unsigned r) const { return r < registers_ ? depends_[r].lanes : 0; }
  void set_dependence(unsigned r, unsigned lane, number_mark m) {
    if (r < registers_) depends_[r].set(lane, m);
  }
  // Lanes whose register holds a constant of the code.
  uint64_t constants(unsigned r) const { return r < registers_ ? constants_[r] : 0; }
  void set_constants(unsigned r, uint64_t lanes, uint64_t are) {
    if (r < registers_) constants_[r] = (constants_[r] & ~lanes) | (are & lanes);
  }
  void forget_constants() { std::fill(constants_.begin(), constants_.end(), 0); }
  // Lanes whose register holds an integer that was made a floating-point number.
  uint64_t integers(unsigned r) const { return r < registers_ ? integers_[r] : 0; }
  void set_integers(unsigned r, uint64_t lanes, uint64_t are) {
    if (r < registers_) integers_[r] = (integers_[r] & ~lanes) | (are & lanes);
  }
  void clear_value(unsigned r, uint64_t lanes, bool upper) {
    if (r < registers_) values_[2 * r + upper].lanes &= ~lanes;
  }
  void clear_dependence(unsigned r, uint64_t lanes) {
    if (r < registers_) depends_[r].lanes &= ~lanes;
  }
  // Nothing is known of these lanes of a register any more.
  void clear(unsigned r, uint64_t lanes) {
    if (r >= registers_) return;
    values_[2 * r].lanes &= ~lanes;
    values_[2 * r + 1].lanes &= ~lanes;
    depends_[r].lanes &= ~lanes;
    constants_[r] &= ~lanes;
    integers_[r] &= ~lanes;
  }

  // 0 where there are too many.
  number_mark arisen_at(uint64_t pc) {
    const auto [at, is_new] = by_pc_.try_emplace(pc, static_cast<number_mark>(arisen_.size() + 1));
    if (is_new && arisen_.size() < most_arisen) {
      arisen_.emplace_back();
      arisen_.back().pc = pc;
    }
    return at->second <= arisen_.size() ? at->second : number_mark{0};
  }
  arisen_number& arisen(number_mark m) { return arisen_[m - 1u]; }

  site who;
  struct stored {
    number_mark value = 0, upper = 0, depends = 0;
  };
  std::unordered_map<uint64_t, stored> scratch;  // by device address
  // Masks, or halves of them, that v_writelane has put into a lane of a register: by register and lane.
  std::unordered_map<uint32_t, marked_lanes<uint32_t>> spilled;

 private:
  static constexpr size_t most_arisen = 0xfff0;
  unsigned registers_ = 0;
  std::vector<marked_lanes<uint64_t>> values_;   // two of each register
  std::vector<marked_lanes<uint64_t>> depends_;  // of each register
  std::vector<uint64_t> constants_, integers_;
  std::vector<arisen_number> arisen_;
  std::unordered_map<uint64_t, number_mark> by_pc_;
};

// Scalar registers, of which each part of a wavefront has its own.
struct scalar_numbers {
  struct value {
    number_mark mark = 0;
    uint8_t lane = 0;  // of the vector register that it was in
  };
  std::array<value, isa::scalar_count> values{};
  // For masks: a lane's bit depends on a number. Each register has 32 lanes.
  std::array<marked_lanes<uint32_t>, isa::scalar_count> depends{};
  std::bitset<isa::scalar_count> constants;  // of the code

  void clear(unsigned r) {
    if (r >= isa::scalar_count) return;
    values[r] = {};
    depends[r].lanes = 0;
    constants[r] = false;
  }
  number_mark mask_dependence(unsigned r, unsigned lane) const {
    const unsigned half = r + lane / 32;
    return half < isa::scalar_count ? depends[half].of(lane % 32) : number_mark{0};
  }
};

}  // namespace pws::check
