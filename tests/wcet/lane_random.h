// SPDX-License-Identifier: Apache-2.0
// Random descriptions of lane values, and rows of lanes that fit them.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "sw/wcet/lanes/lane_value.h"

namespace pws::test {

using wcet::lane_numbers;
using wcet::lane_relation;
using wcet::lane_value;
using wcet::lanes_per_wave;
using wcet::low_bits_mask;
using wcet::word_set;
using row_words = std::array<uint32_t, lanes_per_wave>;

class random_source {
 public:
  explicit random_source(uint64_t seed) : engine_(seed) {}
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine_() % n); }
  uint32_t any() { return static_cast<uint32_t>(engine_()); }
  bool one_in(uint32_t n) { return below(n) == 0; }
  // Numbers near the places where sums wrap around, small ones, and all others.
  uint32_t number() {
    switch (below(6)) {
      case 0:
        return below(70);
      case 1:
        return 0 - below(70);
      case 2:
        return (uint32_t{1} << 31) + below(129) - 64;
      case 3:
        return uint32_t{1} << below(32);
      case 4:
        return (uint32_t{1} << below(32)) - 1;
      default:
        return any();
    }
  }

 private:
  std::mt19937_64 engine_;
};

// A random description and a row of lanes that fits it.
struct described {
  lane_value value;
  row_words concrete;
};

// Numbers of all kinds, and one that is in them.
inline word_set random_set(random_source& r) {
  const unsigned known = r.one_in(3) ? r.below(32) : r.below(9);
  const uint32_t first = r.number();
  const uint32_t width = r.one_in(2) ? r.below(300) : r.any() >> r.below(32);
  return r.one_in(3)   ? word_set::constant(first)
         : r.one_in(2) ? word_set::aligned(known, first)
                       : word_set{first, width, first, static_cast<uint8_t>(known)}.reduced();
}
inline uint32_t member_of(const word_set& s, random_source& r) {
  const uint32_t step = r.any() % (s.width / (low_bits_mask(s.known) + 1ull) + 1);
  return s.is_constant() ? s.start : s.start + (step << s.known);
}

inline described random_lanes(random_source& r) {
  const word_set base = random_set(r);
  const auto member = [&] { return member_of(base, r); };
  row_words offset{};
  const uint32_t kind = r.below(6), stride = r.one_in(2) ? 1 + r.below(8) : r.number();
  for (unsigned l = 0; l < lanes_per_wave; ++l)
    offset[l] = kind == 0   ? 0
                : kind == 1 ? l
                : kind == 2 ? l * stride
                : kind == 3 ? l % 16 * stride + l / 16
                : kind == 4 ? 0 - l * stride
                            : r.number();
  lane_relation relation;
  row_words bases;
  const uint32_t shape = r.below(4);
  if (shape == 0) {
    bases.fill(member());
  } else if (shape == 1) {
    relation = lane_relation::each_its_own();
    for (uint32_t& b : bases) b = member();
  } else {
    // Classes in order or not; with an order few changes.
    const unsigned size = 1 + r.below(20), breaks = shape == 2 ? r.below(4) : 64;
    lane_numbers keys;
    for (unsigned l = 0; l < lanes_per_wave; ++l) keys[l] = l / size;
    relation = lane_relation::by_keys(keys, breaks);
    uint32_t now = member();
    unsigned changes = 0;
    std::array<uint32_t, lanes_per_wave> of_class{};
    for (unsigned c = 0; c < relation.classes; ++c) {
      if (c != 0 && changes < relation.breaks && r.one_in(2)) {
        now = member();
        ++changes;
      }
      of_class[c] = now;
    }
    for (unsigned l = 0; l < lanes_per_wave; ++l) bases[l] = of_class[relation.of[l]];
  }
  described d{lane_value(base, relation, offset), {}};
  for (unsigned l = 0; l < lanes_per_wave; ++l) d.concrete[l] = bases[l] + offset[l];
  return d;
}

}  // namespace pws::test
