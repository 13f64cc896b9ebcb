// Single precision functions: __expf, __logf, __sinf, __cosf, __fdividef, rsqrtf, sqrtf, sinf, cosf, powf, tanhf, erff,
// fmodf, rounding, with tolerances; special values; sqrt and division bit for bit.
#include <limits>

#include "check.h"

constexpr int n_results = 16;

__global__ void functions(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  const float positive = fabsf(x) + 0.25f;
  float* const row = out + i * n_results;
  row[0] = __expf(x * 0.25f);
  row[1] = __logf(positive);
  row[2] = __sinf(x);
  row[3] = __cosf(x);
  row[4] = __fdividef(x, positive);
  row[5] = rsqrtf(positive);
  row[6] = sinf(x * 1000);
  row[7] = cosf(x * 1000);
  row[8] = powf(positive, 1.7f);
  row[9] = tanhf(x);
  row[10] = erff(x);
  row[11] = fmodf(x * 100, 7.3f);
  row[12] = floorf(x) + 2 * ceilf(x) + 4 * truncf(x) + 8 * rintf(x);
  row[13] = sqrtf(positive);
  row[14] = x / positive;
  row[15] = fmaf(x, positive, -x);
}

__global__ void specials(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  out[i * 8] = fminf(x, 1.0f);
  out[i * 8 + 1] = fmaxf(x, 1.0f);
  out[i * 8 + 2] = sqrtf(x);
  out[i * 8 + 3] = 1.0f / x;
  out[i * 8 + 4] = expf(x);
  out[i * 8 + 5] = isnan(x) ? 1.0f : isinf(x) ? 2.0f : 3.0f;
  out[i * 8 + 6] = copysignf(2.0f, x);
  out[i * 8 + 7] = truncf(x);
}

int main() {
  // Error allowed in each result, of max(1, |value|); 0: bit for bit.
  const double tolerance[n_results] = {2e-5, 2e-6, 2e-5, 2e-5, 2e-6, 1e-6, 1e-6, 1e-6, 2e-6, 1e-6, 1e-6, 0, 0, 0, 0, 0};
  const int n = 515;
  check::random_source random(32);
  std::vector<float> in(n);
  for (auto& x : in) x = random.real(-3, 3);
  in[0] = 0;
  in[1] = 1;
  in[2] = -2.5f;
  check::device_array<float> device_in(in), device_out(n * n_results);
  functions<<<check::blocks_for(n, 64), 64>>>(device_in.get(), device_out.get(), n);
  CHECK_LAUNCH();
  const auto got = device_out.download();
  for (int i = 0; i < n; ++i) {
    const float x = in[i];
    const float positive = std::fabs(x) + 0.25f;
    const double d = static_cast<double>(positive);
    const double angle = static_cast<double>(x * 1000);
    const double want[n_results] = {
        std::exp(static_cast<double>(x * 0.25f)),
        std::log(d),
        std::sin(static_cast<double>(x)),
        std::cos(static_cast<double>(x)),
        static_cast<double>(x) / d,
        1 / std::sqrt(d),
        std::sin(angle),
        std::cos(angle),
        std::pow(d, static_cast<double>(1.7f)),
        std::tanh(static_cast<double>(x)),
        std::erf(static_cast<double>(x)),
        static_cast<double>(std::fmod(x * 100, 7.3f)),
        static_cast<double>(std::floor(x) + 2 * std::ceil(x) + 4 * std::trunc(x) + 8 * std::nearbyint(x)),
        static_cast<double>(std::sqrt(positive)),
        static_cast<double>(x / positive),
        static_cast<double>(std::fma(x, positive, -x))};
    for (int k = 0; k < n_results; ++k) {
      const double value = static_cast<double>(got[i * n_results + k]);
      CHECK(check::close_to(value, want[k], tolerance[k]), "result %d of %g: %.9g, expected %.9g", k,
            static_cast<double>(x), value, want[k]);
    }
  }

  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> special = {0.0f,  -0.0f,   infinity, -infinity, nan,
                                      -1.0f, 3.0e38f, 1.2e-38f, 4.0f,      16777217.0f};
  const int m = static_cast<int>(special.size());
  check::device_array<float> device_special(special), device_results(m * 8);
  specials<<<1, 64>>>(device_special.get(), device_results.get(), m);
  CHECK_LAUNCH();
  const auto results = device_results.download();
  for (int i = 0; i < m; ++i) {
    const float x = special[i];
    const float want[8] = {std::fmin(x, 1.0f),
                           std::fmax(x, 1.0f),
                           std::sqrt(x),
                           1.0f / x,
                           std::exp(x),
                           std::isnan(x)   ? 1.0f
                           : std::isinf(x) ? 2.0f
                                           : 3.0f,
                           std::copysign(2.0f, x),
                           std::trunc(x)};
    for (int k = 0; k < 8; ++k) {
      // Single precision denormals are flushed on this machine: 1 / 3e38 may be 0.
      const float value = results[i * 8 + k];
      const bool flushed = want[k] != 0 && std::fabs(want[k]) < std::numeric_limits<float>::min() && value == 0;
      CHECK(flushed || check::close_to(value, want[k], k == 4 ? 1e-6 : 0), "special result %d of %g: %g, expected %g",
            k, static_cast<double>(x), static_cast<double>(value), static_cast<double>(want[k]));
      if (want[k] == 0)
        CHECK(std::signbit(value) == std::signbit(want[k]), "sign of zero, result %d of %g", k, static_cast<double>(x));
    }
  }
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
