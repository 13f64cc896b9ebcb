// SPDX-License-Identifier: Apache-2.0
#include "models/machine/fill_pattern.h"

#include <cstring>

namespace pws::models {

namespace {

// splitmix64's finalizer: a bijection in which each bit depends on all.
uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

uint64_t stream_of(uint64_t seed, const filled_storage& s) {
  constexpr uint64_t odd = 0x9e3779b97f4a7c15;
  uint64_t x = seed;
  for (const uint64_t part : {static_cast<uint64_t>(s.what), s.launch, s.workgroup, s.wave}) x = mixed(x + odd + part);
  return x;
}

uint32_t random_word(uint64_t stream, uint64_t n) {
  return static_cast<uint32_t>(mixed(stream + n));
}

}  // namespace

uint32_t fill_pattern::word(const filled_storage& s, uint64_t n) const {
  switch (kind_) {
    case memory_fill::random:
      return random_word(stream_of(seed_, s), n);
    case memory_fill::poison:
      return poison_word;
    default:
      return 0;
  }
}

void fill_pattern::fill(void* to, uint64_t count, const filled_storage& s, uint64_t first) const {
  auto* at = static_cast<uint8_t*>(to);
  if (is_zero()) {
    std::memset(at, 0, count * sizeof(uint32_t));
    return;
  }
  const uint64_t stream = stream_of(seed_, s);
  for (uint64_t k = 0; k < count; ++k) {
    const uint32_t v = kind_ == memory_fill::random ? random_word(stream, first + k) : poison_word;
    std::memcpy(at + k * sizeof v, &v, sizeof v);
  }
}

}  // namespace pws::models
