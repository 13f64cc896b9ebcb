// SPDX-License-Identifier: Apache-2.0
// Functions of one work-item, compiled for the GPU (a kernel each, below) and for the host. `x` and `y` differ from
// work-item to work-item; `u` is the same for all.
//
// Booleans that live over the point where the sides of a branch join, in the forms that clang gives them in scalar
// registers, and control flow that is no plain if/else.
#pragma once

#include <cstdint>

#ifdef __HIP__
#define LANE_FUNCTION static __device__ inline
#else
#define LANE_FUNCTION inline
#endif

// Work that is no select: long enough that the compiler keeps the branch.
LANE_FUNCTION uint32_t mix(uint32_t v) {
  v ^= v << 13;
  v ^= v >> 17;
  v ^= v << 5;
  v = v * 0x85ebca6bu + 0x1b873593u;
  v ^= v >> 15;
  v = v * 0xc2b2ae35u + 0xe6546b64u;
  v ^= v >> 13;
  return v;
}

// --- booleans ---

LANE_FUNCTION uint32_t bool_compared_on_each_side(uint32_t x, uint32_t y, uint32_t u) {
  bool flag;
  uint32_t v;
  if (x & 1) {
    v = mix(x + u);
    flag = (v & 6) == 2;
  } else {
    v = mix(mix(y) ^ u);
    flag = v > 0x80000000u;
  }
  v += mix(v);
  return flag ? v : v ^ 0xffu;
}

LANE_FUNCTION uint32_t bool_constant_on_each_side(uint32_t x, uint32_t y, uint32_t u) {
  bool flag;
  uint32_t v;
  if (x & 2) {
    v = mix(x);
    flag = true;
  } else {
    v = mix(y + 3);
    flag = false;
  }
  if (flag) v = mix(v + u) + 1;
  return v;
}

LANE_FUNCTION uint32_t bool_on_one_side_only(uint32_t x, uint32_t y, uint32_t u) {
  bool flag = y > x;
  uint32_t v = x;
  if (x & 4) {
    v = mix(x + u);
    flag = flag && (v & 1);
  } else {
    v = mix(y * 5);
  }
  if (flag) v = mix(v) ^ y;
  return v;
}

LANE_FUNCTION uint32_t bool_negated(uint32_t x, uint32_t y, uint32_t u) {
  bool flag = (y & 3) == 0;
  uint32_t v;
  if (x > y) {
    v = mix(x - u);
    flag = !flag;
  } else {
    v = mix(y + u);
  }
  if (!flag) v = mix(v + 7);
  return v;
}

LANE_FUNCTION uint32_t bool_pair(uint32_t x, uint32_t y, uint32_t u) {
  bool a, b;
  uint32_t v;
  if (x & 8) {
    v = mix(x);
    a = (v & 1) != 0;
    b = (v & 2) != 0;
  } else {
    v = mix(y);
    a = (v & 4) == 0;
    b = (v & 8) == 0;
  }
  if (a) v = mix(v + u);
  if (b) v = mix(v ^ u) + 11;
  if (a != b) v ^= mix(x ^ y);
  return v;
}

LANE_FUNCTION uint32_t bool_over_two_merges(uint32_t x, uint32_t y, uint32_t u) {
  bool flag;
  uint32_t v;
  if (x & 1) {
    if (y & 1) {
      v = mix(x);
      flag = v > x;
    } else {
      v = mix(y ^ 5);
      flag = v < y;
    }
    v = mix(v + u);
  } else {
    if (y & 2) {
      v = mix(x * 3);
      flag = (v & 16) != 0;
    } else {
      v = mix(y + 9);
      flag = (v & 32) == 0;
    }
    v = mix(v - u);
  }
  return flag ? mix(v) : v;
}

LANE_FUNCTION uint32_t bool_over_a_loop(uint32_t x, uint32_t y, uint32_t u) {
  bool found = false;
  uint32_t v = x;
  for (uint32_t k = 0; k < 6 + (u & 1); ++k) {
    if (v & 1) {
      v = mix(v + y);
      found = found || (v & 0xf0) == 0x30;
    } else {
      v = mix(v ^ k);
      found = found && (v & 1);
    }
  }
  return found ? v : ~v;
}

LANE_FUNCTION uint32_t bool_uniform(uint32_t x, uint32_t y, uint32_t u) {
  const bool flag = (u & 1) != 0;
  uint32_t v;
  if (x & 1) {
    v = flag ? mix(x) : mix(y);
  } else {
    v = flag ? mix(y + 1) : mix(x + 1);
  }
  return flag ? v : mix(v);
}

LANE_FUNCTION uint32_t carry_bits(uint32_t x, uint32_t y, uint32_t u) {
  uint64_t v = (static_cast<uint64_t>(x) << 32) | y;
  if (x & 1) {
    v += (static_cast<uint64_t>(mix(y)) << 20) + u;
    v ^= v >> 7;
  } else {
    v -= (static_cast<uint64_t>(mix(x)) << 10) + u;
    v *= 0x9e3779b97f4a7c15u;
  }
  return static_cast<uint32_t>(v ^ (v >> 32));
}

// --- control flow ---

LANE_FUNCTION uint32_t else_if_chain(uint32_t x, uint32_t y, uint32_t u) {
  if (x % 5 == 0) return mix(x) + u;
  if (x % 5 == 1) return mix(y) - u;
  if (x % 5 == 2) return mix(x ^ y);
  if (y & 1) return mix(mix(y));
  return x + y;
}

LANE_FUNCTION uint32_t short_circuit(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v;
  if ((x & 1) && mix(y) > u && (mix(x) & 3)) {
    v = mix(x + y);
  } else {
    v = mix(x - y) + 1;
  }
  if ((y & 1) || mix(x) < mix(y)) {
    v = mix(v);
  } else {
    v = mix(v + 3) ^ u;
  }
  return v;
}

LANE_FUNCTION uint32_t breaks_out(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = x;
  for (uint32_t k = 0; k < 10; ++k) {
    if (v & 1) {
      v = mix(v + y);
      if ((v & 0x70) == 0x20) break;
    } else {
      v = mix(v ^ u);
      if ((v & 0x700) == 0x300) break;
    }
    v += k;
  }
  return v;
}

LANE_FUNCTION uint32_t continues(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = x, sum = 0;
  for (uint32_t k = 0; k < 8; ++k) {
    v = mix(v + k);
    if ((v & 3) == 0) continue;
    if (v & 4) {
      if ((y & 7) == k) continue;
      sum += mix(v ^ u);
    } else {
      sum ^= mix(v + y);
    }
    sum += 3;
  }
  return sum;
}

LANE_FUNCTION uint32_t returns_early(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = mix(x);
  if (v & 1) {
    if (y & 1) return v + u;
    v = mix(v + y);
  } else {
    v = mix(v - y);
    if (v & 2) return v ^ 0x55;
  }
  return mix(v) + 1;
}

LANE_FUNCTION uint32_t switches(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = y;
  switch (x & 7) {
    case 0:
      v = mix(v + u);
      break;
    case 1:
      v = mix(v) ^ x;
    // falls through
    case 2:
      v = mix(v + 2);
      break;
    case 5:
      v = mix(mix(v));
      break;
    case 6:
      return v;
    default:
      v += x;
  }
  return v * 3;
}

LANE_FUNCTION uint32_t loop_in_each_side(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = x;
  if (y & 1) {
    for (uint32_t k = 0; k < (x & 7); ++k) v = mix(v + k);
  } else {
    while ((v & 0xf) != 0) v = mix(v ^ u) >> 1;
  }
  return v + y;
}

LANE_FUNCTION uint32_t divergent_loop_bounds(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = u;
  for (uint32_t k = 0; k < (x & 15); ++k) {
    if ((y >> k) & 1) {
      v = mix(v + k);
    } else {
      v = mix(v ^ y) + k;
      for (uint32_t j = 0; j < (v & 3); ++j) v += mix(j);
    }
  }
  return v;
}

LANE_FUNCTION uint32_t uniform_inside(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v;
  if (x & 1) {
    v = mix(x);
    for (uint32_t k = 0; k < (u & 3); ++k) v = mix(v + y);
    if (u & 4) v = mix(v) ^ 1;
  } else {
    v = mix(y);
    if (u & 8) {
      v = mix(v + 2);
    } else {
      v ^= 99;
    }
  }
  return v;
}

LANE_FUNCTION uint32_t goto_across(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = mix(x + u);
  if (x & 1) {
    if (y & 1) goto tail;
    v = mix(v + 1);
  } else {
    v = mix(v ^ y);
    if (y & 4) goto tail;
    v = mix(v + 5);
  }
  v ^= 0x1234;
tail:
  return mix(v);
}

LANE_FUNCTION uint32_t six_deep(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = y + u;
  if (x & 1) {
    if (x & 2) {
      if (x & 4) {
        if (x & 8) {
          if (x & 16) {
            v = (x & 32) ? mix(v) * 3 + mix(v + 1) : mix(v + 2) + mix(v + 3);
          } else {
            v = mix(v + 4);
          }
        } else {
          v = mix(v + 5);
        }
      } else {
        v = mix(v + 6);
      }
    } else {
      v = mix(v + 7);
    }
  } else {
    v = mix(v + 8);
  }
  return v;
}

LANE_FUNCTION uint32_t in_sequence(uint32_t x, uint32_t y, uint32_t u) {
  uint32_t v = u;
  if (x & 1)
    v += mix(x);
  else
    v ^= mix(y);
  if (y & 1)
    v += mix(v);
  else
    v ^= mix(v + 1);
  if (v & 1)
    v = mix(v + x);
  else
    v = mix(v + y);
  return v;
}

// 64-bit and floating point on both sides.
LANE_FUNCTION uint32_t floating(uint32_t x, uint32_t y, uint32_t u) {
  float f = static_cast<float>(x & 0xffff) * 0.25f;
  if (y & 1) {
    f = f * f + static_cast<float>(u & 7);
    f = f > 100.0f ? f * 0.5f : f + 3.0f;
    f = f * 1.5f - 2.0f;
  } else {
    f = f - static_cast<float>(y & 0xff);
    f = f < 0.0f ? -f : f * 2.0f;
    f = f + f * 0.125f;
  }
  return static_cast<uint32_t>(static_cast<int32_t>(f)) + (f > 1000.0f ? 1u : 0u);
}

// clang-format off
#define LANE_FUNCTIONS(F)                                                                                           \
  F(bool_compared_on_each_side) F(bool_constant_on_each_side) F(bool_on_one_side_only) F(bool_negated) F(bool_pair) \
  F(bool_over_two_merges) F(bool_over_a_loop) F(bool_uniform) F(carry_bits) F(else_if_chain) F(short_circuit)       \
  F(breaks_out) F(continues) F(returns_early) F(switches) F(loop_in_each_side) F(divergent_loop_bounds)             \
  F(uniform_inside) F(goto_across) F(six_deep) F(in_sequence) F(floating)
// clang-format on

#ifdef __HIP__
#define LANE_KERNEL(name)                                                                                     \
  extern "C" __global__ void name##_kernel(const uint32_t* xs, const uint32_t* ys, uint32_t* out, uint32_t u, \
                                           uint32_t n) {                                                      \
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    if (i < n) out[i] = name(xs[i], ys[i], u);                                                                \
  }
#endif
