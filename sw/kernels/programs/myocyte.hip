// Cardiac myocytes: the membrane potential of independent cells over time, in the manner of the Luo-Rudy 1991 model
// with a transient outward current and a sarcoplasmic store of calcium: 12 ordinary differential equations a cell,
// stiff ones, integrated by Runge-Kutta-Fehlberg 4(5) with a step length of each cell's own.
//
// Sizes:      64, 512, 4096 cells over 10, 20, 50 intervals of 0.1 ms
// Kernel:     integrate  state f32[12][cells], in and out (mV, mM); stimulus f32[cells] in uA/cm^2; depth f32[cells], 0
//             at the heart's outer wall and 1 at the inner; step f32[cells] in ms, in and out; slopes
//             f32[5][12][cells], scratch; tried u32[cells], steps tried, and unfinished u32[cells], intervals not
//             completed, are added to. A launch is an interval; one work-item per cell, blocks of 64
// Divergence: in every slope on the potential, the sodium gates above and below -40 mV, and on the depth (two-sided,
//             marked); the release gate on calcium (two-sided, but a few multiplications); a step taken or repeated;
//             how many an interval takes, some 10 at rest and 2 in the plateau (loop)
// Rounding:   f32 on the device, exp and log within a few ulp. The reference is classic Runge-Kutta in f64 with
//             steps of its own: what is compared is the solution, not the method. Each step's error is held to 1e-4,
//             with 100 mV and 1 uM being 1. An upstroke has 400 mV/ms, so a thousandth of an interval earlier or
//             later is 0.04 mV: 0.25 mV, and 0.002 for gates, which follow the potential, and relatively for calcium
#include <algorithm>
#include <array>
#include <utility>

#include "program.h"

namespace {

constexpr uint32_t block = 64;
constexpr uint32_t stages = 6;
constexpr uint32_t most_tries = 16;  // steps of an interval; 0.1 ms at the stability limit of about 0.01 ms are 10
constexpr float interval = 0.1f;     // ms
constexpr uint32_t pulse = 5;        // intervals with stimulus
constexpr float tolerance = 1e-4f;
constexpr uint32_t reference_steps = 20;  // of an interval

enum variable : uint32_t { v, m, h, j, d, f, x, r, s, g, ca, store, variables };

// Fehlberg's coefficients; row k weighs the slopes before stage k.
__constant__ const float before[stages][stages - 1] = {{},
                                                       {1.f / 4},
                                                       {3.f / 32, 9.f / 32},
                                                       {1932.f / 2197, -7200.f / 2197, 7296.f / 2197},
                                                       {439.f / 216, -8, 3680.f / 513, -845.f / 4104},
                                                       {-8.f / 27, 2, -3544.f / 2565, 1859.f / 4104, -11.f / 40}};
__constant__ const float fifth_order[stages] = {16.f / 135, 0, 6656.f / 12825, 28561.f / 56430, -9.f / 50, 2.f / 55};
__constant__ const float fifth_less_fourth[stages] = {1.f / 360, 0, -128.f / 4275, -2197.f / 75240, 1.f / 50, 2.f / 55};

// u / (1 - exp(-u)), whose singularity at 0 can be removed.
__device__ __forceinline__ float linear_rate(float u) {
  const float rate = u / (1 - expf(-u));
  return fabsf(u) < 0.01f ? 1 + u * (0.5f + u * (1.f / 12)) : rate;
}

__device__ __forceinline__ float opening(float alpha, float beta, float gate) {
  return alpha * (1 - gate) - beta * gate;
}

__device__ __forceinline__ void slope(const float (&y)[variables], float stimulus, float depth,
                                      float (&dy)[variables]) {
  const float mv = y[v];
  dy[m] = opening(3.2f * linear_rate(0.1f * (mv + 47.13f)), 0.08f * expf(mv * (-1 / 11.f)), y[m]);

  // Above -40 mV the sodium channel's inactivation gates only close; below they also recover.
  PWS_SPLIT();
  if (mv >= -40) {
    dy[h] = -y[h] / (0.13f * (1 + expf((mv + 10.66f) * (-1 / 11.1f))));
    dy[j] = -0.3f * expf(-2.535e-7f * mv) / (1 + expf(-0.1f * (mv + 32))) * y[j];
  } else {
    dy[h] =
        opening(0.135f * expf((80 + mv) * (-1 / 6.8f)), 3.56f * expf(0.079f * mv) + 3.1e5f * expf(0.35f * mv), y[h]);
    const float alpha = (-1.2714e5f * expf(0.2444f * mv) - 3.474e-5f * expf(-0.04391f * mv)) * (mv + 37.78f) /
                        (1 + expf(0.311f * (mv + 79.23f)));
    dy[j] = opening(alpha, 0.1212f * expf(-0.01052f * mv) / (1 + expf(-0.1378f * (mv + 40.14f))), y[j]);
  }

  dy[d] = opening(0.095f * expf(-0.01f * (mv - 5)) / (1 + expf(-0.072f * (mv - 5))),
                  0.07f * expf(-0.017f * (mv + 44)) / (1 + expf(0.05f * (mv + 44))), y[d]);
  dy[f] = opening(0.012f * expf(-0.008f * (mv + 28)) / (1 + expf(0.15f * (mv + 28))),
                  0.0065f * expf(-0.02f * (mv + 30)) / (1 + expf(-0.2f * (mv + 30))), y[f]);
  dy[x] = opening(0.0005f * expf(0.083f * (mv + 50)) / (1 + expf(0.057f * (mv + 50))),
                  0.0013f * expf(-0.06f * (mv + 20)) / (1 + expf(-0.04f * (mv + 20))), y[x]);

  // Transient outward current: strong and quick to recover in the epicardium, weak and slow in the endocardium.
  dy[r] = (1 / (1 + expf((20 - mv) * (1 / 6.f))) - y[r]) / (9.5f * expf((mv + 40) * (mv + 40) * (-1 / 1800.f)) + 0.8f);
  float outward;
  PWS_SPLIT();
  if (depth < 0.5f) {
    const float above = expf((mv + 20) * 0.2f),
                time = 85 * expf((mv + 45) * (mv + 45) * (-1 / 320.f)) + 5 / (1 + expf((mv - 20) * 0.2f)) + 3;
    dy[s] = (1 / (1 + above) - y[s]) / time;
    outward = 0.294f;
  } else {
    const float above = expf((mv + 28) * 0.2f), time = 1000 * expf((mv + 67) * (mv + 67) * (-1 / 1000.f)) + 8;
    dy[s] = (1 / (1 + above) - y[s]) / time;
    outward = 0.073f;
  }

  // The store's release gate closes when calcium rises, steeply above 0.35 uM.
  const float c = y[ca] * (1 / 0.00035f), c2 = c * c, c6 = c2 * c2 * c2;
  if (c < 1) {
    dy[g] = (1 / (1 + c6) - y[g]) * 0.5f;
  } else {
    const float c16 = c6 * c6 * c2 * c2;
    dy[g] = (1 / (1 + c16) - y[g]) * 0.5f;
  }
  const float filled = y[store] * y[store] / (y[store] * y[store] + 0.0625f);
  const float release = (0.016464f * filled + 0.008232f) * y[d] * y[g], leak = 8e-5f * (y[store] - y[ca]);
  const float pumped = 0.000425f * y[ca] * y[ca] / (y[ca] * y[ca] + 6.25e-8f);
  const float calcium = 0.09f * y[d] * y[f] * (mv - (7.7f - 13.0287f * logf(y[ca])));
  dy[ca] = -1e-4f * calcium + 0.07f * (1e-4f - y[ca]) + 0.02f * (release + leak - pumped);
  dy[store] = 0.3f * (pumped - release - leak);

  // (exp(0.04 u) - 1) / u by way of the rate above: exp(w) - 1 = w exp(w) / rate(w).
  const float w = 0.04f * (mv + 77);
  const float rectified = 2.837f * 0.04f * expf(w - 0.04f * (mv + 35)) / linear_rate(w);
  const float over = mv + 87.26f;  // the potassium current's reversal potential
  const float alpha1 = 1.02f / (1 + expf(0.2385f * (over - 59.215f)));
  const float beta1 = (0.49124f * expf(0.08032f * (over + 5.476f)) + expf(0.06175f * (over - 594.31f))) /
                      (1 + expf(-0.5143f * (over + 4.753f)));
  const float sodium = 23 * y[m] * y[m] * y[m] * y[h] * y[j] * (mv - 54.4f);
  const float potassium = 0.282f * y[x] * rectified * (mv + 77) + 0.6047f * alpha1 / (alpha1 + beta1) * over +
                          0.0183f / (1 + expf((7.488f - mv) * (1 / 5.98f))) * over + outward * y[r] * y[s] * over;
  dy[v] = stimulus - sodium - calcium - potassium - 0.03921f * (mv + 59.87f);
}

template <uint32_t cells>
__global__ __launch_bounds__(block) void integrate(float* state, bool stimulated, const float* stimulus,
                                                   const float* depth, float* step, float* slopes, uint32_t* tried,
                                                   uint32_t* unfinished) {
  const uint32_t cell = blockIdx.x * block + threadIdx.x;
  if (cell >= cells) return;
  float y[variables];
#pragma unroll
  for (uint32_t k = 0; k < variables; ++k) y[k] = state[k * cells + cell];
  float length = step[cell], left = interval;
  uint32_t tries = 0;

#pragma unroll 1
  for (; tries < most_tries && left > 0; ++tries) {
    PWS_LOOP_BOUND(most_tries);
    const float now = fminf(length, left);
    float sum[variables] = {}, difference[variables] = {};
#pragma unroll 1
    for (uint32_t stage = 0; stage < stages; ++stage) {
      PWS_LOOP_BOUND(stages);
      float at[variables], dy[variables];
#pragma unroll
      for (uint32_t k = 0; k < variables; ++k) at[k] = y[k];
        // Earlier slopes are in memory: 60 more registers would leave room for one wavefront instead of two.
#pragma unroll 1
      for (uint32_t earlier = 0; earlier < stage; ++earlier) {
        PWS_LOOP_BOUND(stages - 1);
        const float weight = now * before[stage][earlier];
#pragma unroll
        for (uint32_t k = 0; k < variables; ++k) at[k] += weight * slopes[(earlier * variables + k) * cells + cell];
      }
      slope(at, stimulated ? stimulus[cell] : 0.f, depth[cell], dy);
#pragma unroll
      for (uint32_t k = 0; k < variables; ++k) {
        sum[k] += fifth_order[stage] * dy[k];
        difference[k] += fifth_less_fourth[stage] * dy[k];
      }
      if (stage < stages - 1) {
#pragma unroll
        for (uint32_t k = 0; k < variables; ++k) slopes[(stage * variables + k) * cells + cell] = dy[k];
      }
    }

    // Gates are between 0 and 1; the others are scaled to about that. A NaN, from calcium below 0, must stay one.
    float squares = 0;
#pragma unroll
    for (uint32_t k = 0; k < variables; ++k) {
      const float error = now * difference[k] * (k == v ? 0.01f : k == ca ? 1000.f : 1.f) * (1 / tolerance);
      squares += error * error;
    }
    // The estimate goes with the fifth power of the step; its fourth root, from its square by three square roots, is a
    // little more careful.
    const float next = now * fminf(fmaxf(0.9f / sqrtf(sqrtf(sqrtf(squares + 1e-12f))), 0.2f), 4.f);
    if (squares <= 1) {
#pragma unroll
      for (uint32_t k = 0; k < variables; ++k) y[k] += now * sum[k];
      left -= now;
      length = now < length ? fmaxf(length, next) : next;  // the interval's rest may have been very short
    } else {
      length = next;
    }
  }

#pragma unroll
  for (uint32_t k = 0; k < variables; ++k) state[k * cells + cell] = y[k];
  step[cell] = length;
  tried[cell] += tries;
  unfinished[cell] += left > 0;
}

// The same equations as textbooks have them: a gate moves towards a steady state with a time constant.
struct cell_model {
  double stimulus;
  bool epicardial;

  using values = std::array<double, variables>;

  static std::pair<double, double> of_rates(double alpha, double beta) {
    return {alpha / (alpha + beta), 1 / (alpha + beta)};
  }
  // Steady state and time constant.
  std::pair<double, double> gate(uint32_t which, double mv, double calcium) const {
    using std::exp, std::pow;
    const bool high = mv >= -40;
    switch (which) {
      case m:
        return of_rates(0.32 * (mv + 47.13) / (1 - exp(-0.1 * (mv + 47.13))), 0.08 * exp(-mv / 11));
      case h:
        return high ? of_rates(0, 1 / (0.13 * (1 + exp(-(mv + 10.66) / 11.1))))
                    : of_rates(0.135 * exp(-(80 + mv) / 6.8), 3.56 * exp(0.079 * mv) + 3.1e5 * exp(0.35 * mv));
      case j:
        return high ? of_rates(0, 0.3 * exp(-2.535e-7 * mv) / (1 + exp(-0.1 * (mv + 32))))
                    : of_rates((-1.2714e5 * exp(0.2444 * mv) - 3.474e-5 * exp(-0.04391 * mv)) * (mv + 37.78) /
                                   (1 + exp(0.311 * (mv + 79.23))),
                               0.1212 * exp(-0.01052 * mv) / (1 + exp(-0.1378 * (mv + 40.14))));
      case d:
        return of_rates(0.095 * exp(-0.01 * (mv - 5)) / (1 + exp(-0.072 * (mv - 5))),
                        0.07 * exp(-0.017 * (mv + 44)) / (1 + exp(0.05 * (mv + 44))));
      case f:
        return of_rates(0.012 * exp(-0.008 * (mv + 28)) / (1 + exp(0.15 * (mv + 28))),
                        0.0065 * exp(-0.02 * (mv + 30)) / (1 + exp(-0.2 * (mv + 30))));
      case x:
        return of_rates(0.0005 * exp(0.083 * (mv + 50)) / (1 + exp(0.057 * (mv + 50))),
                        0.0013 * exp(-0.06 * (mv + 20)) / (1 + exp(-0.04 * (mv + 20))));
      case r:
        return {1 / (1 + exp((20 - mv) / 6)), 9.5 * exp(-pow(mv + 40, 2) / 1800) + 0.8};
      case s:
        if (epicardial)
          return {1 / (1 + exp((mv + 20) / 5)), 85 * exp(-pow(mv + 45, 2) / 320) + 5 / (1 + exp((mv - 20) / 5)) + 3};
        return {1 / (1 + exp((mv + 28) / 5)), 1000 * exp(-pow(mv + 67, 2) / 1000) + 8};
      default:
        return {1 / (1 + pow(calcium / 0.00035, calcium < 0.00035 ? 6 : 16)), 2};
    }
  }
  values slope(const values& y) const {
    using std::exp, std::log, std::pow;
    const double mv = y[v], to_potassium = mv + 87.26;
    values dy{};
    for (uint32_t k = m; k <= g; ++k) {
      const auto [steady, time] = gate(k, mv, y[ca]);
      dy[k] = (steady - y[k]) / time;
    }
    const double pumped = 0.000425 / (1 + pow(0.00025 / y[ca], 2)), leak = 8e-5 * (y[store] - y[ca]);
    const double release = (0.016464 / (1 + pow(0.25 / y[store], 2)) + 0.008232) * y[d] * y[g];
    const double calcium = 0.09 * y[d] * y[f] * (mv - (7.7 - 13.0287 * log(y[ca])));
    dy[ca] = -1e-4 * calcium + 0.07 * (1e-4 - y[ca]) - 0.02 * (pumped - leak - release);
    dy[store] = 15 * 0.02 * (pumped - leak - release);
    const double u = mv + 77, per_u = std::fabs(u) < 1e-6 ? 0.04 : (exp(0.04 * u) - 1) / u;
    const double rectifier =
        1 /
        (1 + (0.49124 * exp(0.08032 * (to_potassium + 5.476)) + exp(0.06175 * (to_potassium - 594.31))) /
                 (1 + exp(-0.5143 * (to_potassium + 4.753))) / (1.02 / (1 + exp(0.2385 * (to_potassium - 59.215)))));
    const double sodium = 23 * pow(y[m], 3) * y[h] * y[j] * (mv - 54.4), rest = 0.03921 * (mv + 59.87);
    const double potassium = 0.282 * y[x] * 2.837 * per_u / exp(0.04 * (mv + 35)) * u +
                             0.6047 * rectifier * to_potassium + 0.0183 / (1 + exp((7.488 - mv) / 5.98)) * to_potassium;
    const double outward = (epicardial ? 0.294 : 0.073) * y[r] * y[s] * to_potassium;
    dy[v] = stimulus - sodium - calcium - potassium - outward - rest;
    return dy;
  }
  values after(values y, uint32_t intervals) const {
    const double length = double{interval} / reference_steps;
    const auto moved = [&](const values& by, double weight) {
      values to = y;
      for (uint32_t k = 0; k < variables; ++k) to[k] += weight * by[k];
      return to;
    };
    for (uint32_t step = 0; step < intervals * reference_steps; ++step) {
      const values a = slope(y), b = slope(moved(a, length / 2)), c = slope(moved(b, length / 2)),
                   e = slope(moved(c, length));
      for (uint32_t k = 0; k < variables; ++k) y[k] += length / 6 * (a[k] + 2 * b[k] + 2 * c[k] + e[k]);
    }
    return y;
  }
};

template <uint32_t cells>
int run(const program::options& o, uint32_t intervals) {
  std::printf("myocyte (%s): %u cells, %u intervals of %g ms, seed %u\n", o.size_name(), cells, intervals, interval,
              o.seed);
  program::random_source random(o.seed);
  std::vector<float> state(size_t{variables} * cells), stimulus(cells), depth(cells);
  std::vector<cell_model> models;
  for (uint32_t cell = 0; cell < cells; ++cell) {
    // Cells at rest, of which some are stimulated, and cells in the plateau of an action potential; none so close to
    // the threshold that rounding would decide.
    const bool at_rest = random.below(2) == 0;
    const float mv = at_rest ? random.real(-88, -78) : random.real(-30, 30);
    stimulus[cell] = at_rest && random.below(3) != 0 ? random.real(100, 160) : 0;
    depth[cell] = random.real(0, 1);
    models.push_back({stimulus[cell], depth[cell] < 0.5f});
    for (uint32_t k = 0; k < variables; ++k) {
      const float calcium = at_rest ? 1.5e-4f : random.real(2e-4f, 8e-4f);
      state[k * cells + cell] = k == v       ? mv
                                : k == ca    ? calcium
                                : k == store ? random.real(0.2f, 0.4f)
                                             : float(models[cell].gate(k, mv, calcium).first);
    }
  }

  program::device_array<float> device_state(state), device_stimulus(stimulus), device_depth(depth),
      device_step(std::vector<float>(cells, interval / 10)), slopes(size_t{stages - 1} * variables * cells);
  program::device_array<uint32_t> device_tried(cells), device_unfinished(cells);
  device_tried.clear();
  device_unfinished.clear();
  for (uint32_t k = 0; k < intervals; ++k) {
    integrate<cells><<<program::blocks_of(cells, block), block>>>(device_state.get(), k < pulse, device_stimulus.get(),
                                                                  device_depth.get(), device_step.get(), slopes.get(),
                                                                  device_tried.get(), device_unfinished.get());
    PROGRAM_LAUNCHED();
  }

  const std::vector<float> got = device_state.download();
  std::vector<float> expected(got.size());
  for (uint32_t cell = 0; cell < cells; ++cell) {
    cell_model::values y;
    for (uint32_t k = 0; k < variables; ++k) y[k] = state[k * cells + cell];
    y = models[cell].after(y, pulse);
    models[cell].stimulus = 0;
    y = models[cell].after(y, intervals - pulse);
    for (uint32_t k = 0; k < variables; ++k) expected[k * cells + cell] = static_cast<float>(y[k]);
  }
  const auto rows = [&](const std::vector<float>& all, uint32_t first, uint32_t last) {
    return std::vector<float>(all.begin() + first * cells, all.begin() + (last + 1) * cells);
  };
  const auto all_of = [](const auto& values, auto holds) { return std::all_of(values.begin(), values.end(), holds); };
  program::verdict verdict;
  verdict.close("potential", rows(got, v, v), rows(expected, v, v), 0, 0.25);
  verdict.close("gates", rows(got, m, g), rows(expected, m, g), 0, 0.002);
  verdict.close("calcium", rows(got, ca, store), rows(expected, ca, store), 0.002);
  verdict.that("gates are between 0 and 1",
               all_of(rows(got, m, g), [](float a) { return a > -1e-4f && a < 1 + 1e-4f; }));
  verdict.that("potentials are between -100 and 100 mV",
               all_of(rows(got, v, v), [](float a) { return a > -100 && a < 100; }));
  verdict.that("every interval was completed", all_of(device_unfinished.download(), [](uint32_t a) { return a == 0; }));
  const std::vector<uint32_t> tried = device_tried.download();
  std::printf("steps tried: %u to %u a cell\n", *std::min_element(tried.begin(), tried.end()),
              *std::max_element(tried.begin(), tried.end()));
  return verdict.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  return o.size == program::size::small    ? run<64>(o, 10)
         : o.size == program::size::medium ? run<512>(o, 20)
                                           : run<4096>(o, 50);
}
// SPDX-License-Identifier: Apache-2.0
