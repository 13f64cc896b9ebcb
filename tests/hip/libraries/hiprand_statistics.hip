// needs: hiprand/hiprand.h libhiprand-dev librocrand-dev
// flags: -lhiprand -lrocrand
// What every generator of hipRAND makes is distributed as it says: mean, variance, and chi-squared over bins.
//
// Limits are computed, not tuned. Of n independent numbers with variance v and fourth central moment m, the mean's own
// standard deviation is sqrt(v / n), and the variance's sqrt((m - v^2) / n); chi-squared over k bins of known
// probability is distributed as it is named, with k - 1 degrees of freedom, which Wilson and Hilferty's cube makes a
// normal number. Each may be off by six standard deviations: once in 10^9 for numbers that are right. Seeds are fixed,
// so that a failure is one for good. Quasirandom numbers are more even than that, and the same limits hold for them.
#include <hiprand/hiprand.h>

#include "library.h"

#define RAND(...) RETURNS(HIPRAND_STATUS_SUCCESS, __VA_ARGS__)

namespace {

constexpr double sigmas = 6;

struct moments {
  double mean, variance, fourth;  // fourth: central
};

void check_moments(const std::string& what, const std::vector<double>& x, const moments& want) {
  const double n = static_cast<double>(x.size());
  double sum = 0;
  for (const double v : x) sum += v;
  const double mean = sum / n;
  double squares = 0;
  for (const double v : x) squares += (v - want.mean) * (v - want.mean);
  const double variance = squares / n;
  if (!(std::fabs(mean - want.mean) <= sigmas * std::sqrt(want.variance / n)))
    fail(__LINE__, what + ": mean " + text(mean) + ", expected " + text(want.mean));
  if (!(std::fabs(variance - want.variance) <= sigmas * std::sqrt((want.fourth - want.variance * want.variance) / n)))
    fail(__LINE__, what + ": variance " + text(variance) + ", expected " + text(want.variance));
}
void check_bins(const std::string& what, const std::vector<uint64_t>& counts, const std::vector<double>& probability) {
  double n = 0, chi = 0;
  for (const uint64_t c : counts) n += static_cast<double>(c);
  for (size_t k = 0; k < counts.size(); ++k) {
    const double want = n * probability[k];
    chi += (static_cast<double>(counts[k]) - want) * (static_cast<double>(counts[k]) - want) / want;
  }
  const double free = static_cast<double>(counts.size() - 1);
  const double limit = free * std::pow(1 - 2 / (9 * free) + sigmas * std::sqrt(2 / (9 * free)), 3);
  if (!(chi <= limit))
    fail(__LINE__, what + ": chi-squared is " + text(chi) + ", at most " + text(limit) + " is right");
}
// Into bins of equal probability by the distribution function.
template <class Distribution>
void check_continuous(const std::string& what, const std::vector<double>& x, Distribution below) {
  constexpr size_t bins = 64;
  std::vector<uint64_t> counts(bins);
  for (const double v : x) {
    const double p = below(v);
    if (!(p >= 0 && p <= 1)) fail(__LINE__, what + ": " + text(v) + " is no number of the distribution");
    ++counts[std::min(bins - 1, static_cast<size_t>(p * bins))];
  }
  check_bins(what, counts, std::vector<double>(bins, 1.0 / bins));
}
double normal_below(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}

struct kind {
  hiprandRngType_t type;
  const char* name;
  bool pseudo;
};
const kind kinds[] = {{HIPRAND_RNG_PSEUDO_XORWOW, "xorwow", true},
                      {HIPRAND_RNG_PSEUDO_MRG32K3A, "mrg32k3a", true},
                      {HIPRAND_RNG_PSEUDO_MTGP32, "mtgp32", true},
                      {HIPRAND_RNG_PSEUDO_PHILOX4_32_10, "philox", true},
                      {HIPRAND_RNG_QUASI_SOBOL32, "sobol32", false}};

// A generator of each kind, made once: XORWOW's first states take a while.
hiprandGenerator_t generator(const kind& k) {
  static hiprandGenerator_t made[sizeof kinds / sizeof *kinds] = {};
  hiprandGenerator_t& g = made[&k - kinds];
  if (g == nullptr) {
    RAND(hiprandCreateGenerator(&g, k.type));
    if (k.pseudo) RAND(hiprandSetPseudoRandomGeneratorSeed(g, 20181));
    // The quasirandom sequence begins with 0, which as a normal number is the farthest of all.
    if (!k.pseudo) RAND(hiprandSetGeneratorOffset(g, 1));
  }
  return g;
}

size_t count() {
  return whole() ? 1 << 20 : 1 << 14;
}

// `make` fills device memory of n elements; they come as double.
template <class T, class Make>
std::vector<double> made(Make make) {
  const device_copy<T> d(count());
  RAND(make(d.get(), count()));
  const std::vector<T> x = d.read();
  return std::vector<double>(x.begin(), x.end());
}
std::vector<double> halves(const std::vector<uint16_t>& bits) {
  std::vector<double> x;
  for (const uint16_t h : bits) {
    const int exponent = (h >> 10) & 31;
    const int fraction = h & 1023;
    const double size = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                        : exponent == 0 ? std::ldexp(fraction, -24)
                                        : std::ldexp(1024 + fraction, exponent - 25);
    x.push_back((h & 0x8000) != 0 ? -size : size);
  }
  return x;
}
template <class Make>
std::vector<double> made_halves(Make make) {
  const device_copy<uint16_t> d(count());
  RAND(make(reinterpret_cast<half*>(d.get()), count()));
  return halves(d.read());
}

const moments uniform = {0.5, 1.0 / 12, 1.0 / 80};

void check_uniform(const std::string& what, const std::vector<double>& x) {
  for (const double v : x)
    if (!(v > 0 && v <= 1)) fail(__LINE__, what + ": " + text(v) + " is not in (0, 1]");
  check_moments(what, x, uniform);
  // Half-open on the other side than bins are.
  check_continuous(what, x, [](double v) { return 1 - v; });
}
// Mean and standard deviation are 1 and 2.
void check_normal(const std::string& what, const std::vector<double>& x) {
  check_moments(what, x, {1, 4, 48});
  check_continuous(what, x, [](double v) { return normal_below((v - 1) / 2); });
}
// Its logarithm has mean and standard deviation 0.25 and 0.5. The k-th moment is exp(0.25 k + 0.125 k^2).
moments log_normal() {
  double m[5];
  for (int k = 0; k < 5; ++k) m[k] = std::exp(0.25 * k + 0.125 * k * k);
  return {m[1], m[2] - m[1] * m[1], m[4] - 4 * m[1] * m[3] + 6 * m[1] * m[1] * m[2] - 3 * std::pow(m[1], 4)};
}
void check_log_normal(const std::string& what, const std::vector<double>& x) {
  check_moments(what, x, log_normal());
  check_continuous(what, x, [](double v) { return v > 0 ? normal_below((std::log(v) - 0.25) / 0.5) : -1.0; });
}
std::vector<double> second_of_each(const std::vector<double>& pairs) {
  std::vector<double> x;
  for (size_t i = 0; i < pairs.size(); i += 2) {
    if (!std::isnan(pairs[i])) fail(__LINE__, "the first of a pair is " + text(pairs[i]) + ", expected NaN");
    x.push_back(pairs[i + 1]);
  }
  return x;
}
void check_poisson(const std::string& what, const std::vector<double>& x, double lambda) {
  check_moments(what, x, {lambda, lambda, lambda + 3 * lambda * lambda});
  // Neighbours together until a bin has 16 numbers to expect.
  std::vector<double> probability;
  std::vector<unsigned> last;
  double sum = 0, all = 0;
  const unsigned end = static_cast<unsigned>(lambda + 20 * std::sqrt(lambda) + 20);
  for (unsigned k = 0; k < end; ++k) {
    const double p = std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1.0));
    sum += p;
    all += p;
    if (sum * static_cast<double>(x.size()) < 16 || (1 - all) * static_cast<double>(x.size()) < 16) continue;
    probability.push_back(sum);
    last.push_back(k);
    sum = 0;
  }
  double beyond = 1;
  for (const double p : probability) beyond -= p;
  probability.push_back(beyond);
  std::vector<uint64_t> counts(probability.size());
  for (const double v : x)
    ++counts[std::lower_bound(last.begin(), last.end(), static_cast<unsigned>(v)) - last.begin()];
  if (counts.size() > 1) check_bins(what, counts, probability);
}

}  // namespace

CASE(bits) {
  for (const kind& k : kinds) {
    const hiprandGenerator_t g = generator(k);
    const device_copy<uint32_t> d(count());
    RAND(hiprandGenerate(g, d.get(), count()));
    const std::vector<uint32_t> x = d.read();
    // Six bits at each place in the number.
    for (unsigned shift = 26;; shift -= 13) {
      std::vector<uint64_t> counts(64);
      for (const uint32_t v : x) ++counts[(v >> shift) & 63];
      // Low bits of the first Sobol numbers are all 0.
      if (k.pseudo || shift == 26)
        check_bins(std::string(k.name) + " from bit " + std::to_string(shift), counts,
                   std::vector<double>(64, 1.0 / 64));
      if (shift == 0) break;
    }
    if (!k.pseudo) continue;
    // A number and its neighbour.
    std::vector<uint64_t> pairs(64);
    for (size_t i = 0; i + 1 < x.size(); i += 2) ++pairs[(x[i] >> 29) * 8 + (x[i + 1] >> 29)];
    check_bins(std::string(k.name) + " in pairs", pairs, std::vector<double>(64, 1.0 / 64));
  }
}
CASE(uniform_floats) {
  for (const kind& k : kinds)
    check_uniform(k.name, made<float>([&](float* d, size_t n) { return hiprandGenerateUniform(generator(k), d, n); }));
}
CASE(uniform_doubles) {
  for (const kind& k : kinds)
    check_uniform(k.name,
                  made<double>([&](double* d, size_t n) { return hiprandGenerateUniformDouble(generator(k), d, n); }));
}
CASE(normal_floats) {
  for (const kind& k : kinds)
    check_normal(k.name,
                 made<float>([&](float* d, size_t n) { return hiprandGenerateNormal(generator(k), d, n, 1, 2); }));
}
CASE(normal_doubles) {
  for (const kind& k : kinds)
    check_normal(k.name, made<double>([&](double* d, size_t n) {
                   return hiprandGenerateNormalDouble(generator(k), d, n, 1, 2);
                 }));
}
CASE(log_normal_floats) {
  for (const kind& k : kinds)
    check_log_normal(k.name, made<float>([&](float* d, size_t n) {
                       return hiprandGenerateLogNormal(generator(k), d, n, 0.25f, 0.5f);
                     }));
}
CASE(log_normal_doubles) {
  for (const kind& k : kinds)
    check_log_normal(k.name, made<double>([&](double* d, size_t n) {
                       return hiprandGenerateLogNormalDouble(generator(k), d, n, 0.25, 0.5);
                     }));
}
// Halves have eleven bits that count: moments alone are looked at. Of Box and Muller's two numbers the first is NaN, as
// hsin of Debian's rocm-device-libs is of every finite number; the second is looked at.
CASE(uniform_halves) {
  for (const kind& k : kinds)
    check_moments(k.name,
                  made_halves([&](half* d, size_t n) { return hiprandGenerateUniformHalf(generator(k), d, n); }),
                  uniform);
}
CASE(normal_halves) {
  for (const kind& k : kinds) {
    const std::vector<double> all = made_halves([&](half* d, size_t n) {
      return hiprandGenerateNormalHalf(generator(k), d, n, __float2half(1.0f), __float2half(2.0f));
    });
    check_moments(k.name, k.pseudo ? second_of_each(all) : all, {1, 4, 48});
  }
}
CASE(log_normal_halves) {
  for (const kind& k : kinds) {
    const std::vector<double> all = made_halves([&](half* d, size_t n) {
      return hiprandGenerateLogNormalHalf(generator(k), d, n, __float2half(0.25f), __float2half(0.5f));
    });
    check_moments(k.name, k.pseudo ? second_of_each(all) : all, log_normal());
  }
}
// Three ways to make them, by lambda.
CASE(poisson_numbers) {
  for (const kind& k : kinds)
    for (const double lambda : {0.25, 4.0, 60.0, 900.0, 10000.0}) {
      if (!whole() && k.pseudo && lambda != 4.0 && lambda != 900.0 && k.type != HIPRAND_RNG_PSEUDO_PHILOX4_32_10)
        continue;
      check_poisson(std::string(k.name) + " of lambda " + text(lambda), made<uint32_t>([&](uint32_t* d, size_t n) {
                      return hiprandGeneratePoisson(generator(k), d, n, lambda);
                    }),
                    lambda);
    }
}
// SPDX-License-Identifier: Apache-2.0
