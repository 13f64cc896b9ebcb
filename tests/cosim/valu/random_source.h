// SPDX-License-Identifier: Apache-2.0
// Reproducible random numbers: the same seed gives the same stimuli on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pws::cosim {

// splitmix64.
class random_source {
 public:
  explicit random_source(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
  }
  uint32_t word() { return static_cast<uint32_t>(next() >> 32); }
  // Below n, which is not 0.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  template <class T, size_t N>
  const T& one_of(const T (&list)[N]) {
    return list[below(N)];
  }

 private:
  uint64_t state_;
};

}  // namespace pws::cosim
