// needs: hiprand/hiprand.h libhiprand-dev librocrand-dev
// flags: -lhiprand -lrocrand
// hipRAND's generators on the host's side, bit for bit: numbers, seeds, offsets, the calls' order, other types, and
// what is refused. That a generator's numbers are spread over engines, and how, is rocRAND's own affair, and found out
// here.
#include <hiprand/hiprand.h>
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_mtgp32_11213.h>

#include "library.h"
#include "random_references.h"

namespace ref = random_references;

#define RAND(...) RETURNS(HIPRAND_STATUS_SUCCESS, __VA_ARGS__)

namespace {

class generator {
 public:
  explicit generator(hiprandRngType_t type) { RAND(hiprandCreateGenerator(&g_, type)); }
  generator(hiprandRngType_t type, uint64_t seed, uint64_t offset = 0) : generator(type) {
    RAND(hiprandSetPseudoRandomGeneratorSeed(g_, seed));
    if (offset != 0) RAND(hiprandSetGeneratorOffset(g_, offset));
  }
  ~generator() { static_cast<void>(hiprandDestroyGenerator(g_)); }
  generator(const generator&) = delete;
  generator& operator=(const generator&) = delete;
  operator hiprandGenerator_t() const { return g_; }

  // The next numbers, in several calls.
  std::vector<uint32_t> numbers(const std::vector<size_t>& counts) {
    std::vector<uint32_t> all;
    for (const size_t count : counts) {
      const device_copy<uint32_t> d(count);
      RAND(hiprandGenerate(g_, d.get(), count));
      const std::vector<uint32_t> some = d.read();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }

 private:
  hiprandGenerator_t g_ = nullptr;
};

// As many engines as this take turns; each has a sequence of its own.
constexpr size_t engines = 512 * 256;

// The numbers from `offset` on: number i is engine (i % engines)'s number i / engines.
template <class Reference, class Bits>
std::vector<uint32_t> in_turns(Reference seeded, uint64_t offset, size_t count, Bits bits) {
  std::vector<uint32_t> all(count);
  for (size_t i = 0; i < std::min(count, engines); ++i) {
    const uint64_t position = offset + i;
    Reference engine = seeded;
    engine.skip_sequences(position % engines);
    engine.skip(position / engines);
    for (size_t k = i; k < count; k += engines) all[k] = bits(engine.next());
  }
  return all;
}
std::vector<uint32_t> xorwow(uint64_t seed, uint64_t offset, size_t count) {
  return in_turns(ref::xorwow(seed), offset, count, [](uint32_t x) { return x; });
}
std::vector<uint32_t> mrg32k3a(uint16_t seed, uint64_t offset, size_t count) {
  return in_turns(ref::mrg32k3a(seed), offset, count, ref::mrg32k3a::bits);
}
std::vector<uint32_t> philox(uint64_t seed, uint64_t offset, size_t count) {
  ref::philox one(seed);
  one.skip(offset);
  std::vector<uint32_t> all(count);
  for (uint32_t& x : all) x = one.next();
  return all;
}
// 512 blocks of 256: block b has the parameters b, and 256 numbers in turn. What a call does not take of them is lost.
std::vector<uint32_t> mtgp32(uint32_t seed, const std::vector<size_t>& counts) {
  std::vector<ref::mtgp32> blocks;
  for (uint32_t b = 0; b < 512; ++b) blocks.emplace_back(mtgp32dc_params_fast_11213[b], seed + b + 1);
  std::vector<uint32_t> all;
  for (const size_t count : counts)
    for (size_t i = 0; i < (count + 255) / 256 * 256; ++i) {
      const uint32_t x = blocks[i / 256 % 512].next();
      if (i < count) all.push_back(x);
    }
  return all;
}

constexpr uint64_t far = (uint64_t{1} << 40) + 12345;

}  // namespace

CASE(xorwow_numbers) {
  generator g(HIPRAND_RNG_PSEUDO_XORWOW, 12345);
  EQUAL(g.numbers({1001}), xorwow(12345, 0, 1001));
}
CASE(xorwow_offset_skips) {
  generator g(HIPRAND_RNG_PSEUDO_XORWOW, 0x123456789abcdefu, far);
  EQUAL(g.numbers({1, 0, 300}), xorwow(0x123456789abcdefu, far, 301));
}
CASE(mrg32k3a_numbers) {
  generator g(HIPRAND_RNG_PSEUDO_MRG32K3A, 12345);
  EQUAL(g.numbers({1001}), mrg32k3a(12345, 0, 1001));
}
CASE(mrg32k3a_offset_skips) {
  generator g(HIPRAND_RNG_PSEUDO_MRG32K3A, 65535, far);
  EQUAL(g.numbers({1, 0, 300}), mrg32k3a(65535, far, 301));
}
CASE(mrg32k3a_seed_zero_is_the_default) {
  generator g(HIPRAND_RNG_PSEUDO_MRG32K3A, 0);
  EQUAL(g.numbers({65}), mrg32k3a(12345, 0, 65));
}
CASE(philox_numbers) {
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 12345);
  EQUAL(g.numbers({10007}), philox(12345, 0, 10007));
}
CASE(philox_offset_skips) {
  for (const uint64_t offset : {uint64_t{1}, uint64_t{6}, uint64_t{1023}, far}) {
    generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 0xfedcba9876543210u, offset);
    EQUAL(g.numbers({1, 0, 2, 3, 300}), philox(0xfedcba9876543210u, offset, 306));
  }
}
CASE(mtgp32_numbers) {
  generator g(HIPRAND_RNG_PSEUDO_MTGP32, 12345);
  EQUAL(g.numbers({10007, 100, 0, 513}), mtgp32(12345, {10007, 100, 0, 513}));
}
CASE(mtgp32_has_no_offset) {
  generator g(HIPRAND_RNG_PSEUDO_MTGP32, 1);
  RETURNS(HIPRAND_STATUS_TYPE_ERROR, hiprandSetGeneratorOffset(g, 1));
}
CASE(more_numbers_than_engines) {
  if (!whole()) return;
  const size_t count = 2 * engines + 777;
  generator x(HIPRAND_RNG_PSEUDO_XORWOW, 99, engines - 3);
  EQUAL(x.numbers({count}), xorwow(99, engines - 3, count));
  generator m(HIPRAND_RNG_PSEUDO_MRG32K3A, 99, engines - 3);
  EQUAL(m.numbers({count}), mrg32k3a(99, engines - 3, count));
  generator p(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 99, engines - 3);
  EQUAL(p.numbers({4 * count}), philox(99, engines - 3, 4 * count));
  generator t(HIPRAND_RNG_PSEUDO_MTGP32, 99);
  EQUAL(t.numbers({count}), mtgp32(99, {count}));
}
CASE(the_default_is_xorwow) {
  generator a(HIPRAND_RNG_PSEUDO_DEFAULT, 7);
  EQUAL(a.numbers({100}), xorwow(7, 0, 100));
}
CASE(setting_the_seed_begins_anew) {
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 5, 3);
  g.numbers({77});
  RAND(hiprandSetPseudoRandomGeneratorSeed(g, 6));
  EQUAL(g.numbers({10}), philox(6, 3, 10));
  RAND(hiprandSetGeneratorOffset(g, 0));
  EQUAL(g.numbers({10}), philox(6, 0, 10));
}
CASE(numbers_in_a_stream) {
  own_stream s(hipStreamNonBlocking);
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 8);
  RAND(hiprandSetStream(g, s));
  const device_copy<uint32_t> d(999);
  RAND(hiprandGenerate(g, d.get(), 999));
  OK(hipStreamSynchronize(s));
  EQUAL(d.read(), philox(8, 0, 999));
}
CASE(nothing_beyond_the_end_is_written) {
  for (const hiprandRngType_t type : {HIPRAND_RNG_PSEUDO_MRG32K3A, HIPRAND_RNG_PSEUDO_PHILOX4_32_10,
                                      HIPRAND_RNG_PSEUDO_MTGP32, HIPRAND_RNG_QUASI_SOBOL32})
    for (const size_t count : {0, 1, 2, 3, 5, 255, 257}) {
      generator g(type);
      const device_copy<uint32_t> d(count + 5);
      // From an odd address on, too.
      RAND(hiprandGenerate(g, d.get() + 1, count));
      const std::vector<uint32_t> got = d.read();
      EXPECT(got[0] == 0xa5a5a5a5u);
      EXPECT(got[1] != 0xa5a5a5a5u || count == 0);
      for (size_t k = 1 + count; k < count + 5; ++k) EXPECT(got[k] == 0xa5a5a5a5u);
    }
}

CASE(sobol32_numbers) {
  for (const unsigned dimensions : {1u, 2u, 7u})
    for (const unsigned offset : {0u, 1u, 1000u}) {
      generator g(HIPRAND_RNG_QUASI_SOBOL32);
      RAND(hiprandSetQuasiRandomGeneratorDimensions(g, dimensions));
      if (offset != 0) RAND(hiprandSetGeneratorOffset(g, offset));
      // Dimension after dimension, in every call.
      std::vector<uint32_t> want;
      uint32_t from = offset;
      for (const uint32_t count : {300u, 7u}) {
        for (unsigned d = 0; d < dimensions; ++d)
          for (uint32_t i = 0; i < count; ++i) want.push_back(ref::sobol<uint32_t>(d).at(from + i));
        from += count;
      }
      EQUAL(g.numbers({300 * dimensions, 7 * dimensions}), want);
    }
}
// In any dimension, one of the first 2^k numbers lies in each 2^k-th of the range. This is what defines a direction
// vector.
CASE(sobol32_dimensions_are_stratified) {
  const unsigned dimensions = whole() ? 20000 : 1000;
  constexpr unsigned log = 6, count = 1u << log;
  generator g(HIPRAND_RNG_QUASI_SOBOL32);
  RAND(hiprandSetQuasiRandomGeneratorDimensions(g, dimensions));
  const std::vector<uint32_t> x = g.numbers({size_t{dimensions} * count});
  for (unsigned d = 0; d < dimensions; ++d) {
    uint64_t seen = 0;
    for (unsigned i = 0; i < count; ++i) seen |= uint64_t{1} << (x[d * count + i] >> (32 - log));
    if (seen != ~uint64_t{0}) fail(__LINE__, "dimension " + std::to_string(d) + " leaves out a part of the range");
  }
}
CASE(sobol32_lengths_and_dimensions) {
  generator g(HIPRAND_RNG_QUASI_SOBOL32);
  RAND(hiprandSetQuasiRandomGeneratorDimensions(g, 3));
  const device_copy<uint32_t> d(size_t{10});
  RETURNS(HIPRAND_STATUS_LENGTH_NOT_MULTIPLE, hiprandGenerate(g, d.get(), 10));
  RETURNS(HIPRAND_STATUS_OUT_OF_RANGE, hiprandSetQuasiRandomGeneratorDimensions(g, 0));
  RETURNS(HIPRAND_STATUS_OUT_OF_RANGE, hiprandSetQuasiRandomGeneratorDimensions(g, 20001));
  RETURNS(HIPRAND_STATUS_TYPE_ERROR, hiprandSetPseudoRandomGeneratorSeed(g, 1));
  generator p(HIPRAND_RNG_PSEUDO_PHILOX4_32_10);
  RETURNS(HIPRAND_STATUS_TYPE_ERROR, hiprandSetQuasiRandomGeneratorDimensions(p, 2));
}
// Not below hipRAND's name in this version, but rocRAND has it.
CASE(sobol64_uniform_doubles) {
  for (const unsigned long long offset : {0ull, 5ull}) {
    rocrand_generator g;
    RETURNS(ROCRAND_STATUS_SUCCESS, rocrand_create_generator(&g, ROCRAND_RNG_QUASI_SOBOL64));
    RETURNS(ROCRAND_STATUS_SUCCESS, rocrand_set_quasi_random_generator_dimensions(g, 7));
    RETURNS(ROCRAND_STATUS_SUCCESS, rocrand_set_offset(g, offset));
    const device_copy<double> d(size_t{7 * 333});
    RETURNS(ROCRAND_STATUS_SUCCESS, rocrand_generate_uniform_double(g, d.get(), 7 * 333));
    std::vector<double> want;
    for (unsigned k = 0; k < 7; ++k)
      for (unsigned i = 0; i < 333; ++i)
        want.push_back(0x1p-53 + static_cast<double>(ref::sobol<uint64_t>(k).at(offset + i) >> 11) * 0x1p-53);
    EQUAL(d.read(), want);
    RETURNS(ROCRAND_STATUS_SUCCESS, rocrand_destroy_generator(g));
  }
}

CASE(bytes_and_shorts_are_pieces_of_the_numbers) {
  const std::vector<uint32_t> words = philox(3, 0, 1000);
  std::vector<uint8_t> bytes(4 * 1000 - 3);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 3);
  const device_copy<uint8_t> b(bytes.size());
  RAND(hiprandGenerateChar(g, b.get(), bytes.size()));
  EQUAL(b.read(), bytes);
  std::vector<uint16_t> shorts(2 * 1000 - 1);
  std::memcpy(shorts.data(), words.data(), 2 * shorts.size());
  generator h(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 3);
  const device_copy<uint16_t> s(shorts.size());
  RAND(hiprandGenerateShort(h, s.get(), shorts.size()));
  EQUAL(s.read(), shorts);
}
// In (0, 1]: the number as a float times 2^-32, and 2^-32, rounded once.
CASE(uniform_floats) {
  const std::vector<uint32_t> words = philox(4, 0, 5001);
  std::vector<float> want;
  for (const uint32_t x : words) want.push_back(std::fma(static_cast<float>(x), 0x1p-32f, 0x1p-32f));
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 4);
  const device_copy<float> d(want.size());
  RAND(hiprandGenerateUniform(g, d.get(), want.size()));
  EQUAL(d.read(), want);
}
// From 53 of two numbers' bits.
CASE(uniform_doubles) {
  const std::vector<uint32_t> words = philox(4, 0, 2 * 5001);
  std::vector<double> want;
  for (size_t i = 0; i < 5001; ++i) {
    const uint64_t x = (uint64_t{words[2 * i + 1] >> 11} << 32) | words[2 * i];
    want.push_back(std::fma(static_cast<double>(x), 0x1p-53, 0x1p-53));
  }
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 4);
  const device_copy<double> d(want.size());
  RAND(hiprandGenerateUniformDouble(g, d.get(), want.size()));
  EQUAL(d.read(), want);
}
// Box and Muller's transform of two numbers.
CASE(normal_floats) {
  const std::vector<uint32_t> words = philox(4, 0, 5002);
  std::vector<float> want;
  std::vector<double> limit;
  for (size_t i = 0; i < words.size(); i += 2) {
    const double u = std::fma(static_cast<float>(words[i]), 0x1p-32f, 0x1p-32f);
    const double v = (static_cast<double>(words[i + 1]) + 1) * 0x1p-32 * 6.283185307179586;
    const double length = std::sqrt(-2 * std::log(u));
    want.push_back(static_cast<float>(3 + 0.5 * std::sin(v) * length));
    want.push_back(static_cast<float>(3 + 0.5 * std::cos(v) * length));
    // The angle is a float of up to 2 pi, off by 2^-22 in all, and the device's sine by 2^-20; the logarithm near 1
    // loses what u has: 2^-24 of 1, so up to 2^-12 of the length's square root where that is small.
    const double off = 0.5 * (length * 0x1p-19 + std::min(0x1p-11, 0x1p-22 / std::max(length, 1e-9))) + 0x1p-22;
    limit.push_back(off);
    limit.push_back(off);
  }
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10, 4);
  const device_copy<float> d(want.size());
  RAND(hiprandGenerateNormal(g, d.get(), want.size(), 3.0f, 0.5f));
  WITHIN(d.read(), want, limit);
}

CASE(what_is_not_there) {
  hiprandGenerator_t g;
  for (const hiprandRngType_t type : {HIPRAND_RNG_PSEUDO_MT19937, HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL32,
                                      HIPRAND_RNG_QUASI_SOBOL64, HIPRAND_RNG_QUASI_SCRAMBLED_SOBOL64})
    RETURNS(HIPRAND_STATUS_NOT_IMPLEMENTED, hiprandCreateGenerator(&g, type));
  RETURNS(HIPRAND_STATUS_TYPE_ERROR, hiprandCreateGenerator(&g, static_cast<hiprandRngType_t>(1234)));
  RETURNS(HIPRAND_STATUS_NOT_IMPLEMENTED, hiprandCreateGeneratorHost(&g, HIPRAND_RNG_PSEUDO_PHILOX4_32_10));
}
CASE(wrong_use) {
  int version = 0;
  RAND(hiprandGetVersion(&version));
  EXPECT(version > 0);
  RETURNS(HIPRAND_STATUS_OUT_OF_RANGE, hiprandGetVersion(nullptr));
  RETURNS(HIPRAND_STATUS_NOT_INITIALIZED, hiprandGenerate(nullptr, nullptr, 0));
  generator g(HIPRAND_RNG_PSEUDO_PHILOX4_32_10);
  const device_copy<uint32_t> d(size_t{4});
  RETURNS(HIPRAND_STATUS_OUT_OF_RANGE, hiprandGeneratePoisson(g, d.get(), 4, 0.0));
  hiprandDiscreteDistribution_t poisson;
  RETURNS(HIPRAND_STATUS_OUT_OF_RANGE, hiprandCreatePoissonDistribution(-1.0, &poisson));
  RETURNS(HIPRAND_STATUS_OUT_OF_RANGE, hiprandCreatePoissonDistribution(1.0, nullptr));
  RAND(hiprandGenerateSeeds(g));
}
// SPDX-License-Identifier: Apache-2.0
