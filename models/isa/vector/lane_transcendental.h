// SPDX-License-Identifier: Apache-2.0
// Transcendental functions of single precision on one lane, as hardware computes them: a table of three coefficients
// for each segment of the reduced argument, quadratic interpolation in integers, one rounding (docs/rtl.md,
// "Transcendentals"; rtl/valu_trans.sv gives the same bits). Branch-free: lane loops vectorise. Callers have the host
// round to nearest and read denormals as zero.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "models/isa/vector/lane_float.h"
#include "models/isa/vector/lane_trans_table.h"

namespace pws::isa {

namespace trans_detail {

constexpr uint32_t fraction_mask = 0x7fffff;

// c0 + c1 z + c2 z^2 on a row of the table, z = d / 2^23: units of 2^-30 for exp2, 2^-29 for log2, 2^-28 for sine.
// The square is of the upper 15 bits of z. Coefficients are magnitudes; their signs are the function's: a falling
// function's c1 is negative, and c2 has c1's sign where `same` says so. What products have below the last place is cut.
template <bool Falling, bool Same>
inline uint32_t interpolate(uint32_t row, uint32_t d) {
  const uint32_t square = trans_table::c2[row] * (d >> 8) >> 15;
  const uint32_t slope = Same ? trans_table::c1[row] + square : trans_table::c1[row] - square;
  const auto rest = static_cast<uint32_t>(uint64_t{slope} * d >> 24);
  return Falling ? trans_table::c0[row] - rest : trans_table::c0[row] + rest;
}

// x 2^n, rounded once, for a normal result.
inline uint32_t scaled(uint32_t x, int32_t n) {
  return to_bits(static_cast<float>(static_cast<int32_t>(x))) + (static_cast<uint32_t>(n) << 23);
}

// sin(2 pi q) for q in (0, 1/4] by q times a table of sin(2 pi q) / q. q is significand * 2^(exponent - 30), with 31
// bits; `place` is q in units of 2^-32, cut. The product is exact; 31 bits of it are kept, the last one set where
// anything was lost, so that rounding them to single is rounding the product.
inline uint32_t sine_of(uint32_t significand, int32_t exponent, uint32_t place) {
  constexpr uint32_t quarter = uint32_t{1} << 30, eighth = uint32_t{1} << 29;
  const uint32_t upper = place >= eighth ? ~uint32_t{0} : 0;
  // The row beyond the last, of a quarter turn, is that of any.
  const uint32_t row = trans_table::sine_first + ((upper & ((place >> 22) - 64)) | (~upper & place >> 23));
  const uint32_t d = place << (upper & 1) & fraction_mask;
  const uint64_t product = uint64_t{significand} * interpolate<true, true>(row & (trans_table::size - 1), d);
  const uint32_t lost = static_cast<uint32_t>(product) << 1;
  const uint32_t kept = static_cast<uint32_t>(product >> 31) | (lost != 0 ? 1 : 0);
  return choose(place >= quarter, to_bits(1.0f), scaled(kept, exponent - 30 + 31 - 28));
}

// A number's significand with 31 bits.
inline uint32_t significand_of(float q) {
  return ((to_bits(q) & fraction_mask) | 0x800000) << 7;
}
inline int32_t exponent_of(float q) {
  return exponent_field(q) - 127;
}

}  // namespace trans_detail

// 2^x: the whole part is the result's exponent, the rest, cut to 30 bits, goes to the table.
inline float exp2_lane(float x) {
  namespace t = trans_detail;
  const float magnitude = std::fabs(x);
  const float limited = magnitude < 160.0f ? magnitude : 160.0f;  // NaN too
  const float whole = whole_below(limited);
  const float scaled_rest = (limited - whole) * 0x1p30f;
  const auto rest_of_magnitude = static_cast<int32_t>(scaled_rest);
  const uint32_t lost = static_cast<float>(rest_of_magnitude) != scaled_rest ? 1 : 0;
  // In units of 2^-30, the whole part apart; what is cut makes a negative number smaller.
  const uint32_t negative = to_bits(x) >> 31;
  const uint32_t sign = 0 - negative;
  const uint32_t cut = static_cast<uint32_t>(rest_of_magnitude) + (lost & negative);
  const uint32_t rest = (cut ^ sign) + negative;
  const auto n = static_cast<int32_t>(((static_cast<uint32_t>(static_cast<int32_t>(whole)) ^ sign) + negative) +
                                      static_cast<uint32_t>(static_cast<int32_t>(rest) >> 30));
  const uint32_t p =
      t::interpolate<false, true>(trans_table::exp2_first + (rest >> 23 & 0x7f), rest & t::fraction_mask);
  const int32_t limited_n = n < 128 ? n : 128;
  const auto r = static_cast<int32_t>(t::scaled(p, limited_n - 30));
  uint32_t result = choose(r >= 0x800000, static_cast<uint32_t>(r), uint32_t{0});
  result = choose(n >= 128, infinity_bits<float>, result);
  return bit_cast<float>(choose(is_nan(x), to_bits(quiet(x)), result));
}

// log2 x: x = m 2^k with m in [3/4, 3/2), log2 m = (m - 1) times a table of log2(m) / (m - 1). The product is exact,
// but cut to 40 fraction bits where k is not 0.
inline float log2_lane(float x) {
  namespace t = trans_detail;
  const auto u = bit_cast<uint32_t>(x);
  const uint32_t fraction = u & t::fraction_mask;
  const bool upper = fraction >= 0x400000;  // m is below 1
  const int32_t k = static_cast<int32_t>(u >> 23 & 0xff) - 127 + (upper ? 1 : 0);
  const uint32_t distance =
      upper ? 0x800000 - fraction : fraction;  // |m - 1| in units of 2^-23, 2^-24 for an upper one
  const uint32_t row = trans_table::log2_first + (upper ? (fraction >> 16) + 64 : fraction >> 15);
  const uint32_t d = (upper ? fraction << 7 : fraction << 8) & t::fraction_mask;
  const auto ratio = static_cast<double>(static_cast<int32_t>(t::interpolate<true, false>(row, d)));
  const double product = ratio * static_cast<double>(static_cast<int32_t>(distance)) * (upper ? 0x1p-53 : 0x1p-52);
  const double cut = whole_below(product * 0x1p40) * 0x1p-40;
  const double log_of_m = k == 0 ? product : cut;
  const double r = static_cast<double>(k) + (upper ? -log_of_m : log_of_m);
  const bool zero = (u << 1) < 0x1000000;  // denormals are
  constexpr uint32_t inf = infinity_bits<float>, nan = infinity_bits<float> | quiet_bit<float>;
  uint32_t result = choose(u < inf, to_bits(static_cast<float>(r)), u);  // infinity
  result = choose(u > (inf | sign_bit<float>), nan, result);
  result = choose(both(u > sign_bit<float>, u <= (inf | sign_bit<float>)), nan, result);
  result = choose(zero, inf | sign_bit<float>, result);
  return bit_cast<float>(choose(is_nan(x), to_bits(quiet(x)), result));
}

// Arguments are in turns; the hardware's domain is [-256, 256], beyond it sin is 0 and cos 1 (GCN3 ISA, V_SIN_F32,
// V_COS_F32). All steps before the product are exact.
inline float sin_turns_lane(float x) {
  namespace t = trans_detail;
  const float magnitude = std::fabs(x);
  const float limited = magnitude <= 256.0f ? magnitude : 0.0f;  // infinity and NaN too
  const float turn = limited - whole_below(limited);
  const bool second_half = turn >= 0.5f;
  const float half_turn = second_half ? turn - 0.5f : turn;
  const float q = half_turn > 0.25f ? 0.5f - half_turn : half_turn;
  const auto place = static_cast<uint32_t>(static_cast<int32_t>(q * 0x1p32f));
  const uint32_t s = t::sine_of(t::significand_of(q), t::exponent_of(q), place);
  const uint32_t signed_s = s ^ (to_bits(x) & sign_bit<float>)^(second_half ? sign_bit<float> : 0);
  uint32_t result = choose(q == 0.0f, uint32_t{0}, signed_s);
  result = choose(to_bits(magnitude) == infinity_bits<float>, infinity_bits<float> | quiet_bit<float>, result);
  return bit_cast<float>(choose(is_nan(x), to_bits(quiet(x)), result));
}
// cos r = sin(1/4 - |r|), whose argument has 32 fraction bits: what |r| has beyond them is cut.
inline float cos_turns_lane(float x) {
  namespace t = trans_detail;
  constexpr uint32_t quarter = uint32_t{1} << 30, eighth = uint32_t{1} << 29;
  const float magnitude = std::fabs(x);
  const float limited = magnitude <= 256.0f ? magnitude : 0.0f;
  const float turn = limited - whole_below(limited);
  const float half_turn = turn > 0.5f ? 1.0f - turn : turn;
  const bool negative = half_turn > 0.25f;
  const float folded = negative ? 0.5f - half_turn : half_turn;
  const uint32_t place = quarter - static_cast<uint32_t>(static_cast<int32_t>(folded * 0x1p32f));
  // Below an eighth |r| has 24 bits down to 2^-27 and this is exact.
  const auto q = static_cast<float>(static_cast<int32_t>(place));
  const bool large = place >= eighth;
  const uint32_t significand = choose(large, place << 1, t::significand_of(q));
  const int32_t exponent =
      static_cast<int32_t>(choose(large, uint32_t(-3), static_cast<uint32_t>(t::exponent_of(q) - 32)));
  const uint32_t c = t::sine_of(significand, exponent, place) ^ (negative ? sign_bit<float> : 0);
  uint32_t result = choose(place == 0, uint32_t{0}, c);
  result = choose(to_bits(magnitude) == infinity_bits<float>, infinity_bits<float> | quiet_bit<float>, result);
  return bit_cast<float>(choose(is_nan(x), to_bits(quiet(x)), result));
}

}  // namespace pws::isa
