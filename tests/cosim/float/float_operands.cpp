#include "tests/cosim/float/float_operands.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pws::rtl_test {

namespace {

float to_float(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
uint32_t to_bits(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

// Random, few bits set, nearly all of them, or near a power of two from above.
uint32_t random_fraction(random_bits& random) {
  const auto any = static_cast<uint32_t>(random.next()) & 0x7fffff;
  switch (random.below(6)) {
    case 0:
      return (1u << random.below(23)) | (1u << random.below(23));
    case 1:
      return 0x7fffff - random.below(4);
    case 2:
      return random.below(4);
    case 3:
      return any & (0x7fffffu << random.below(24));
    default:
      return any;
  }
}

// A number with that biased exponent, limited to normal numbers.
uint32_t with_exponent(random_bits& random, int exponent) {
  const auto field = static_cast<uint32_t>(std::clamp(exponent, 1, 254));
  return (random.one_in(2) ? 0x80000000u : 0) | field << 23 | random_fraction(random);
}
int near(random_bits& random, int centre, int spread) {
  return centre - spread + static_cast<int>(random.below(static_cast<uint32_t>(2 * spread + 1)));
}
int exponent_of(uint32_t number) {
  return static_cast<int>(number >> 23 & 0xff);
}
uint32_t neighbour(random_bits& random, uint32_t number) {
  return number + static_cast<uint32_t>(near(random, 0, 3));
}

uint32_t random_half(random_bits& random) {
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
uint32_t random_operand(random_bits& random, operand_class kind) {
  switch (kind) {
    case operand_class::number:
      return random_number(random);
    case operand_class::half:  // the upper half of the register is not read
      return random_half(random) | static_cast<uint32_t>(random.next()) << 16;
    case operand_class::narrowed: {
      static constexpr int limits[] = {101, 102, 112, 113, 113, 114, 142, 143};
      return random.one_in(2) ? random_number(random) : with_exponent(random, limits[random.below(8)]);
    }
    case operand_class::integer:
      return random_integer(random);
    case operand_class::exponent:
      return random.one_in(8) ? random_integer(random) : static_cast<uint32_t>(near(random, 0, 310));
    case operand_class::mask:
      return random.one_in(4) ? static_cast<uint32_t>(random.next()) : 1u << random.below(11);
    case operand_class::byte_number:
      return random.one_in(4) ? static_cast<uint32_t>(random.next()) : random.below(8);
    case operand_class::logarithm: {
      static constexpr float limits[] = {-128, -127, -126, -125, 127, 128, 0, 1};
      if (random.one_in(2)) return neighbour(random, to_bits(limits[random.below(8)]));
      return to_bits(static_cast<float>(near(random, 0, 140)) + static_cast<float>(random.below(1 << 20)) * 0x1p-20f);
    }
    case operand_class::turns: {
      const float eighths = static_cast<float>(near(random, 0, random.one_in(2) ? 16 : 2100)) * 0.125f;
      return neighbour(random, to_bits(eighths));
    }
    case operand_class::unused:
    case operand_class::bits:
      break;
  }
  return static_cast<uint32_t>(random.next());
}

void relate_sum(random_bits& random, uint32_t (&v)[3]) {
  v[1] = with_exponent(random, near(random, exponent_of(v[0]), 27));
  if (random.one_in(2)) v[1] = neighbour(random, v[0]) ^ 0x80000000u;
}

void relate_product(random_bits& random, uint32_t (&v)[3]) {
  v[0] = with_exponent(random, static_cast<int>(random.below(255)));
  const int limit = random.one_in(4) ? 254 : near(random, -12, 14);
  v[1] = with_exponent(random, limit + 127 - exponent_of(v[0]));
  // As near to the smallest normal number as 24 bits allow.
  if (random.one_in(4) && exponent_of(v[0]) > 0)
    v[1] = neighbour(random, to_bits(static_cast<float>(0x1p-126 / static_cast<double>(to_float(v[0])))));
}

void relate_fused(random_bits& random, uint32_t (&v)[3]) {
  if (random.one_in(2)) {
    v[0] = with_exponent(random, near(random, 127, 60));
    v[1] = with_exponent(random, near(random, 127, 60));
  } else {
    relate_product(random, v);
  }
  const float product = to_float(v[0]) * to_float(v[1]);
  v[2] = random.one_in(3) ? with_exponent(random, near(random, exponent_of(to_bits(product)), 52))
                          : neighbour(random, to_bits(product)) ^ (random.one_in(4) ? 0 : 0x80000000u);
}

void relate_quotient(random_bits& random, uint32_t (&v)[3]) {
  static constexpr int differences[] = {0, 96, -126, -127, -150, -102, -200, 127};
  if (random.one_in(2)) {
    const uint32_t d = with_exponent(random, static_cast<int>(random.below(255)));
    v[1] = random.one_in(8) ? 0x7e800000u + static_cast<uint32_t>(near(random, 0, 2)) : d;
    v[2] = with_exponent(random, exponent_of(v[1]) + near(random, differences[random.below(8)], 1));
    // Significands next to each other, or 2 - 2^-23 and 1: quotients that round up to a power of two.
    if (random.one_in(3)) v[2] = (v[2] & 0xff800000u) | (neighbour(random, v[1]) & 0x7fffff);
    if (random.one_in(8)) {
      v[1] &= 0xff800000u;
      v[2] |= 0x7fffff;
    }
  }
  if (!random.one_in(8)) v[0] = v[1 + random.below(2)];
}

// q + e * y with q + e * y rounded an odd multiple of 2^-86: half the smallest denormal after scaling by 2^-64.
void relate_last_step(random_bits& random, uint32_t (&v)[3]) {
  const int bits = random.one_in(2) ? 1 : near(random, 12, 12);
  const auto odd = static_cast<float>((static_cast<uint32_t>(random.next()) & ((1u << bits) - 1)) | 1);
  const float sign = random.one_in(2) ? -1.0f : 1.0f;
  const float r = std::ldexp(sign * odd, -86);
  const int last_place = std::ilogb(r) - 23;
  switch (random.below(4)) {
    case 0: {  // the quotient itself, and a product that is lost on it, perhaps altogether
      v[2] = to_bits(r);
      const int product =
          random.one_in(2) ? near(random, -150, 3) : last_place - 1 - static_cast<int>(random.below(40));
      const int own = near(random, -70, 20);
      v[0] = with_exponent(random, 127 + own);
      v[1] = with_exponent(random, 127 + product - own);
      break;
    }
    case 1: {  // a quotient next to it, and a product that nearly makes up for it
      const int places = 1 + static_cast<int>(random.below(3));
      const float step = random.one_in(2) ? -1.0f : 1.0f;
      v[2] = to_bits(r + std::ldexp(step * static_cast<float>(places), last_place));
      const uint32_t few = random.one_in(4) ? 0 : 1u << random.below(8);
      v[0] = to_bits(std::ldexp(-step * (1.0f + static_cast<float>(few) * 0x1p-23f), -50));
      v[1] = to_bits(
          std::ldexp(static_cast<float>(places) * (1.0f - static_cast<float>(few) * 0x1p-23f), last_place + 50));
      if (random.one_in(4)) v[1] = neighbour(random, v[1]);
      break;
    }
    case 2: {  // a product that all but cancels a large quotient: c - r is not exact
      const float u = static_cast<float>(random.below(4096) | 1) * 0x1p-23f;
      v[0] = to_bits(-sign * (1.0f + u));
      v[1] = to_bits(std::ldexp(1.0f - u, -40));
      v[2] = to_bits(std::ldexp(sign, -40));
      break;
    }
    default: {  // the steps of a division as programs do them
      const uint32_t d = with_exponent(random, near(random, 127, 20));
      v[1] = to_bits(1.0f / to_float(d));
      v[2] = to_bits(r);
      v[0] = with_exponent(random, last_place + near(random, 0, 2) + exponent_of(d));
      break;
    }
  }
}

}  // namespace

uint64_t random_bits::next() {
  state_ += 0x9e3779b97f4a7c15u;
  uint64_t x = state_;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint32_t random_number(random_bits& random) {
  const uint32_t sign = random.one_in(2) ? 0x80000000u : 0;
  const uint32_t payload = std::max<uint32_t>(1, random_fraction(random) & 0x3fffff);
  switch (random.below(14)) {
    case 0:
      return sign;
    case 1:
      return sign | random_fraction(random);
    case 2:
      return sign | (0x800000u + static_cast<uint32_t>(near(random, 0, 3)));
    case 3:
      return sign | (0x7f800000u - random.below(4));
    case 4:
      return sign | 0x7f800000u;
    case 5:
      return sign | 0x7fc00000u | (payload & 0x3fffff);
    case 6:
      return sign | 0x7f800000u | payload;
    case 7:
      return sign | to_bits(static_cast<float>(random.below(600)) * 0.5f);
    case 8:
      return with_exponent(random, near(random, 150, 12));
    case 9:
      return with_exponent(random, near(random, 112, 14));
    case 10:
      return with_exponent(random, near(random, 127, 3));
    case 11:
      return with_exponent(random, near(random, 127, 126));
    default:
      return static_cast<uint32_t>(random.next());
  }
}

operand_triple random_operands(random_bits& random, const operand_class (&kinds)[3], operand_relation relation) {
  operand_triple t{};
  for (unsigned k = 0; k < 3; ++k) t.value[k] = random_operand(random, kinds[k]);
  if (random.one_in(3)) return t;
  switch (relation) {
    case operand_relation::none:
      break;
    case operand_relation::sum:
      relate_sum(random, t.value);
      break;
    case operand_relation::product:
      relate_product(random, t.value);
      break;
    case operand_relation::fused:
      relate_fused(random, t.value);
      break;
    case operand_relation::quotient:
      relate_quotient(random, t.value);
      break;
    case operand_relation::last_step:
      relate_last_step(random, t.value);
      break;
  }
  return t;
}

}  // namespace pws::rtl_test
