// Black and Scholes' prices of European options, call and put, with Abramowitz and Stegun's polynomial for the
// cumulative normal distribution (26.2.17).
//
// Sizes:      10007, 100003, 1000003 options; one in eight has expired
// Kernel:     price  options: spot, strike, years, rate, volatility f32[5] each; call, put f32[options]. One work-item
//                    per option, blocks of 128
// Divergence: an option has expired and is worth what its exercise brings, or it has not and is priced by the formula
//             (marked; one side is short). The distribution is a branch on the sign, twice per option (marked): its
//             sides take the polynomial as it is or from 1. Exponentials far below zero are 0, which is rare
// Rounding:   f32, not fused, in + - * / and square roots, which round correctly, and with logarithm and exponential of
//             this file's own: prices are the same on the host, equal bit for bit. Against double precision: the
//             polynomial is off by 2^-23.6 at most, and some 8 roundings in the distribution make 2^-21. An error of d1
//             is one of d2 as well, and these cancel in a price, because spot times the density at d1 is the discounted
//             strike times that at d2. What d2 and the discount have of their own makes some 2^-22. All together is
//             below 2^-20 of spot + strike
#include <cmath>

#include "program.h"

#pragma clang fp contract(off)

namespace {

constexpr uint32_t block = 128;

struct option {
  float spot, strike, years, rate, volatility;
};

// The functions from here to worth() are the host's as well.
#define BOTH __host__ __device__ inline

// For positive normal numbers: the exponent, and the series of 2 artanh((m - 1) / (m + 1)) for m from 0.7 to 1.4.
BOTH float logarithm(float value) {
  const uint32_t scaled = __builtin_bit_cast(uint32_t, value) - 0x3f330000;
  const float exponent = static_cast<float>(static_cast<int32_t>(scaled) >> 23);
  const float m = __builtin_bit_cast(float, (scaled & 0x7fffff) + 0x3f330000);
  const float s = (m - 1) / (m + 1), q = s * s;
  return exponent * 0.693147181f + 2 * s * (1 + q * (1 / 3.f + q * (0.2f + q * (1 / 7.f + q * (1 / 9.f)))));
}

// For numbers up to 1: a power of two, and the series for what is left, below 0.35. Far below zero it is 0, so that no
// difference of prices is a denormal number, which the device would take for 0.
BOTH float exponential(float value) {
  if (value < -60) return 0;
  const float power = floorf(value * 1.44269504f + 0.5f);
  // log 2 in two parts, of which the first has few bits: its product with the power is exact.
  const float x = value - power * 0.693359375f - power * -2.12194440e-4f;
  const float series =
      1 + x * (1 + x * (0.5f + x * (1 / 6.f + x * (1 / 24.f + x * (1 / 120.f + x * (1 / 720.f + x * (1 / 5040.f)))))));
  return series * __builtin_bit_cast(float, static_cast<uint32_t>(static_cast<int32_t>(power) + 127) << 23);
}

BOTH float polynomial(float k) {
  return k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
}

BOTH float cumulative_normal(float d) {
  constexpr float per_deviation = 0.2316419f, density_at_0 = 0.398942280f;
  const float density = density_at_0 * exponential(-0.5f * d * d);
  PWS_SPLIT();
  if (d < 0) {
    return density * polynomial(1 / (1 - per_deviation * d));
  } else {
    return 1 - density * polynomial(1 / (1 + per_deviation * d));
  }
}

struct prices {
  float call, put;
};

BOTH prices worth(const option& o) {
  PWS_SPLIT();
  if (o.years > 0) {
    const float root = o.volatility * sqrtf(o.years);
    const float drift = (o.rate + 0.5f * o.volatility * o.volatility) * o.years;
    const float d1 = (logarithm(o.spot / o.strike) + drift) / root, d2 = d1 - root;
    const float above1 = cumulative_normal(d1), above2 = cumulative_normal(d2);
    const float discounted = o.strike * exponential(-o.rate * o.years);
    return {o.spot * above1 - discounted * above2, discounted * (1 - above2) - o.spot * (1 - above1)};
  } else {
    const float gain = o.spot - o.strike;
    return {gain > 0 ? gain : 0, gain > 0 ? 0 : -gain};
  }
}

__global__ __launch_bounds__(block) void price(const option* options, float* call, float* put, uint32_t count) {
  const uint32_t k = blockIdx.x * block + threadIdx.x;
  if (k >= count) return;
  const prices p = worth(options[k]);
  call[k] = p.call;
  put[k] = p.put;
}

// By the host's functions, in double precision.
double distribution(double d) {
  return 0.5 * std::erfc(-d * M_SQRT1_2);
}

struct prices64 {
  double call, put;
};

prices64 worth64(const option& o) {
  const double spot = o.spot, strike = o.strike, years = o.years, rate = o.rate, volatility = o.volatility;
  if (years <= 0) return {std::fmax(spot - strike, 0), std::fmax(strike - spot, 0)};
  const double root = volatility * std::sqrt(years);
  const double d1 = (std::log(spot / strike) + (rate + volatility * volatility / 2) * years) / root;
  const double discounted = strike * std::exp(-rate * years);
  return {spot * distribution(d1) - discounted * distribution(d1 - root),
          discounted * distribution(root - d1) - spot * distribution(-d1)};
}

// What both sides use, against the host's double precision.
bool formulas_hold(program::random_source& random) {
  bool good = exponential(-61) == 0;
  const auto near = [&](double got, double want, double by) { good = good && std::fabs(got - want) <= by; };
  for (uint32_t k = 0; k < 1000; ++k) {
    const float ratio = random.real(0.05f, 20), power = random.real(-60, 1), d = random.real(-6, 6);
    near(logarithm(ratio), std::log(double(ratio)), 0x1p-21);
    near(exponential(power), std::exp(double(power)), 0x1p-21 * std::exp(double(power)));
    near(cumulative_normal(d), distribution(d), 0x1p-21);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t count = o.pick(10007u, 100003u, 1000003u);
  std::printf("black_scholes (%s): %u options, seed %u\n", o.size_name(), count, o.seed);
  program::random_source random(o.seed);
  std::vector<option> options(count);
  for (option& p : options) {
    p = {random.real(5, 100), random.real(5, 100), random.real(0.02f, 10), random.real(0, 0.08f),
         random.real(0.05f, 0.6f)};
    if (random.below(8) == 0) p.years = 0;
  }

  program::device_array<option> device_options(options);
  program::device_array<float> device_call(count), device_put(count);
  price<<<program::blocks_of(count, block), block>>>(device_options.get(), device_call.get(), device_put.get(), count);
  PROGRAM_LAUNCHED();
  const std::vector<float> call = device_call.download(), put = device_put.download();

  std::vector<float> expected_call, expected_put;
  bool near = true;
  double most = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const prices p = worth(options[k]);
    expected_call.push_back(p.call);
    expected_put.push_back(p.put);
    const prices64 exact = worth64(options[k]);
    const double off = std::fmax(std::fabs(call[k] - exact.call), std::fabs(put[k] - exact.put)) /
                       (double(options[k].spot) + options[k].strike);
    near = near && off <= 0x1p-20;
    most = std::fmax(most, off);
  }
  std::printf("at most %.3g of spot + strike from double precision\n", most);
  program::verdict verdict;
  verdict.that("formulas agree with double precision", formulas_hold(random));
  verdict.equal("call", call, expected_call);
  verdict.equal("put", put, expected_put);
  verdict.that("prices agree with double precision", near);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
