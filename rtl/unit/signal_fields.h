// SPDX-License-Identifier: Apache-2.0
// Bits of the Verilated unit's ports: wide signals are arrays of 32-bit words, narrow ones numbers.
#pragma once

#include <verilated.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pws::rtl {

// A bit field of a wide signal: `width` bits (at most 32) from bit `at`.
template <std::size_t Words>
uint32_t field(const VlWide<Words>& w, unsigned at, unsigned width) {
  const unsigned word = at / 32, shift = at % 32;
  uint64_t v = w[word];
  if (shift + width > 32) v |= uint64_t{w[word + 1]} << 32;
  return static_cast<uint32_t>(v >> shift) & ((1u << width) - 1);
}
template <std::size_t Words>
void set_field(VlWide<Words>& w, unsigned at, unsigned width, uint32_t value) {
  for (unsigned k = 0; k < width; ++k) {
    const uint32_t bit = 1u << ((at + k) % 32);
    uint32_t& word = w[(at + k) / 32];
    word = (value >> k & 1) != 0 ? word | bit : word & ~bit;
  }
}
// The same in a signal that is narrow enough to be a number.
template <class Signal, class = std::enable_if_t<std::is_unsigned_v<Signal>>>
void set_field(Signal& signal, unsigned at, unsigned width, uint32_t value) {
  const uint64_t mask = ((uint64_t{1} << width) - 1) << at;
  signal = static_cast<Signal>((signal & ~mask) | (uint64_t{value} << at & mask));
}
template <std::size_t Words>
void clear(VlWide<Words>& w) {
  std::fill(std::begin(w.m_storage), std::end(w.m_storage), 0);
}
template <class Signal, class = std::enable_if_t<std::is_unsigned_v<Signal>>>
void clear(Signal& signal) {
  signal = 0;
}
template <std::size_t Words>
uint64_t qword(const VlWide<Words>& w, unsigned index) {
  return w[2 * index] | uint64_t{w[2 * index + 1]} << 32;
}
template <std::size_t Words>
void set_qword(VlWide<Words>& w, unsigned index, uint64_t v) {
  w[2 * index] = static_cast<uint32_t>(v);
  w[2 * index + 1] = static_cast<uint32_t>(v >> 32);
}

}  // namespace pws::rtl
