// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/float/float_operands.h"

#include <algorithm>
#include <cmath>

#include "tests/cosim/float/number_format.h"

namespace pws::rtl_test {

namespace {

uint64_t random_half(random_bits& random) {
  static constexpr uint16_t special[] = {0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7c01, 0x7dff, 0x7e00, 0x7fff};
  const auto any = static_cast<uint32_t>(random.next());
  const uint32_t sign = any & 0x8000;
  switch (random.below(4)) {
    case 0:
      return sign | special[random.below(sizeof special / sizeof special[0])];
    case 1:
      return sign | (any & 0x3ff);
    default:
      return any & 0xffff;
  }
}
uint32_t random_integer(random_bits& random) {
  const auto any = static_cast<uint32_t>(random.next());
  switch (random.below(5)) {
    case 0:
      return static_cast<uint32_t>(near(random, 0, 300));
    case 1:  // halfway between two numbers of 24 bits, and next to it
      return ((any | 1) & 0x1ffffff) << random.below(8);
    case 2:
      return 0x80000000u + static_cast<uint32_t>(near(random, 0, 200));
    case 3:
      return any >> random.below(32);
    default:
      return any;
  }
}

// Close to the limits of the next smaller format, and often halfway between two of its numbers.
uint64_t random_narrowed(random_bits& random, precision p) {
  const number_format f = format_of(p);
  const number_format to =
      format_of(p == precision::double_precision ? precision::single_precision : precision::half_precision);
  if (random.one_in(2)) return f.random_number(random);
  const int smallest = 1 - to.bias(), least = smallest - static_cast<int>(to.fraction_bits);
  const int limits[] = {least - 1, least, smallest - 1, smallest, smallest, smallest + 1, to.bias(), to.bias() + 1};
  const uint64_t number = f.with_exponent(random, f.bias() + limits[random.below(8)]);
  const uint64_t half_place = uint64_t{1} << (f.fraction_bits - to.fraction_bits - 1);
  return random.one_in(2) ? number : ((number & ~(2 * half_place - 1)) | half_place) + random.below(3) - 1;
}

uint64_t random_operand(random_bits& random, precision p, operand_class kind) {
  const number_format f = format_of(p);
  // The upper part of a register that a half does not fill is not read.
  const uint64_t above = random.next() << 16;
  switch (kind) {
    case operand_class::number:
      return p == precision::half_precision ? f.random_number(random) | above : f.random_number(random);
    case operand_class::half:
      return random_half(random) | above;
    case operand_class::single:
      return format_of(precision::single_precision).random_number(random);
    case operand_class::narrowed:
      return random_narrowed(random, p);
    case operand_class::integer:
      return random_integer(random);
    case operand_class::exponent:
      return random.one_in(8) ? random_integer(random)
                              : static_cast<uint64_t>(static_cast<int64_t>(
                                    near(random, 0, 2 * (f.bias() + static_cast<int>(f.fraction_bits)) + 10)));
    case operand_class::mask:
      return random.one_in(4) ? random.next() : uint64_t{1} << random.below(11);
    case operand_class::byte_number:
      return random.one_in(4) ? random.next() : random.below(8);
    case operand_class::logarithm: {
      static constexpr double limits[] = {-128, -127, -126, -125, 127, 128, 0, 1};
      if (random.one_in(2)) return f.neighbour(random, f.bits(limits[random.below(8)]));
      return f.bits(near(random, 0, 140) + random.below(1 << 20) * 0x1p-20);
    }
    case operand_class::turns:
      return f.neighbour(random, f.bits(near(random, 0, random.one_in(2) ? 16 : 2100) * 0.125));
    case operand_class::unused:
    case operand_class::bits:
      break;
  }
  return random.next();
}

struct relations {
  random_bits& random;
  number_format f;
  uint64_t (&v)[3];

  int fraction_bits() const { return static_cast<int>(f.fraction_bits); }

  void sum() {
    v[1] = f.with_exponent(random, near(random, f.exponent_of(v[0]), fraction_bits() + 4));
    if (random.one_in(2)) v[1] = f.neighbour(random, v[0]) ^ f.sign();
  }

  void product() {
    v[0] = f.with_exponent(random, static_cast<int>(random.below(static_cast<uint32_t>(f.special()))));
    const int depth = fraction_bits() / 2;
    const int limit = random.one_in(4) ? f.special() - 1 : near(random, -depth, depth + 3);
    v[1] = f.with_exponent(random, limit + f.bias() - f.exponent_of(v[0]));
    // As near to the smallest normal number as the significand's bits allow.
    if (random.one_in(4)) v[1] = f.neighbour(random, f.bits(std::ldexp(1.0, 1 - f.bias()) / f.value(v[0])));
  }

  void fused() {
    if (random.one_in(2)) {
      const int spread = std::min(60, f.bias() - 1);
      v[0] = f.with_exponent(random, near(random, f.bias(), spread));
      v[1] = f.with_exponent(random, near(random, f.bias(), spread));
    } else {
      product();
    }
    const uint64_t of_both = f.bits(f.value(v[0]) * f.value(v[1]));
    v[2] = random.one_in(3) ? f.with_exponent(random, near(random, f.exponent_of(of_both), 2 * fraction_bits() + 6))
                            : f.neighbour(random, of_both) ^ (random.one_in(4) ? 0 : f.sign());
  }

  void quotient() {
    const int differences[] = {0,
                               f.bias() == 127 ? 96 : 768,
                               1 - f.bias(),
                               -f.bias(),
                               -(f.bias() + fraction_bits()),
                               25 - f.bias(),
                               -(f.bias() + 73),
                               f.bias()};
    if (random.one_in(2)) {
      const uint64_t limit = static_cast<uint64_t>(f.special() - 2) << f.fraction_bits;
      v[1] = f.with_exponent(random, static_cast<int>(random.below(static_cast<uint32_t>(f.special()))));
      if (random.one_in(8)) v[1] = limit + static_cast<uint64_t>(static_cast<int64_t>(near(random, 0, 2)));
      v[2] = f.with_exponent(random, f.exponent_of(v[1]) + near(random, differences[random.below(8)], 1));
      // Significands next to each other, or all ones and 1: quotients that round up to a power of two.
      if (random.one_in(3)) v[2] = (v[2] & ~f.fraction()) | (f.neighbour(random, v[1]) & f.fraction());
      if (random.one_in(8)) {
        v[1] &= ~f.fraction();
        v[2] |= f.fraction();
      }
    }
    if (!random.one_in(8)) v[0] = v[1 + random.below(2)];
  }

  // q + e * y with q + e * y rounded an odd multiple of half the smallest denormal, after v_div_scale's scaling.
  void last_step() {
    const int scaled_up = f.bias() == 127 ? 64 : 128;
    const int half_of_least = -(f.bias() + fraction_bits());
    const int bits = random.one_in(2) ? 1 : near(random, fraction_bits() / 2 + 1, fraction_bits() / 2 + 1);
    const auto odd = static_cast<double>((random.next() & ((uint64_t{1} << bits) - 1)) | 1);
    const double sign = random.one_in(2) ? -1.0 : 1.0;
    const double r = std::ldexp(sign * odd, half_of_least + scaled_up);
    const int last_place = std::ilogb(r) - fraction_bits();
    const double epsilon = std::ldexp(1.0, -fraction_bits());
    switch (random.below(4)) {
      case 0: {  // the quotient itself, and a product that is lost on it, perhaps altogether
        v[2] = f.bits(r);
        const int product = random.one_in(2) ? near(random, half_of_least, 3)
                                             : last_place - 1 - static_cast<int>(random.below(2 * f.fraction_bits));
        const int own = near(random, product / 2, 20);
        v[0] = f.with_exponent(random, f.bias() + own);
        v[1] = f.with_exponent(random, f.bias() + product - own);
        break;
      }
      case 1: {  // a quotient next to it, and a product that nearly makes up for it
        const int places = 1 + static_cast<int>(random.below(3));
        const double step = random.one_in(2) ? -1.0 : 1.0;
        v[2] = f.bits(r + std::ldexp(step * places, last_place));
        const double few = random.one_in(4) ? 0.0 : static_cast<double>(1u << random.below(8));
        v[0] = f.bits(std::ldexp(-step * (1.0 + few * epsilon), -50));
        v[1] = f.bits(std::ldexp(places * (1.0 - few * epsilon), last_place + 50));
        if (random.one_in(4)) v[1] = f.neighbour(random, v[1]);
        break;
      }
      case 2: {  // a product that all but cancels a large quotient: c - r is not exact
        const double u = static_cast<double>(random.below(4096) | 1) * epsilon;
        v[0] = f.bits(-sign * (1.0 + u));
        v[1] = f.bits(std::ldexp(1.0 - u, -40));
        v[2] = f.bits(std::ldexp(sign, -40));
        break;
      }
      default: {  // the steps of a division as programs do them
        const uint64_t d = f.with_exponent(random, near(random, f.bias(), 20));
        v[1] = f.bits(1.0 / f.value(d));
        v[2] = f.bits(r);
        v[0] = f.with_exponent(random, last_place + near(random, 0, 2) + f.exponent_of(d));
        break;
      }
    }
  }
};

}  // namespace

uint64_t random_bits::next() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t x = state_;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

operand_triple random_operands(random_bits& random, precision p, const operand_class (&kinds)[3],
                               operand_relation relation) {
  operand_triple t{};
  for (unsigned k = 0; k < 3; ++k) t.value[k] = random_operand(random, p, kinds[k]);
  if (random.one_in(3)) return t;
  relations of{random, format_of(p), t.value};
  switch (relation) {
    case operand_relation::none:
      break;
    case operand_relation::sum:
      of.sum();
      break;
    case operand_relation::product:
      of.product();
      break;
    case operand_relation::fused:
      of.fused();
      break;
    case operand_relation::quotient:
      of.quotient();
      break;
    case operand_relation::last_step:
      of.last_step();
      break;
  }
  return t;
}

}  // namespace pws::rtl_test
