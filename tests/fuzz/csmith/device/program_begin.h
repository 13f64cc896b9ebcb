// SPDX-License-Identifier: Apache-2.0
// First line of every generated program: what it needs on both sides, then `program_base`, from which the program's
// struct derives. On the GPU everything up to program_end.h is host and device code.
#pragma once

#ifndef __HIP__
#include <cstdio>
#include <cstdlib>
#include <cstring>
#endif

#ifdef __HIP__
#pragma clang force_cuda_host_device begin
#endif
#include "hiding_or.h"
#include "safe_math.h"

namespace fuzz {

inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 31)) * 0x7fb5d329728ea185;
  z = (z ^ (z >> 27)) * 0x81dadef4bc2dd44d;
  return z ^ (z >> 33);
}

// What a lane XORs into its k-th global: nothing for input 0 (lane 0 runs the program as generated), otherwise often
// nothing, often a small change (branches on small values are the likely ones), sometimes all 64 bits.
inline uint64_t perturbation(uint64_t input, uint32_t k) {
  if (input == 0) return 0;
  const uint64_t h = mix(input + k * 0x9e3779b97f4a7c15);
  const uint64_t bits = h >> 8;
  switch (h & 7) {
    case 0:
    case 1:
      return uint64_t{1} << (bits & 7);
    case 2:
      return bits & 0xf;
    case 3:
      return bits & 0xff;
    case 4:
      return mix(bits);
    default:
      return 0;
  }
}

inline uint64_t lane_input(uint64_t seed, uint32_t lane) {
  return lane == 0 ? 0 : mix(seed * 0x9e3779b97f4a7c15 + lane);
}

struct program_base {
  uint64_t checksum = 0x2545f4914f6cdd1d;
  void transparent_crc(uint64_t value, const char*, int) {
    checksum = (checksum ^ value) * 0x9e3779b97f4a7c15;
    checksum ^= checksum >> 29;
  }
};

}  // namespace fuzz

inline void* operator new(decltype(sizeof 0), void* where, fuzz::program_base*) noexcept {
  return where;
}

// What the generator's main() calls around the checksums.
#define platform_main_begin() ((void)0)
#define crc32_gentab() ((void)0)
#define crc32_context 0
#define platform_main_end(crc, flag) ((void)(crc), (void)(flag))
