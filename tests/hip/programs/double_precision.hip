// Double precision: block reduction, Newton iteration until convergence (divergent trip counts), fma, division and
// square root bit for bit, transcendental functions with a tolerance, conversions, special values.
#include <limits>

#include "check.h"

__global__ void sum_blocks(const double* in, double* out, int n) {
  __shared__ double part[256];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// Cube root by Newton's method; also the number of steps that it took.
__host__ __device__ inline double cube_root(double a, int* steps) {
#pragma clang fp contract(off)
  double x = a > 1 ? a : 1;
  int step = 0;
  for (; step < 200; ++step) {
    const double next = (2 * x + a / (x * x)) / 3;
    if (fabs(next - x) <= 1e-14 * fabs(next)) break;
    x = next;
  }
  *steps = step;
  return x;
}
__global__ void cube_roots(const double* in, double* out, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = cube_root(in[i], &steps[i]);
}
__global__ void exact(const double* a, const double* b, double* quotient, double* root, double* fused, int64_t* whole,
                      float* narrow, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  quotient[i] = a[i] / b[i];
  root[i] = sqrt(b[i]);
  fused[i] = fma(a[i], b[i], -1.0);
  whole[i] = static_cast<int64_t>(a[i]);
  narrow[i] = static_cast<float>(a[i]);
}
__global__ void functions(const double* in, double* sine, double* exponential, double* logarithm, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  sine[i] = sin(in[i]);
  exponential[i] = exp(in[i] * 0.1);
  logarithm[i] = log(fabs(in[i]));
}

template <typename T>
static void same_bits(const char* what, const std::vector<T>& got, const std::vector<T>& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    const bool both_nan = got[i] != got[i] && want[i] != want[i];
    CHECK(both_nan || std::memcmp(&got[i], &want[i], sizeof(T)) == 0, "%s[%zu]: %s, expected %s", what, i,
          check::text(got[i]).c_str(), check::text(want[i]).c_str());
  }
}

int main() {
  check::random_source random(11);
  const int n = 3333;
  std::vector<double> values(n);
  double sum = 0;
  for (auto& x : values) {
    x = static_cast<double>(random.below(1u << 30)) * 0x1p-10;  // sums are exact in any order
    sum += x;
  }
  check::device_array<double> device_values(values), partial(3);
  sum_blocks<<<3, 256>>>(device_values.get(), partial.get(), n);
  CHECK_LAUNCH();
  const auto parts = partial.download();
  CHECK(parts[0] + parts[1] + parts[2] == sum, "sum %.17g, expected %.17g", parts[0] + parts[1] + parts[2], sum);

  const int m = 200;
  std::vector<double> cubes(m), roots(m);
  std::vector<int> steps(m);
  for (int i = 0; i < m; ++i) {
    cubes[i] = std::ldexp(static_cast<double>(random.real(0.5f, 1)), static_cast<int>(random.below(60)) - 10);
    roots[i] = cube_root(cubes[i], &steps[i]);
  }
  check::device_array<double> device_cubes(cubes), device_roots(m);
  check::device_array<int> device_steps(m);
  cube_roots<<<check::blocks_for(m, 64), 64>>>(device_cubes.get(), device_roots.get(), device_steps.get(), m);
  CHECK_LAUNCH();
  same_bits("cube root", device_roots.download(), roots);
  CHECK_SAME("Newton steps", device_steps.download(), steps);

  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> a = {1, -1, 0, 1, -7, 1e300, 4.9e-324, 2.2250738585072014e-308, nan, infinity, 0, -0.0};
  std::vector<double> b = {3, 3, 0, 0, infinity, 1e-300, 2, 3, 1, infinity, 5, 7};
  while (a.size() < 150) {
    a.push_back(std::ldexp(static_cast<double>(random.real(-1, 1)), static_cast<int>(random.below(40))));
    b.push_back(std::ldexp(static_cast<double>(random.real(0.5f, 1)), static_cast<int>(random.below(100)) - 50));
  }
  const int k = static_cast<int>(a.size());
  std::vector<double> quotient(k), root(k), fused(k);
  std::vector<int64_t> whole(k);
  std::vector<float> narrow(k);
  for (int i = 0; i < k; ++i) {
    quotient[i] = a[i] / b[i];
    root[i] = std::sqrt(b[i]);
    fused[i] = std::fma(a[i], b[i], -1.0);
    narrow[i] = static_cast<float>(a[i]);
    whole[i] = std::fabs(a[i]) < 1e18 ? static_cast<int64_t>(a[i]) : 0;
  }
  check::device_array<double> device_a(a), device_b(b), device_quotient(k), device_root(k), device_fused(k);
  check::device_array<int64_t> device_whole(k);
  check::device_array<float> device_narrow(k);
  exact<<<1, 192>>>(device_a.get(), device_b.get(), device_quotient.get(), device_root.get(), device_fused.get(),
                    device_whole.get(), device_narrow.get(), k);
  CHECK_LAUNCH();
  same_bits("quotient", device_quotient.download(), quotient);
  same_bits("square root", device_root.download(), root);
  same_bits("fma", device_fused.download(), fused);
  auto got_whole = device_whole.download();
  for (int i = 0; i < k; ++i) {
    if (!(std::fabs(a[i]) < 1e18)) got_whole[i] = 0;  // undefined in C++, like the NaN
  }
  CHECK_SAME("int64_t", got_whole, whole);
  same_bits("float", device_narrow.download(), narrow);

  std::vector<double> angles(m), sine(m), exponential(m), logarithm(m);
  for (int i = 0; i < m; ++i) {
    angles[i] = static_cast<double>(random.real(-50, 50)) + 0.001;
    sine[i] = std::sin(angles[i]);
    exponential[i] = std::exp(angles[i] * 0.1);
    logarithm[i] = std::log(std::fabs(angles[i]));
  }
  check::device_array<double> device_angles(angles), device_sine(m), device_exponential(m), device_logarithm(m);
  functions<<<1, m>>>(device_angles.get(), device_sine.get(), device_exponential.get(), device_logarithm.get(), m);
  CHECK_LAUNCH();
  CHECK_NEAR("sin", device_sine.download(), sine, 1e-14);
  CHECK_NEAR("exp", device_exponential.download(), exponential, 1e-14);
  CHECK_NEAR("log", device_logarithm.download(), logarithm, 1e-14);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
