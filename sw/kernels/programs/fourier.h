// Complex numbers of the device, and the host's Fourier transform in double precision with which results are compared.
#pragma once

#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

namespace program {

struct complex32 {
  float re, im;
};

__device__ __forceinline__ complex32 operator+(complex32 a, complex32 b) {
  return {a.re + b.re, a.im + b.im};
}
__device__ __forceinline__ complex32 operator-(complex32 a, complex32 b) {
  return {a.re - b.re, a.im - b.im};
}
__device__ __forceinline__ complex32 operator*(float a, complex32 b) {
  return {a * b.re, a * b.im};
}
__device__ __forceinline__ complex32 operator*(complex32 a, complex32 b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ __forceinline__ complex32 minus_i(complex32 a) {
  return {a.im, -a.re};
}

// exp(-2 pi i k / length), rounded once.
inline complex32 root_of_unity(uint32_t k, uint32_t length) {
  const double angle = -2 * M_PI * k / length;
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

using complex64 = std::complex<double>;

// One of the host's: by the least prime factor, from the whole down to the parts.
inline std::vector<complex64> transformed64(const std::vector<complex64>& values) {
  const size_t n = values.size();
  size_t parts = 2;
  while (parts < n && n % parts != 0) ++parts;
  if (n == 1) return values;
  std::vector<complex64> result(n), part(n / parts);
  for (size_t p = 0; p < parts; ++p) {
    for (size_t k = 0; k < n / parts; ++k) part[k] = values[k * parts + p];
    const std::vector<complex64> of_part = transformed64(part);
    for (size_t k = 0; k < n; ++k)
      result[k] += std::polar(1.0, -2 * M_PI * double(k * p % n) / double(n)) * of_part[k % (n / parts)];
  }
  return result;
}

// The greatest relative error of a transform, in the norm; got has a factor in front.
inline double greatest_error(const std::vector<complex32>& got, double factor, const std::vector<complex64>& want,
                             uint32_t length) {
  double greatest = 0;
  for (size_t start = 0; start < want.size(); start += length) {
    double off = 0, all = 0;
    for (size_t k = start; k < start + length; ++k) {
      off += std::norm(factor * complex64(got[k].re, got[k].im) - want[k]);
      all += std::norm(want[k]);
    }
    const double error = std::sqrt(off / all);
    if (std::isnan(error)) return INFINITY;
    greatest = std::max(greatest, error);
  }
  return greatest;
}

}  // namespace program
// SPDX-License-Identifier: Apache-2.0
