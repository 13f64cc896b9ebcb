// SPDX-License-Identifier: Apache-2.0
// Values that code computes, each by how it was made: what is made alike of the same values is the same value. By it
// one sees, without running the code, that an address is the same once more, and what depends on a loaded value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "models/isa/inst.h"

namespace pws::check {

using value_id = uint32_t;  // its number in a value_table; 0: none

class value_table {
 public:
  enum class kind : uint8_t {
    constant,   // a: its bits
    scalar,     // what the scalar register `a` held at first
    vector,     // what the vector register `a` held at first
    slot,       // what scratch held at first, `b` bytes behind the value_id a
    sum,        // of the value_id a and the constant b
    lane,       // lane b of the vector a
    with_lane,  // the vector a, but c in lane b
    both,       // a & b, bit by bit
    either,     // a | b
    differ      // a ^ b
  };
  struct node {
    std::optional<kind> is;  // none: made by an instruction
    uint32_t a = 0, b = 0, c = 0;
    bool depends = false;   // on what the load that is looked at has loaded
    bool of_frame = false;  // a place in the function's own frame
  };

  value_id constant(uint32_t bits) { return basic(kind::constant, bits); }
  value_id initial(const isa::inst::run& r) { return basic(r.is_vgpr ? kind::vector : kind::scalar, r.first); }
  value_id slot(value_id base, uint32_t offset) { return basic(kind::slot, base, offset); }
  value_id sum(value_id v, uint32_t more);
  value_id lane(value_id vector, uint32_t lane);
  value_id with_lane(value_id vector, uint32_t lane, value_id v) { return basic(kind::with_lane, vector, lane, v); }
  value_id both(value_id a, value_id b);
  value_id either(value_id a, value_id b);
  value_id differ(value_id a, value_id b);
  value_id inverted(value_id v) { return differ(v, constant(all_bits)); }
  // What the load that is looked at gets, another one each time.
  value_id loaded();
  // Made by an instruction: `how` has all that says how, the values `of` among it.
  value_id made(const std::vector<uint32_t>& how, const std::vector<value_id>& of, bool of_frame = false);

  const node& operator[](value_id v) const { return nodes_[v]; }
  std::optional<uint32_t> known(value_id v) const {
    return nodes_[v].is == kind::constant ? std::optional(nodes_[v].a) : std::nullopt;
  }
  // The value without a constant that was added to it, and that constant.
  struct place {
    value_id base;
    uint32_t offset;
  };
  place place_of(value_id v) const { return nodes_[v].is == kind::sum ? place{nodes_[v].a, nodes_[v].b} : place{v, 0}; }

 private:
  static constexpr uint32_t all_bits = ~uint32_t{0};
  value_id basic(kind k, uint32_t a, uint32_t b = 0, uint32_t c = 0);

  std::vector<node> nodes_{1};
  std::map<std::vector<uint32_t>, value_id> by_making_;
};

}  // namespace pws::check
