// needs: hiprand/hiprand.h libhiprand-dev librocrand-dev
// flags: -std=c++14 -lhiprand -lrocrand
// hipRAND's functions for kernels: the states' numbers bit for bit, sequences and skipping, and that the distributions
// are those of the host's side.
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
#include <hiprand/hiprand_mtgp32_host.h>
#include <rocrand/rocrand_mtgp32_11213.h>

#include "library.h"
#include "random_references.h"

namespace ref = random_references;

#define RAND(...) RETURNS(HIPRAND_STATUS_SUCCESS, __VA_ARGS__)

namespace {

constexpr unsigned each = 20;     // numbers of a work-item
constexpr unsigned threads = 70;  // not a wavefront's multiple
constexpr unsigned long long far = (1ull << 40) + 12345;

template <class State>
__global__ void numbers(uint32_t* out, unsigned long long seed, unsigned long long offset) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  hiprand_init(seed, t, offset, &state);
  for (unsigned i = 0; i < each; ++i) out[t * each + i] = hiprand(&state);
}
// Skips between the numbers, with the state kept in memory between two kernels.
template <class State>
__global__ void begin(State* states, unsigned long long seed) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  hiprand_init(seed, 0, 0, &states[t]);
}
template <class State>
__global__ void skipping(State* states, uint32_t* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  State state = states[t];
  for (unsigned i = 0; i < each; ++i) {
    out[t * each + i] = hiprand(&state);
    skipahead(t * i, &state);
    if (i == 10) skipahead_sequence(t, &state);
  }
  states[t] = state;
}

template <class State, class Reference, class Seed, class Bits>
void check_numbers(Seed seed, Bits bits) {
  for (const unsigned long long offset : {0ull, 3ull, far}) {
    const device_copy<uint32_t> d(threads * each);
    numbers<State><<<2, threads / 2>>>(d.get(), seed, offset);
    OK(hipGetLastError());
    std::vector<uint32_t> want;
    for (unsigned t = 0; t < threads; ++t) {
      Reference r(seed);
      r.skip_sequences(t);
      r.skip(offset);
      for (unsigned i = 0; i < each; ++i) want.push_back(bits(r.next()));
    }
    EQUAL(d.read(), want);
  }
}
template <class State, class Reference, class Seed, class Bits>
void check_skipping(Seed seed, Bits bits) {
  State* states;
  OK(hipMalloc(reinterpret_cast<void**>(&states), threads * sizeof(State)));
  begin<<<1, threads>>>(states, seed);
  const device_copy<uint32_t> first(threads * each), second(threads * each);
  skipping<<<1, threads>>>(states, first.get());
  skipping<<<1, threads>>>(states, second.get());
  OK(hipGetLastError());
  std::vector<uint32_t> want[2];
  for (unsigned t = 0; t < threads; ++t) {
    Reference r(seed);
    for (auto& w : want)
      for (unsigned i = 0; i < each; ++i) {
        w.push_back(bits(r.next()));
        r.skip(t * i);
        if (i == 10) r.skip_sequences(t);
      }
  }
  EQUAL(first.read(), want[0]);
  EQUAL(second.read(), want[1]);
  OK(hipFree(states));
}
uint32_t as_it_is(uint32_t x) {
  return x;
}

}  // namespace

CASE(xorwow_numbers) {
  check_numbers<hiprandStateXORWOW_t, ref::xorwow>(0x123456789abcdefull, as_it_is);
}
CASE(xorwow_skipping) {
  check_skipping<hiprandStateXORWOW_t, ref::xorwow>(1ull, as_it_is);
}
CASE(mrg32k3a_numbers) {
  check_numbers<hiprandStateMRG32k3a_t, ref::mrg32k3a>(uint16_t{54321}, ref::mrg32k3a::bits);
}
CASE(mrg32k3a_skipping) {
  check_skipping<hiprandStateMRG32k3a_t, ref::mrg32k3a>(uint16_t{1}, ref::mrg32k3a::bits);
}
CASE(philox_numbers) {
  check_numbers<hiprandStatePhilox4_32_10_t, ref::philox>(0xfedcba9876543210ull, as_it_is);
}
CASE(philox_skipping) {
  check_skipping<hiprandStatePhilox4_32_10_t, ref::philox>(0ull, as_it_is);
}

namespace {

__global__ void sobol(const uint32_t* vectors, uint32_t* out, unsigned offset) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  hiprandStateSobol32_t state;
  hiprandDirectionVectors32_t mine;
  for (unsigned k = 0; k < 32; ++k) mine[k] = vectors[k];
  hiprand_init(mine, offset, &state);
  skipahead(t, &state);
  for (unsigned i = 0; i < each; ++i) out[t * each + i] = hiprand(&state);
}
__global__ void mtgp(hiprandStateMtgp32_t* states, uint32_t* out, unsigned rounds) {
  __shared__ hiprandStateMtgp32_t state;
  hiprand_mtgp32_block_copy(&states[blockIdx.x], &state);
  for (unsigned i = 0; i < rounds; ++i) out[(blockIdx.x * rounds + i) * blockDim.x + threadIdx.x] = hiprand(&state);
  hiprand_mtgp32_block_copy(&state, &states[blockIdx.x]);
}

}  // namespace

CASE(sobol32_numbers) {
  for (unsigned dimension = 0; dimension < ref::sobol<uint32_t>::dimensions; ++dimension) {
    const ref::sobol<uint32_t> s(dimension);
    // 2^k and its predecessor differ in one direction in Gray code, so their difference is that direction.
    std::vector<uint32_t> vectors(32), want;
    for (unsigned k = 0; k < 32; ++k) vectors[k] = s.at(1u << k) ^ s.at((1u << k) - 1);
    const device_copy<uint32_t> v(vectors), d(threads * each);
    sobol<<<1, threads>>>(v.get(), d.get(), 1000);
    OK(hipGetLastError());
    for (unsigned t = 0; t < threads; ++t)
      for (unsigned i = 0; i < each; ++i) want.push_back(s.at(1000 + t + i));
    EQUAL(d.read(), want);
  }
}
CASE(mtgp32_numbers) {
  constexpr unsigned blocks = 5, rounds = 6;
  for (const unsigned size : {64u, 256u}) {
    hiprandStateMtgp32_t* states;
    OK(hipMalloc(reinterpret_cast<void**>(&states), blocks * sizeof *states));
    RAND(hiprandMakeMTGP32KernelState(states, mtgp32dc_params_fast_11213, nullptr, blocks, 77));
    std::vector<ref::mtgp32> references;
    for (uint32_t b = 0; b < blocks; ++b) references.emplace_back(mtgp32dc_params_fast_11213[b], 77 + b + 1);
    for (unsigned launch = 0; launch < 2; ++launch) {
      const device_copy<uint32_t> d(blocks * rounds * size);
      mtgp<<<blocks, size>>>(states, d.get(), rounds);
      OK(hipGetLastError());
      std::vector<uint32_t> want;
      for (unsigned b = 0; b < blocks; ++b)
        for (unsigned i = 0; i < rounds * size; ++i) want.push_back(references[b].next());
      EQUAL(d.read(), want);
    }
    OK(hipFree(states));
  }
}

namespace {

constexpr uint64_t seed = 4;

// Each is of a state of its own, at the sequence's beginning: what the host's side makes of Philox's first sequence.
__global__ void distributions(uint32_t* four, float* floats, double* doubles, float* normals, double* normal_doubles,
                              float* log_normals, unsigned n) {
  hiprandStatePhilox4_32_10_t s;
  hiprand_init(seed, 0, 0, &s);
  for (unsigned i = 0; i + 4 <= n; i += 4) {
    const uint4 v = hiprand4(&s);
    four[i] = v.x, four[i + 1] = v.y, four[i + 2] = v.z, four[i + 3] = v.w;
  }
  hiprand_init(seed, 0, 0, &s);
  for (unsigned i = 0; i < n / 2; ++i) floats[i] = hiprand_uniform(&s);
  for (unsigned i = n / 2; i + 4 <= n; i += 4) {
    const float4 v = hiprand_uniform4(&s);
    floats[i] = v.x, floats[i + 1] = v.y, floats[i + 2] = v.z, floats[i + 3] = v.w;
  }
  hiprand_init(seed, 0, 0, &s);
  for (unsigned i = 0; i < n; ++i) doubles[i] = hiprand_uniform_double(&s);
  hiprand_init(seed, 0, 0, &s);
  for (unsigned i = 0; i < n / 2; ++i) normals[i] = hiprand_normal(&s);
  for (unsigned i = n / 2; i + 2 <= n; i += 2) {
    const float2 v = hiprand_normal2(&s);
    normals[i] = v.x, normals[i + 1] = v.y;
  }
  hiprand_init(seed, 0, 0, &s);
  for (unsigned i = 0; i < n; ++i) normal_doubles[i] = hiprand_normal_double(&s);
  hiprand_init(seed, 0, 0, &s);
  for (unsigned i = 0; i < n; ++i) log_normals[i] = hiprand_log_normal(&s, 0.25f, 0.5f);
}

}  // namespace

CASE(the_same_on_both_sides) {
  constexpr unsigned n = 64;
  const device_copy<uint32_t> four(n), host_four(n);
  const device_copy<float> floats(n), normals(n), log_normals(n), host_floats(n), host_normals(n), host_log_normals(n);
  const device_copy<double> doubles(n), normal_doubles(n), host_doubles(n), host_normal_doubles(n);
  distributions<<<1, 1>>>(four.get(), floats.get(), doubles.get(), normals.get(), normal_doubles.get(),
                          log_normals.get(), n);
  OK(hipGetLastError());
  hiprandGenerator_t g;
  RAND(hiprandCreateGenerator(&g, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
  const auto anew = [&] { RAND(hiprandSetPseudoRandomGeneratorSeed(g, seed)); };
  anew();
  RAND(hiprandGenerate(g, host_four.get(), n));
  anew();
  RAND(hiprandGenerateUniform(g, host_floats.get(), n));
  anew();
  RAND(hiprandGenerateUniformDouble(g, host_doubles.get(), n));
  anew();
  RAND(hiprandGenerateNormal(g, host_normals.get(), n, 0, 1));
  anew();
  RAND(hiprandGenerateNormalDouble(g, host_normal_doubles.get(), n, 0, 1));
  anew();
  RAND(hiprandGenerateLogNormal(g, host_log_normals.get(), n, 0.25f, 0.5f));
  RAND(hiprandDestroyGenerator(g));
  EQUAL(four.read(), host_four.read());
  EQUAL(floats.read(), host_floats.read());
  EQUAL(doubles.read(), host_doubles.read());
  EQUAL(normals.read(), host_normals.read());
  // The second of a pair of doubles is kept as a double, and given as a float: get_double in rocrand_common.h.
  std::vector<double> second_rounded = host_normal_doubles.read();
  for (unsigned i = 1; i < n; i += 2) second_rounded[i] = static_cast<float>(second_rounded[i]);
  EQUAL(normal_doubles.read(), second_rounded);
  EQUAL(log_normals.read(), host_log_normals.read());
}

namespace {

template <class State>
__global__ void counts(uint32_t* out, hiprandDiscreteDistribution_t table, double lambda, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  State s;
  hiprand_init(9ull, t, 0, &s);
  for (unsigned i = 0; i < n; ++i)
    out[t * n + i] = table != nullptr ? hiprand_discrete(&s, table) : hiprand_poisson(&s, lambda);
}
// Both of hipRAND's ways to Poisson numbers.
template <class State>
void check_counts() {
  constexpr unsigned n = 64, blocks = 2, size = 64;
  for (const double lambda : {4.0, 900.0})
    for (const bool with_table : {false, true}) {
      hiprandDiscreteDistribution_t table = nullptr;
      if (with_table) RAND(hiprandCreatePoissonDistribution(lambda, &table));
      const device_copy<uint32_t> d(blocks * size * n);
      counts<State><<<blocks, size>>>(d.get(), table, lambda, n);
      OK(hipGetLastError());
      const std::vector<uint32_t> x = d.read();
      if (with_table) RAND(hiprandDestroyDistribution(table));
      // Limits as in hiprand_statistics.hip: mean and variance are lambda, the fourth moment lambda + 3 lambda^2.
      const double count = static_cast<double>(x.size());
      double mean = 0, variance = 0;
      for (const uint32_t v : x) mean += v / count;
      for (const uint32_t v : x) variance += (v - lambda) * (v - lambda) / count;
      EXPECT(std::fabs(mean - lambda) <= 6 * std::sqrt(lambda / count));
      EXPECT(std::fabs(variance - lambda) <= 6 * std::sqrt((lambda + 2 * lambda * lambda) / count));
    }
}

}  // namespace

CASE(poisson_and_discrete) {
  check_counts<hiprandStatePhilox4_32_10_t>();
  if (!whole()) return;
  check_counts<hiprandStateXORWOW_t>();
  check_counts<hiprandStateMRG32k3a_t>();
}
// SPDX-License-Identifier: Apache-2.0
