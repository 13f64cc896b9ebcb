// SPDX-License-Identifier: Apache-2.0
// Helpers to make kernel_case values: arguments from vectors, launch shapes, and a random generator that gives the same
// numbers on every machine (the standard distributions do not).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// Work-items that every 1-D kernel is tried with: around one wavefront and one workgroup, prime, and one million.
inline constexpr std::array<uint32_t, 10> case_sizes{1, 2, 63, 64, 65, 255, 1000, 4097, 100'003, 1'000'000};

// The splitmix64 sequence.
class random_source {
 public:
  explicit random_source(uint64_t seed) : state_(seed) {}
  uint64_t next();
  uint32_t below(uint32_t limit);        // 0 .. limit - 1; limit > 0
  float between(float low, float high);  // multiples of (high - low) / 2^23 from low, so never a denormal by chance
 private:
  uint64_t state_;
};

std::vector<float> random_f32(uint64_t seed, size_t count, float low = -1.0f, float high = 1.0f);
std::vector<uint32_t> random_u32(uint64_t seed, size_t count, uint32_t limit);
std::vector<uint8_t> random_u8(uint64_t seed, size_t count, uint32_t limit);

template <class T>
std::vector<uint8_t> to_bytes(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<uint8_t> bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class T>
kernel_case::arg scalar(std::string name, T value) {
  return {std::move(name), false, to_bytes(std::vector<T>{value}), {}};
}
// A buffer that the kernel must leave as it is.
template <class T>
kernel_case::arg input(std::string name, const std::vector<T>& values) {
  return {std::move(name), true, to_bytes(values), to_bytes(values)};
}
// A buffer that goes from `initial` to `expected`.
template <class T>
kernel_case::arg output(std::string name, const std::vector<T>& initial, const std::vector<T>& expected) {
  return {std::move(name), true, to_bytes(initial), to_bytes(expected)};
}
// What outputs hold before the launch, so that a missing store shows.
template <class T>
std::vector<T> unwritten(size_t count) {
  T value;
  std::memset(&value, 0xa5, sizeof value);
  return std::vector<T>(count, value);
}

constexpr uint32_t round_up(uint32_t value, uint32_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// An empty case with a 1-D grid of at least n work-items, n > 0. workgroup 0 means min(n, 256): small sizes then give
// partial wavefronts instead of bounds checks.
kernel_case linear_case(std::string name, const std::string& source_stem, std::string kernel, uint32_t n,
                        uint32_t workgroup = 0);

}  // namespace pws::reference
