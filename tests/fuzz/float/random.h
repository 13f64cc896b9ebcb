// SPDX-License-Identifier: Apache-2.0
// The generator's only source of chance: the same bytes from the same seed on every machine.
#pragma once

#include <cstdint>
#include <iterator>

namespace pws::test {

class random_source {
 public:
  // Mixed: consecutive seeds would be the same sequence, one step apart.
  explicit random_source(uint64_t seed) : state_(mixed(mixed(seed + 0x632be59bd9b4e019u))) {}

  // SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
  uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15u); }
  uint64_t below(uint64_t n) { return next() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  // In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  template <class Container>
  const auto& one_of(const Container& c) {
    return c[below(std::size(c))];
  }

 private:
  static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace pws::test
