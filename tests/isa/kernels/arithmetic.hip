// Arithmetic of every width, conversions, transcendentals, selects: what makes the compiler use most of the vector ALU.
#include <hip/hip_runtime.h>

extern "C" __global__ void floats(float* out, const float* in, float k, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float y = __builtin_fmaf(x, k, -fabsf(in[i + n]));
  y += sinf(x) * cosf(k) + expf(-x) / sqrtf(k + 2.0f) + logf(fabsf(x));
  y = fminf(fmaxf(y, -1.0f), 1.0f) + floorf(x) - truncf(k) + rintf(x);
  y += x > 0.5f ? powf(x, 1.5f) : ldexpf(x, 3);
  out[i] = y / x;
}

extern "C" __global__ void doubles(double* out, const double* in, double k, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = in[i];
  x = __builtin_fma(x, k, -in[i + n]) / (k + 1.0);
  out[i] = sqrt(fabs(x)) + floor(x) + static_cast<double>(static_cast<float>(k)) * 4.0 + static_cast<int>(x);
}

extern "C" __global__ void halves(_Float16* out, const _Float16* in, _Float16 k) {
  const int i = threadIdx.x;
  out[i] = in[i] * k + static_cast<_Float16>(i) - in[i + 64] * static_cast<_Float16>(0.5f);
}

extern "C" __global__ void integers(long long* out, const int* in, unsigned m, unsigned long long w) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  const int a = in[2 * i], b = in[2 * i + 1];
  long long r = static_cast<long long>(a) * b + (a / (b | 1)) - (static_cast<unsigned>(a) % (m | 1));
  r += __popc(a) + __clz(b) + __ffs(a ^ b) + __brev(m) + __mulhi(a, b) + __umul24(a, b);
  r ^= static_cast<long long>(w >> (a & 63)) + (static_cast<long long>(w) >> (b & 63)) + (w << (m & 31));
  r += static_cast<long long>(w / (m | 3)) + (a < b ? w : m);
  out[i] = r;
}

extern "C" __global__ void bytes(unsigned char* out, const unsigned char* in, short* s, int n) {
  const int i = threadIdx.x;
  const unsigned char c = in[i];
  out[i] = static_cast<unsigned char>(c * 3 + (in[i + n] >> 2));
  s[i] = static_cast<short>(static_cast<signed char>(c) * 5 - s[i + 1]);
  out[i + n] = static_cast<unsigned char>(static_cast<float>(c) * 0.25f);
}
// SPDX-License-Identifier: Apache-2.0
