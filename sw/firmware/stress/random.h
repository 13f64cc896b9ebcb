// SPDX-License-Identifier: Apache-2.0
// Pseudo-random numbers: the same sequence for the same seed, whatever the machine is (SplitMix64).
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

typedef struct {
  uint64_t state;
} random_source;

static inline uint64_t random_next(random_source* r) {
  uint64_t z = r->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}
// Below n, which is not 0.
static inline uint64_t random_below(random_source* r, uint64_t n) {
  return random_next(r) % n;
}

#endif
