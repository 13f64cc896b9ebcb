// SPDX-License-Identifier: Apache-2.0
// What is known of a 32-bit register in all lanes of a wavefront at once, and arithmetic on it.
//
//   value(lane) = base(lane) + offset[lane]  modulo 2^32
//
// where each base is one of `base`, and the bases of lanes that `relation` puts together are equal. A uniform value has
// one class and no offsets; base + lane one class and offset[lane] = lane; an unknown gather address 64 classes, with
// what is known of its low bits in `base`.
//
// Beside that stands in how few places all lanes' values are (lane_cover.h), where the pattern does not say it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "sw/wcet/lanes/lane_cover.h"
#include "sw/wcet/lanes/lane_relation.h"
#include "sw/wcet/lanes/lane_word_set.h"

namespace pws::wcet {

struct lane_pattern {
  lane_relation relation;
  std::array<uint32_t, lanes_per_wave> offset{};
  int64_t lowest = 0, highest = 0;  // of the offsets as signed numbers, and of 0
  unsigned aligned = 32;            // low bits that are 0 in all of them
};

class lane_value {
 public:
  // Uniform.
  lane_value(const word_set& base = word_set::any());  // NOLINT: a uniform value is a lane value
  // Base and offsets as above. Where each lane has a class of its own, other offsets would say the same: they are made
  // the lanes' known low bits.
  lane_value(const word_set& base, const lane_relation& relation, const std::array<uint32_t, lanes_per_wave>& offset);
  static lane_value constant(uint32_t v) { return {word_set::constant(v)}; }
  static lane_value of_lanes(const std::array<uint32_t, lanes_per_wave>& v);
  // Nothing in common, but each of that set.
  static lane_value each_of(const word_set& s);
  static lane_value unknown() { return each_of(word_set::any()); }
  // Alike in lanes that agree, each of that set.
  static lane_value alike(const lane_relation& r, const word_set& s);

  const word_set& base() const { return base_; }
  const lane_relation& relation() const { return pattern_->relation; }
  uint32_t offset(unsigned lane) const { return pattern_->offset[lane]; }
  const std::array<uint32_t, lanes_per_wave>& offsets() const { return pattern_->offset; }
  bool same_pattern(const lane_value& o) const;
  // Without looking into patterns: true says that they are equal.
  bool is_same_as(const lane_value& o) const {
    return pattern_ == o.pattern_ && base_ == o.base_ && cover_ == o.cover_;
  }

  // Every lane's value is known.
  bool is_known() const { return base_.is_constant(); }
  bool is_uniform() const;
  // Known and the same in all lanes.
  std::optional<uint32_t> scalar() const;
  word_set in_lane(unsigned lane) const { return base_ + word_set::constant(offset(lane)); }
  // What any lane may hold.
  word_set anywhere() const;
  uint32_t highest() const { return anywhere().highest(); }
  // The low `base().known` bits, which are known lane by lane.
  uint32_t low_bits(unsigned lane) const { return (base_.residue + offset(lane)) & low_bits_mask(base_.known); }
  // Lanes that surely hold the same value.
  lane_relation equality() const;

  // All that is known of where the lanes' values are: by the pattern, and beside it.
  lane_cover cover() const;
  // As it is, with what `c` says too. For one of which the pattern alone does not say all.
  lane_value with_cover(const lane_cover& c) const;
  // Nothing is said but by the pattern.
  bool is_pattern_alone() const { return cover_ == nullptr; }
  // Nothing at all is known of any lane.
  bool is_unknown() const;
  // As covers of v: arcs that do not pass from 2^32 - 1 to 0.
  friend lane_cover cut_open(const lane_value& v);
  friend lane_value widen(const lane_value& before, const lane_value& now);
  friend bool operator==(const lane_value& a, const lane_value& b);

 private:
  void set_pattern(const lane_relation& relation, const std::array<uint32_t, lanes_per_wave>& offset);

  word_set base_;
  std::shared_ptr<const lane_pattern> pattern_;
  std::shared_ptr<const lane_cover> cover_;  // null: nothing beside the pattern
};

bool operator==(const lane_value& a, const lane_value& b);
inline bool operator!=(const lane_value& a, const lane_value& b) {
  return !(a == b);
}

// --- Arithmetic modulo 2^32 ----------------------------------------------------------------------

lane_value operator+(const lane_value& a, const lane_value& b);
lane_value operator-(const lane_value& a, const lane_value& b);
lane_value operator*(const lane_value& a, const lane_value& b);
lane_value operator&(const lane_value& a, const lane_value& b);
lane_value operator|(const lane_value& a, const lane_value& b);
lane_value operator^(const lane_value& a, const lane_value& b);
// By a number of bits below 32.
lane_value shifted_left(const lane_value& v, unsigned bits);
lane_value shifted_right(const lane_value& v, unsigned bits);
lane_value shifted_right_signed(const lane_value& v, unsigned bits);
// The upper half of the 64-bit product.
lane_value product_high(const lane_value& a, const lane_value& b);
// 1 where a + b is 2^32 or more; where a < b.
lane_value carry_of(const lane_value& a, const lane_value& b);
lane_value borrow_of(const lane_value& a, const lane_value& b);

lane_value smaller(const lane_value& a, const lane_value& b);  // unsigned
lane_value larger(const lane_value& a, const lane_value& b);
lane_value median(const lane_value& a, const lane_value& b, const lane_value& c);  // unsigned: the one in the middle

// In each lane a's or b's; lanes that agree in `choice` choose alike.
lane_value select(const lane_value& a, const lane_value& b, const lane_relation& choice);
// In each lane a's or b's, whichever.
lane_value mixed(const lane_value& a, const lane_value& b);
// Now's in those lanes, old's in the others. Of `there` alone anything has to hold.
lane_value replaced(const lane_value& old, const lane_value& now, uint64_t lanes, uint64_t there);
// `v` in those lanes. In the others, where anything holds, it has the offsets of `like`, so that two values that are
// the same where it matters are the same.
lane_value elsewhere_like(const lane_value& v, const lane_value& like, uint64_t lanes);
// `v`, of which each lane's number is in that set.
lane_value restricted(const lane_value& v, const word_set& in);
// In all lanes a's or in all lanes b's.
lane_value join(const lane_value& a, const lane_value& b);
lane_value widen(const lane_value& before, const lane_value& now);

}  // namespace pws::wcet
