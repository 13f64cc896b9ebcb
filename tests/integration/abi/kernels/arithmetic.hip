// Arithmetic that takes more than one instruction, or an unusual one.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cstdint>

extern "C" __global__ void wide_integers(const uint64_t* a, const uint64_t* b, uint64_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint64_t x = a[i], y = b[i] | 1;
  uint64_t* const p = out + 12 * i;
  p[0] = x / y, p[1] = x % y;
  p[2] = static_cast<uint64_t>(static_cast<int64_t>(x) / static_cast<int64_t>(y));
  p[3] = static_cast<uint64_t>(static_cast<int64_t>(x) % static_cast<int64_t>(y));
  p[4] = __umul64hi(x, y), p[5] = static_cast<uint64_t>(__mul64hi(static_cast<int64_t>(x), static_cast<int64_t>(y)));
  const unsigned __int128 w = static_cast<unsigned __int128>(x) * y + (static_cast<unsigned __int128>(y) << 70);
  p[6] = static_cast<uint64_t>(w), p[7] = static_cast<uint64_t>(w >> 64);
  p[8] = static_cast<uint64_t>(w >> (i % 128)), p[9] = static_cast<uint64_t>(static_cast<__int128>(w) >> (i % 100 + 20));
  p[10] = static_cast<uint32_t>(x) / (static_cast<uint32_t>(y) | 1) + (static_cast<int32_t>(x) % 7);
  p[11] = x << (y & 63) | x >> (64 - (y & 63) & 63);
}

extern "C" __global__ void bit_fields(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const uint32_t x = in[i];
  struct fields {
    uint32_t a : 3, b : 11;
    int32_t c : 9;
    uint32_t d : 9;
  } f;
  __builtin_memcpy(&f, &x, 4);
  f.b += 5;
  f.c -= 100;
  f.d ^= f.a;
  uint32_t y;
  __builtin_memcpy(&y, &f, 4);
  uint32_t* const p = out + 6 * i;
  p[0] = y;
  p[1] = static_cast<uint32_t>(f.c);
  p[2] = __builtin_amdgcn_ubfe(x, i % 32, 7) + static_cast<uint32_t>(__builtin_amdgcn_sbfe(static_cast<int>(x), i % 25, 6));
  p[3] = __builtin_amdgcn_alignbit(x, ~x, i & 31) ^ __builtin_amdgcn_perm(x, i, 0x05010400);
  p[4] = __builtin_amdgcn_sad_u8(x, ~x * 3, i) + __builtin_amdgcn_lerp(x, i, 0x01010101);
  p[5] = __builtin_bswap32(x) + __builtin_rotateleft32(x, i & 31);
}

// Four bytes at a time by hand: what a dot product is on a machine without the instruction.
extern "C" __global__ void dot_products(const uint32_t* a, const uint32_t* b, int32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  int32_t sum = 0;
  uint32_t usum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += static_cast<int8_t>(a[i] >> (8 * k)) * static_cast<int8_t>(b[i] >> (8 * k));
    usum += static_cast<uint8_t>(a[i] >> (8 * k)) * static_cast<uint8_t>(b[i] >> (8 * k));
  }
  const char4 c = {1, -2, 3, -4};
  out[3 * i] = sum;
  out[3 * i + 1] = static_cast<int32_t>(usum);
  out[3 * i + 2] = c.x * static_cast<int8_t>(a[i]) + c.w * static_cast<int8_t>(b[i]) +
                   static_cast<int16_t>(a[i] >> 16) * static_cast<int16_t>(b[i]);
}

// Pairs of halves, whose values and results are small integers and quarters: exact in f16.
extern "C" __global__ void halves(const float* in, float* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 a = __floats2half2_rn(in[2 * i], in[2 * i + 1]);
  const __half2 b = __floats2half2_rn(2.0f, -0.5f);
  const __half2 sum = __hadd2(a, b), product = __hmul2(a, b), fused = __hfma2(a, b, a), lower = __hsub2(b, a);
  float* const p = out + 10 * i;
  p[0] = __low2float(sum), p[1] = __high2float(sum), p[2] = __low2float(product), p[3] = __high2float(product);
  p[4] = __low2float(fused), p[5] = __high2float(fused), p[6] = __low2float(lower), p[7] = __high2float(lower);
  p[8] = __half2float(__low2half(a) > __high2half(a) ? __low2half(a) : __high2half(a));
  p[9] = __half2float(__hneg(__low2half(a)));
}
// SPDX-License-Identifier: Apache-2.0
