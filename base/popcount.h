// SPDX-License-Identifier: Apache-2.0
// How many bits of a mask are set: of active lanes, mostly. Where the host's instruction for it may be missing, the
// compiler's builtin is a call of a function of its library, which costs more than the bits are worth.
#pragma once

#include <cstdint>

namespace pws {

// How many bits of it are set.
inline uint32_t popcount(uint64_t mask) {
#ifdef __POPCNT__
  return static_cast<uint32_t>(__builtin_popcountll(mask));
#else
  // Sums of pairs, of four bits, of bytes, and of all bytes in the highest one.
  mask -= (mask >> 1) & 0x5555555555555555;
  mask = (mask & 0x3333333333333333) + ((mask >> 2) & 0x3333333333333333);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<uint32_t>((mask * 0x0101010101010101) >> 56);
#endif
}

}  // namespace pws
