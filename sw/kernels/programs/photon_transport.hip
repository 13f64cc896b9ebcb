// Monte Carlo transport of light in layered tissue: packets of photons enter from above, walk until they meet a
// particle or a boundary between layers, leave part of their weight, are scattered, reflected or refracted, and end
// where they leave the tissue or, when hardly any weight is left, by roulette.
//
// Sizes:      500, 2500, 12000 work-items with 1, 2, 4 packets each; three layers
// Kernel:     trace  tissue: a structure per layer, and before and behind them what is above and below; packets: place
//                    and direction f32[3], weight, layer, random state and packets to come u32, a structure per
//                    work-item, in and out; tally u64[131], added to: weight left in the tissue by depth [64], gone
//                    above and below by distance from the beam [2][32], lost and won by roulette, reflections;
//                    unfinished u32[1], packets still in the tissue, added to. One work-item per packet structure,
//                    blocks of 64; a launch is 64 steps, and the host launches until all are done
// Divergence: a step ends at a boundary or at a particle, the outer split; at a boundary the packet is reflected or
//             transmitted, the inner one. Directions near the axis have a formula of their own (two sides, one of them
//             rare). Leaving the tissue, roulette and the next packet are ifs without else, steps differ in number
// Rounding:   f32, not fused, in + - * / and square roots, which round correctly, and with logarithm and sine of this
//             file's own: walks are the same on the host, and all is equal bit for bit. Weights are integers, 2^20
//             for a packet, and so are the sums: their order does not matter, and no weight gets lost
#include <cmath>
#include <numeric>

#include "program.h"

#pragma clang fp contract(off)

namespace {

constexpr uint32_t block = 64;
constexpr uint32_t steps_per_launch = 64;
constexpr uint32_t layers = 3, above = 0, below = layers + 1;
constexpr uint32_t depths = 64, radii = 32;
constexpr float depth_bins = 128, radius_bins = 64;  // per cm
constexpr uint32_t full_weight = 1 << 20, light_weight = full_weight / 10000;
constexpr uint32_t roulette_odds = 10;
constexpr float near_axis = 0.9999f;
constexpr float pi = 3.14159265f;

using weight_sum = unsigned long long;

struct layer {
  float top, bottom;  // cm
  float index;        // of refraction
  float path;         // mean length between two particles, cm
  float anisotropy;   // mean cosine of scattering
  uint32_t absorbed;  // at a particle, in 2^-16 of the weight
};

// The sums: weight left in the tissue by depth, gone above and below by distance from the beam, lost and won by
// roulette; how often a boundary reflected.
constexpr uint32_t deposited = 0, gone = depths, lost = gone + 2 * radii, won = lost + 1, reflections = won + 1,
                   sums = reflections + 1;

struct vector3 {
  float x, y, z;
};

struct packet {
  vector3 place, direction;
  uint32_t weight, layer, random, to_come;
};

// The functions from here to scattered() are the host's as well.
#define BOTH __host__ __device__ inline

// Between 0 and 1 without either, an odd number of 2^-24: exact, and its logarithm is finite.
BOTH float uniform(uint32_t& random) {
  random ^= random << 13;
  random ^= random >> 17;
  random ^= random << 5;
  return static_cast<float>(random >> 8 | 1) * 0x1p-24f;
}

// For positive normal numbers: the exponent, and the series of 2 artanh((m - 1) / (m + 1)) for m from 0.7 to 1.4.
BOTH float logarithm(float value) {
  const uint32_t scaled = __builtin_bit_cast(uint32_t, value) - 0x3f330000;
  const float exponent = static_cast<float>(static_cast<int32_t>(scaled) >> 23);
  const float m = __builtin_bit_cast(float, (scaled & 0x7fffff) + 0x3f330000);
  const float s = (m - 1) / (m + 1), square = s * s;
  return exponent * 0.693147181f + 2 * s * (1 + square * (1 / 3.f + square * (0.2f + square * (1 / 7.f))));
}

// Sine and cosine of an angle given in full turns, from -1/2 to 1/2.
struct sine_cosine {
  float sine, cosine;
};
BOTH sine_cosine turned(float part) {
  // The half angle's by their series, then the formulas for twice the angle.
  const float half = part * pi, q = half * half;
  float s = 1 - q * (1 / 110.f), c = 1 - q * (1 / 90.f);
  s = 1 - q * (1 / 72.f) * s;
  c = 1 - q * (1 / 56.f) * c;
  s = 1 - q * (1 / 42.f) * s;
  c = 1 - q * (1 / 30.f) * c;
  s = 1 - q * (1 / 20.f) * s;
  c = 1 - q * (1 / 12.f) * c;
  s = half * (1 - q * (1 / 6.f) * s);
  c = 1 - q * 0.5f * c;
  return {2 * s * c, 1 - 2 * s * s};
}

// Henyey and Greenstein's distribution of the cosine between old and new direction.
BOTH float scattering_cosine(float g, float random) {
  const float ratio = (1 - g * g) / (1 - g + 2 * g * random);
  return (1 + g * g - ratio * ratio) / (2 * g);
}

// Fresnel's formula for unpolarised light: 1 where all is reflected. Cosines are those to the boundary's normal.
BOTH float reflectance(float from, float to, float cosine, float refracted) {
  const float across = (from * cosine - to * refracted) / (from * cosine + to * refracted);
  const float along = (from * refracted - to * cosine) / (from * refracted + to * cosine);
  return 0.5f * (across * across + along * along);
}

// The cosine behind the boundary, 0 if there is no way through.
BOTH float refracted_cosine(float ratio, float cosine) {
  const float square = 1 - ratio * ratio * (1 - cosine * cosine);
  return square > 0 ? sqrtf(square) : 0;
}

BOTH vector3 scattered(const vector3& d, float cosine, const sine_cosine& around) {
  const float square = 1 - cosine * cosine;
  const float sine = square > 0 ? sqrtf(square) : 0;
  const float x = sine * around.cosine, y = sine * around.sine;
  if (fabsf(d.z) > near_axis) return {x, y, d.z > 0 ? cosine : -cosine};
  const float across = sqrtf(1 - d.z * d.z);
  return {(d.x * d.z * x - d.y * y) / across + d.x * cosine, (d.y * d.z * x + d.x * y) / across + d.y * cosine,
          d.z * cosine - x * across};
}

BOTH uint32_t absorbed_of(uint32_t weight, const layer& here) {
  return static_cast<uint32_t>(uint64_t{weight} * here.absorbed >> 16);
}

BOTH uint32_t bin(float value, float per_cm, uint32_t count) {
  const uint32_t k = static_cast<uint32_t>(value * per_cm);
  return k < count ? k : count - 1;
}

BOTH vector3 moved(const vector3& at, const vector3& d, float way) {
  return {at.x + way * d.x, at.y + way * d.y, at.z + way * d.z};
}

// Just below the surface, straight down.
BOTH void begin(packet& p) {
  p.place = {0, 0, 0};
  p.direction = {0, 0, 1};
  p.weight = full_weight;
  p.layer = 1;
}

__global__ __launch_bounds__(block) void trace(const layer* tissue, packet* packets, weight_sum* tally,
                                               uint32_t* unfinished, uint32_t items) {
  const uint32_t item = blockIdx.x * block + threadIdx.x;
  if (item >= items) return;
  packet p = packets[item];
#pragma unroll 1
  for (uint32_t step = 0; step < steps_per_launch && p.weight != 0; ++step) {
    PWS_LOOP_BOUND(steps_per_launch);
    const layer& here = tissue[p.layer];
    const bool down = p.direction.z > 0;
    const float path = -logarithm(uniform(p.random)) * here.path;
    const float cosine = fabsf(p.direction.z);
    const float boundary = down ? here.bottom : here.top, room = fabsf(boundary - p.place.z);
    PWS_SPLIT();
    if (path * cosine > room) {
      const float way = room / cosine;
      p.place = moved(p.place, p.direction, way);
      p.place.z = boundary;
      const uint32_t next = down ? p.layer + 1 : p.layer - 1;
      const float to = tissue[next].index, ratio = here.index / to;
      const float refracted = refracted_cosine(ratio, cosine);
      const float reflected = reflectance(here.index, to, cosine, refracted);
      PWS_SPLIT();
      if (uniform(p.random) <= reflected) {
        p.direction.z = -p.direction.z;
        atomicAdd(&tally[reflections], weight_sum{1});
      } else {
        p.direction = {p.direction.x * ratio, p.direction.y * ratio, down ? refracted : -refracted};
        p.layer = next;
        if (next == above || next == below) {
          const float radius = sqrtf(p.place.x * p.place.x + p.place.y * p.place.y);
          atomicAdd(&tally[gone + (next == below ? radii : 0) + bin(radius, radius_bins, radii)], weight_sum{p.weight});
          p.weight = 0;
        }
      }
    } else {
      p.place = moved(p.place, p.direction, path);
      const uint32_t absorbed = absorbed_of(p.weight, here);
      atomicAdd(&tally[deposited + bin(p.place.z, depth_bins, depths)], weight_sum{absorbed});
      p.weight -= absorbed;
      const float turn = scattering_cosine(here.anisotropy, uniform(p.random));
      p.direction = scattered(p.direction, turn, turned(uniform(p.random) - 0.5f));
    }
    if (p.weight != 0 && p.weight < light_weight) {
      const bool wins = uniform(p.random) * roulette_odds < 1;
      atomicAdd(wins ? &tally[won] : &tally[lost], weight_sum{wins ? p.weight * (roulette_odds - 1) : p.weight});
      p.weight = wins ? p.weight * roulette_odds : 0;
    }
    if (p.weight == 0 && p.to_come != 0) {
      --p.to_come;
      begin(p);
    }
  }
  packets[item] = p;
  if (p.weight != 0) atomicAdd(unfinished, 1u);
}

// A packet of the host's, from the surface to its end. The float operations are the kernel's, in the same order.
void walk(const std::vector<layer>& tissue, packet& p, std::vector<weight_sum>& tally) {
  vector3& at = p.place;
  vector3& d = p.direction;
  begin(p);
  while (true) {
    const layer& here = tissue[p.layer];
    const float path = -logarithm(uniform(p.random)) * here.path;
    const float boundary = d.z > 0 ? here.bottom : here.top;
    const float room = std::fabs(boundary - at.z), cosine = std::fabs(d.z);
    if (path * cosine <= room) {
      at = moved(at, d, path);
      const uint32_t absorbed = absorbed_of(p.weight, here);
      tally[deposited + bin(at.z, depth_bins, depths)] += absorbed;
      p.weight -= absorbed;
      const float turn = scattering_cosine(here.anisotropy, uniform(p.random));
      d = scattered(d, turn, turned(uniform(p.random) - 0.5f));
    } else {
      const float way = room / cosine;
      at = moved(at, d, way);
      at.z = boundary;
      const uint32_t next = d.z > 0 ? p.layer + 1 : p.layer - 1;
      const float from = here.index, to = tissue[next].index;
      const float refracted = refracted_cosine(from / to, cosine);
      if (uniform(p.random) > reflectance(from, to, cosine, refracted)) {
        d = {d.x * (from / to), d.y * (from / to), d.z > 0 ? refracted : -refracted};
        p.layer = next;
      } else {
        d.z = -d.z;
        ++tally[reflections];
      }
      if (p.layer == above || p.layer == below) {
        const float radius = std::sqrt(at.x * at.x + at.y * at.y);
        tally[gone + (p.layer == below ? radii : 0) + bin(radius, radius_bins, radii)] += p.weight;
        p.weight = 0;
        return;
      }
    }
    if (p.weight >= light_weight) continue;
    if (uniform(p.random) * roulette_odds >= 1) {
      tally[lost] += p.weight;
      p.weight = 0;
      return;
    }
    tally[won] += p.weight * (roulette_odds - 1);
    p.weight *= roulette_odds;
  }
}

// What both sides use, against the host's double precision.
bool formulas_hold(program::random_source& random) {
  bool good = true;
  const auto near = [&](double got, double want, double by) { good = good && std::fabs(got - want) <= by; };
  double mean = 0;
  for (uint32_t k = 0; k < 1000; ++k) {
    const float u = random.real(0x1p-24f, 1), part = random.real(-0.5f, 0.5f);
    near(logarithm(u), std::log(double(u)), 4e-6);
    const sine_cosine t = turned(part);
    near(t.sine, std::sin(2 * M_PI * part), 4e-6);
    near(t.cosine, std::cos(2 * M_PI * part), 4e-6);
    const float z = random.real(-0.99f, 0.99f), across = std::sqrt(1 - z * z);
    const vector3 d{across * t.cosine, across * t.sine, z};
    const vector3 e = scattered(d, 1 - 2 * u, turned(random.real(-0.5f, 0.5f)));
    near(double(d.x) * e.x + double(d.y) * e.y + double(d.z) * e.z, 1 - 2 * double(u), 1e-4);
    near(double(e.x) * e.x + double(e.y) * e.y + double(e.z) * e.z, 1, 1e-4);
    mean += scattering_cosine(0.8f, (static_cast<float>(k) + 0.5f) / 1000) / 1000;
  }
  near(mean, 0.8, 1e-3);
  near(reflectance(1, 1.5f, 1, refracted_cosine(1 / 1.5f, 1)), 0.04, 1e-6);
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t items = o.pick(500u, 2500u, 12000u), each = o.pick(1u, 2u, 4u);
  std::printf("photon_transport (%s): %u work-items, %u packets each, seed %u\n", o.size_name(), items, each, o.seed);
  const std::vector<layer> tissue = {{0, 0, 1, 0, 0, 0},
                                     {0, 0.05f, 1.37f, 0.01f, 0.8f, 6000},
                                     {0.05f, 0.15f, 1.5f, 0.006f, 0.9f, 3000},
                                     {0.15f, 0.45f, 1.4f, 0.02f, 0.7f, 4500},
                                     {0, 0, 1, 0, 0, 0}};
  program::random_source random(o.seed);
  std::vector<packet> packets(items);
  for (packet& p : packets) {
    begin(p);
    p.random = random.bits();
    p.to_come = each - 1;
  }

  program::device_array<layer> device_tissue(tissue);
  program::device_array<packet> device_packets(packets);
  program::device_array<weight_sum> device_tally(sums);
  program::device_array<uint32_t> unfinished(1);
  device_tally.clear();
  uint32_t launches = 0;
  do {
    unfinished.clear();
    trace<<<program::blocks_of(items, block), block>>>(device_tissue.get(), device_packets.get(), device_tally.get(),
                                                       unfinished.get(), items);
    PROGRAM_LAUNCHED();
  } while (++launches < 1000 && unfinished.download()[0] != 0);
  const std::vector<weight_sum> got = device_tally.download();

  std::vector<weight_sum> expected(sums);
  std::vector<uint32_t> states, expected_states;
  for (const packet& p : device_packets.download()) states.push_back(p.random);
  for (packet& p : packets) {
    for (uint32_t k = 0; k < each; ++k) walk(tissue, p, expected);
    expected_states.push_back(p.random);
  }
  const weight_sum in = weight_sum{items} * each * full_weight + got[won];
  const weight_sum out = std::accumulate(got.begin(), got.begin() + won, weight_sum{0});
  program::verdict verdict;
  verdict.that("formulas agree with double precision", formulas_hold(random));
  verdict.equal("tallies", got, expected);
  verdict.equal("random states", states, expected_states);
  verdict.that("weight that went in is weight that came out", in == out);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
