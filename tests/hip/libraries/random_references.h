// SPDX-License-Identifier: Apache-2.0
// The published generators of random numbers, written anew from their papers, for the host. Of rocRAND's own making is
// how a seed becomes a first state.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace random_references {

// XORWOW: G. Marsaglia, "Xorshift RNGs", 2003. The five words of the shift register are a vector of 160 bits, and a
// step is a matrix over GF(2), so that skipping numbers is multiplying by its powers.
class xorwow {
 public:
  using words = std::array<uint32_t, 5>;

  explicit xorwow(uint64_t seed) {
    const uint32_t t0 = 1228688033u * (static_cast<uint32_t>(seed) ^ 0x2c7f967fu);
    const uint32_t t1 = 2073658381u * (static_cast<uint32_t>(seed >> 32) ^ 0xa03697cbu);
    x_ = {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0};
    weyl_ = 6615241u + t1 + t0;
  }
  uint32_t next() {
    step(x_);
    weyl_ += 362437u;
    return weyl_ + x_[4];
  }
  void skip(uint64_t count) {
    weyl_ += static_cast<uint32_t>(count) * 362437u;
    for (unsigned k = 0; count != 0; ++k, count >>= 1)
      if (count & 1) x_ = times(power(k), x_);
  }
  // Sequences have 2^67 numbers each. The Weyl sequence has 2^32, so it is where it was.
  void skip_sequences(uint64_t count) {
    for (unsigned k = 67; count != 0; ++k, count >>= 1)
      if (count & 1) x_ = times(power(k), x_);
  }

 private:
  using matrix = std::vector<words>;  // the images of the 160 unit vectors

  static void step(words& x) {
    const uint32_t t = x[0] ^ (x[0] >> 2);
    x = {x[1], x[2], x[3], x[4], (x[4] ^ (x[4] << 4)) ^ (t ^ (t << 1))};
  }
  static words times(const matrix& m, const words& x) {
    words sum{};
    for (unsigned bit = 0; bit < 160; ++bit)
      if ((x[bit / 32] >> (bit % 32)) & 1)
        for (unsigned k = 0; k < 5; ++k) sum[k] ^= m[bit][k];
    return sum;
  }
  // The step's 2^k-th power.
  static const matrix& power(unsigned k) {
    static std::vector<matrix> powers;
    if (powers.empty()) {
      matrix one(160);
      for (unsigned bit = 0; bit < 160; ++bit) {
        one[bit][bit / 32] = 1u << (bit % 32);
        step(one[bit]);
      }
      powers.push_back(one);
    }
    while (powers.size() <= k) {
      matrix square(160);
      for (unsigned bit = 0; bit < 160; ++bit) square[bit] = times(powers.back(), powers.back()[bit]);
      powers.push_back(square);
    }
    return powers[k];
  }

  words x_;
  uint32_t weyl_;
};

// MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random number
// generators", 1999. Two recurrences of order three.
class mrg32k3a {
 public:
  static constexpr uint64_t m1 = 4294967087u;
  static constexpr uint64_t m2 = 4294944443u;

  // The first state is the seed times constants modulo m1 and m2; seeds here have 16 bits, for which rocRAND's way to
  // multiply is exact.
  explicit mrg32k3a(uint16_t seed) {
    const uint64_t x = static_cast<uint32_t>(seed) ^ 0x55555555u;
    const uint64_t y = 0xaaaaaaaau;
    one_ = {x * seed % m1, y * seed % m1, x * seed % m1};
    two_ = {y * seed % m2, x * seed % m2, y * seed % m2};
  }
  // In [1, m1].
  uint32_t next() {
    one_ = times(first(), one_, m1);
    two_ = times(second(), two_, m2);
    const uint64_t difference = (one_[2] + m1 - two_[2] % m1) % m1;
    return static_cast<uint32_t>(difference == 0 ? m1 : difference);
  }
  // That as 32 bits, as rocRAND scales it.
  static uint32_t bits(uint32_t value) { return static_cast<uint32_t>((value - 1) * 1.000000048661607); }
  void skip(uint64_t count) { skip_doubled(count, 0); }
  // Sequences have 2^76 numbers each, as L'Ecuyer has it. rocRAND's header says 2^67, but its table is that of 2^76.
  void skip_sequences(uint64_t count) { skip_doubled(count, 76); }

 private:
  using vector = std::array<uint64_t, 3>;
  using matrix = std::array<vector, 3>;

  static matrix first() { return {{{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}}}; }
  static matrix second() { return {{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}}}; }
  static vector times(const matrix& m, const vector& v, uint64_t modulus) {
    vector r{};
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned k = 0; k < 3; ++k) r[i] = (r[i] + m[i][k] * v[k] % modulus) % modulus;
    return r;
  }
  static matrix times(const matrix& a, const matrix& b, uint64_t modulus) {
    matrix r{};
    for (unsigned i = 0; i < 3; ++i)
      for (unsigned j = 0; j < 3; ++j)
        for (unsigned k = 0; k < 3; ++k) r[i][j] = (r[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
    return r;
  }
  // By count * 2^doublings.
  void skip_doubled(uint64_t count, unsigned doublings) {
    matrix a = first(), b = second();
    for (unsigned k = 0; k < doublings; ++k) {
      a = times(a, a, m1);
      b = times(b, b, m2);
    }
    for (; count != 0; count >>= 1) {
      if (count & 1) {
        one_ = times(a, one_, m1);
        two_ = times(b, two_, m2);
      }
      a = times(a, a, m1);
      b = times(b, b, m2);
    }
  }

  vector one_, two_;
};

// Philox 4x32 with ten rounds: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011. The number at a
// position is a function of the position; a sequence has 2^66 numbers.
class philox {
 public:
  explicit philox(uint64_t seed) : seed_(seed) {}
  uint32_t next() {
    const std::array<uint32_t, 4> four = at(position_ / 4);
    return four[position_++ % 4];
  }
  void skip(uint64_t count) { position_ += count; }
  void skip_sequences(uint64_t count) { sequence_ += count; }

 private:
  std::array<uint32_t, 4> at(uint64_t block) const {
    std::array<uint32_t, 4> c = {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32),
                                 static_cast<uint32_t>(sequence_), static_cast<uint32_t>(sequence_ >> 32)};
    uint32_t key0 = static_cast<uint32_t>(seed_), key1 = static_cast<uint32_t>(seed_ >> 32);
    for (unsigned round = 0; round < 10; ++round) {
      const uint64_t p0 = uint64_t{0xd2511f53u} * c[0], p1 = uint64_t{0xcd9e8d57u} * c[2];
      c = {static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ key0, static_cast<uint32_t>(p1),
           static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ key1, static_cast<uint32_t>(p0)};
      key0 += 0x9e3779b9u;
      key1 += 0xbb67ae85u;
    }
    return c;
  }

  uint64_t seed_;
  uint64_t position_ = 0;
  uint64_t sequence_ = 0;
};

// MTGP32: M. Saito, M. Matsumoto, "Variants of Mersenne Twister suitable for graphic processors", 2012, for exponent
// 11213: 351 words. The parameters are a table of the authors', which the library's header has.
class mtgp32 {
 public:
  template <class Parameters>
  mtgp32(const Parameters& p, uint32_t seed) : pos_(p.pos), sh1_(p.sh1), sh2_(p.sh2), mask_(p.mask) {
    for (unsigned k = 0; k < 16; ++k) {
      recursion_[k] = p.tbl[k];
      tempering_[k] = p.tmp_tbl[k];
    }
    const uint32_t hidden = p.tbl[4] ^ (p.tbl[8] << 16);
    uint32_t byte = hidden + (hidden >> 16);
    byte = (byte + (byte >> 8)) & 0xff;
    state_.assign(words, byte * 0x01010101u);
    state_[0] = seed;
    state_[1] = hidden;
    for (unsigned k = 1; k < words; ++k) state_[k] ^= 1812433253u * (state_[k - 1] ^ (state_[k - 1] >> 30)) + k;
  }
  uint32_t next() {
    const size_t i = state_.size() - words;
    uint32_t x = (state_[i] & mask_) ^ state_[i + 1];
    x ^= x << sh1_;
    const uint32_t y = x ^ (state_[i + pos_] >> sh2_);
    const uint32_t r = y ^ recursion_[y & 15];
    state_.push_back(r);
    uint32_t t = state_[i + pos_ - 1];
    t ^= t >> 16;
    t ^= t >> 8;
    return r ^ tempering_[t & 15];
  }

 private:
  static constexpr unsigned words = 351;
  unsigned pos_, sh1_, sh2_;
  uint32_t mask_;
  uint32_t recursion_[16], tempering_[16];
  std::vector<uint32_t> state_;
};

// Sobol's sequence in Gray code order (I. Antonov, V. Saleev, 1979), with the first seven of the direction numbers of
// S. Joe, F. Kuo, "Constructing Sobol sequences with better two-dimensional projections", 2008.
template <class T>
class sobol {
 public:
  static constexpr unsigned dimensions = 7;

  explicit sobol(unsigned dimension) {
    struct row {
      unsigned degree, coefficients;
      std::vector<T> m;
    };
    static const std::vector<row> rows = {{0, 0, {}},           {1, 0, {1}},       {2, 1, {1, 3}},
                                          {3, 1, {1, 3, 1}},    {3, 2, {1, 1, 1}}, {4, 1, {1, 1, 3, 3}},
                                          {4, 4, {1, 3, 5, 13}}};
    const row& r = rows.at(dimension);
    for (unsigned k = 0; k < bits; ++k) {
      if (r.degree == 0) {
        vectors_[k] = T{1} << (bits - 1 - k);
      } else if (k < r.degree) {
        vectors_[k] = r.m[k] << (bits - 1 - k);
      } else {
        T v = vectors_[k - r.degree] ^ (vectors_[k - r.degree] >> r.degree);
        for (unsigned j = 1; j < r.degree; ++j)
          if ((r.coefficients >> (r.degree - 1 - j)) & 1) v ^= vectors_[k - j];
        vectors_[k] = v;
      }
    }
  }
  T at(T index) const {
    const T gray = index ^ (index >> 1);
    T x = 0;
    for (unsigned k = 0; k < bits; ++k)
      if ((gray >> k) & 1) x ^= vectors_[k];
    return x;
  }

 private:
  static constexpr unsigned bits = 8 * sizeof(T);
  T vectors_[bits];
};

}  // namespace random_references
