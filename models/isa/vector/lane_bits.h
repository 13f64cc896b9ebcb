// SPDX-License-Identifier: Apache-2.0
// Integer operations that are more than one C++ operator, on one lane, branch-free so that lane loops vectorise.
#pragma once

#include <cstdint>

#include "models/isa/integer.h"

namespace pws::isa {

// --- Bit fields ----------------------------------------------------------------------------------

inline uint32_t reverse_bits(uint32_t x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  return x >> 16 | x << 16;
}
inline uint32_t count_bits(uint32_t x) {
  x -= x >> 1 & 0x55555555u;
  x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0fu;
  return x * 0x01010101u >> 24;
}
// Zeros above the highest set bit, below the lowest; all ones if there is none.
inline uint32_t first_bit_high(uint32_t x) {
  uint32_t y = x | x >> 1;
  y |= y >> 2;
  y |= y >> 4;
  y |= y >> 8;
  y |= y >> 16;
  return x == 0 ? ~uint32_t{0} : count_bits(~y);
}
inline uint32_t first_bit_low(uint32_t x) {
  return x == 0 ? ~uint32_t{0} : count_bits(~x & (x - 1));
}

// {high, low} >> shift (0..31), low half.
inline uint32_t funnel_right(uint32_t high, uint32_t low, uint32_t shift) {
  return high << 1 << (31 - shift) | low >> shift;
}

// --- 24-bit operands -----------------------------------------------------------------------------

template <class T>
constexpr T low24(T x) {
  return extracted<T>(x, 0, 24);
}

// --- Bytes (GCN3 ISA, V_PERM_B32, V_SAD_U8, V_LERP_U8, V_MSAD_U8) --------------------------------

inline uint32_t byte_of(uint32_t x, unsigned n) {
  return x >> (8 * n) & 0xff;
}

// One byte of {high, low} by a selector: 0-7 a byte, low's first; 8-11 the sign of byte 1, 3, 5, 7; 12 zero; above all
// ones.
inline uint32_t permuted_byte(uint32_t high, uint32_t low, uint32_t selector) {
  const uint32_t byte = ((selector & 4) != 0 ? high : low) >> (8 * (selector & 3)) & 0xff;
  const uint32_t signs = (selector & 2) != 0 ? high : low;
  const uint32_t sign = ((selector & 1) != 0 ? signs >> 31 : signs >> 15) & 1;
  const uint32_t special = selector < 12 ? 0 - sign : selector == 12 ? 0 : ~uint32_t{0};
  return selector < 8 ? byte : special & 0xff;
}
inline uint32_t permute_bytes(uint32_t high, uint32_t low, uint32_t selectors) {
  return permuted_byte(high, low, byte_of(selectors, 0)) | permuted_byte(high, low, byte_of(selectors, 1)) << 8 |
         permuted_byte(high, low, byte_of(selectors, 2)) << 16 | permuted_byte(high, low, byte_of(selectors, 3)) << 24;
}
inline uint32_t distance(uint32_t a, uint32_t b) {
  return a > b ? a - b : b - a;
}
inline uint32_t byte_distances(uint32_t a, uint32_t b) {
  return distance(byte_of(a, 0), byte_of(b, 0)) + distance(byte_of(a, 1), byte_of(b, 1)) +
         distance(byte_of(a, 2), byte_of(b, 2)) + distance(byte_of(a, 3), byte_of(b, 3));
}
// Bytes of the reference b that are zero do not count.
inline uint32_t masked_byte_distances(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (unsigned n = 0; n < 4; ++n) sum += byte_of(b, n) == 0 ? 0 : distance(byte_of(a, n), byte_of(b, n));
  return sum;
}
inline uint32_t average_bytes(uint32_t a, uint32_t b, uint32_t round) {
  uint32_t r = 0;
  for (unsigned n = 0; n < 4; ++n) r |= (byte_of(a, n) + byte_of(b, n) + (byte_of(round, n) & 1)) >> 1 << (8 * n);
  return r;
}

}  // namespace pws::isa
