// SPDX-License-Identifier: Apache-2.0
// IEEE half precision as a 16-bit pattern. Arithmetic is done in float or double, both wide enough that rounding twice
// cannot differ from rounding once; the conversions are branch-free so that lane loops vectorise.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace pws::isa {

template <class To, class From>
inline To bit_cast(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// Exact. Signalling NaNs keep their payload and become quiet in the first operation on them.
inline float half_to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000u) << 16;
  const uint32_t magnitude = h & 0x7fffu;
  const uint32_t normal = (magnitude << 13) + (112u << 23);
  const uint32_t special = (magnitude << 13) | 0x7f800000u;
  const uint32_t denormal = bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f);
  const uint32_t finite = magnitude < 0x400u ? denormal : normal;
  return bit_cast<float>(sign | (magnitude >= 0x7c00u ? special : finite));
}

// Bits of a float that half precision represents exactly, or of +-65536, which stands for an overflow to infinity.
inline uint16_t exact_float_to_half(float x) {
  const auto u = bit_cast<uint32_t>(x);
  const uint32_t magnitude = u & 0x7fffffffu;
  const auto denormal = static_cast<uint32_t>(static_cast<int32_t>(bit_cast<float>(magnitude) * 0x1p24f));
  const uint32_t normal = (magnitude >> 13) - (112u << 10);
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);
  const uint32_t special = magnitude > 0x7f800000u ? nan : 0x7c00u;
  const uint32_t finite = magnitude < 0x38800000u ? denormal : normal;
  return static_cast<uint16_t>(((u >> 16) & 0x8000u) | (magnitude >= 0x7f800000u ? special : finite));
}

// Rounds with the host's current rounding mode: adding a constant whose last place is the half's last place does it;
// the constant has x's sign, so that towards zero is towards zero for the sum too. Finite values beyond 65535 round as
// 65535 does, to the largest half or to infinity, in every rounding mode.
inline uint16_t round_to_half(float x) {
  const auto u = bit_cast<uint32_t>(x);
  const uint32_t magnitude = u & 0x7fffffffu;
  const uint32_t sign = u & 0x80000000u;
  const uint32_t limit = bit_cast<uint32_t>(65535.0f);
  const uint32_t limited = magnitude < limit ? magnitude : limit;
  const uint32_t exponent = (limited & 0x7f800000u) < 0x38800000u ? 0x38800000u : (limited & 0x7f800000u);
  const float shift = bit_cast<float>((exponent + (13u << 23)) | sign) * 1.5f;
  const float signed_limited = bit_cast<float>(limited | sign);
  const float rounded = (signed_limited + shift) - shift;
  const uint32_t finite = (bit_cast<uint32_t>(rounded) & 0x7fffffffu) | sign;
  return exact_float_to_half(bit_cast<float>(magnitude >= 0x7f800000u ? u : finite));
}

inline uint16_t round_to_half(double x) {
  const auto u = bit_cast<uint64_t>(x);
  const uint64_t magnitude = u & 0x7fffffffffffffffull;
  const uint64_t sign = u & 0x8000000000000000ull;
  const uint64_t limit = bit_cast<uint64_t>(65535.0);
  const uint64_t lowest = bit_cast<uint64_t>(0x1p-14);
  const uint64_t limited = magnitude < limit ? magnitude : limit;
  const uint64_t binade = limited & 0x7ff0000000000000ull;
  const uint64_t exponent = binade < lowest ? lowest : binade;
  const double shift = bit_cast<double>((exponent + (42ull << 52)) | sign) * 1.5;
  const double signed_limited = bit_cast<double>(limited | sign);
  const double rounded = (signed_limited + shift) - shift;
  const uint64_t finite = (bit_cast<uint64_t>(rounded) & 0x7fffffffffffffffull) | sign;
  return exact_float_to_half(static_cast<float>(bit_cast<double>(magnitude >= 0x7ff0000000000000ull ? u : finite)));
}

// Towards zero whatever the host's rounding mode (v_cvt_pkrtz_f16_f32).
inline uint16_t truncate_to_half(float x) {
  const auto u = bit_cast<uint32_t>(x);
  const uint32_t magnitude = u & 0x7fffffffu;
  const uint32_t limit = bit_cast<uint32_t>(65504.0f);
  const uint32_t limited = magnitude < limit ? magnitude : limit;
  // Below 2^-14 the last place is 2^-24: the integer conversion in exact_float_to_half truncates.
  const uint32_t cut = limited < 0x38800000u ? limited : limited & ~0x1fffu;
  const uint32_t finite = cut | (u & 0x80000000u);
  return exact_float_to_half(bit_cast<float>(magnitude >= 0x7f800000u ? u : finite));
}

struct half {
  uint16_t bits;

  half() = default;
  explicit half(float x) : bits(round_to_half(x)) {}
  explicit half(double x) : bits(round_to_half(x)) {}
  static half from_bits(uint16_t b) {
    half h;
    h.bits = b;
    return h;
  }
  operator float() const { return half_to_float(bits); }  // implicit: lane expressions read as arithmetic

  // Denormals to zero of the same sign, as the unfused multiply-add treats them.
  half flushed() const { return from_bits((bits & 0x7c00u) == 0 ? static_cast<uint16_t>(bits & 0x8000u) : bits); }
};

}  // namespace pws::isa
