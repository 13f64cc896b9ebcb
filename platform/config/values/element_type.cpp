// SPDX-License-Identifier: Apache-2.0
#include "platform/config/values/element_type.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

struct type_info {
  uint8_t size;
  bool real;
  bool sign;
};

// In the order of the enumerators.
constexpr type_info infos[] = {
    {1, false, true}, {1, false, false}, {2, false, true}, {2, false, false}, {4, false, true}, {4, false, false},
    {8, false, true}, {8, false, false}, {2, true, true},  {4, true, true},   {8, true, true},
};

const type_info& info(element_type type) {
  return infos[static_cast<size_t>(type)];
}

template <class To, class From>
To bit_copy(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace

size_t size_of(element_type type) {
  return info(type).size;
}
bool is_real(element_type type) {
  return info(type).real;
}
bool is_signed(element_type type) {
  return info(type).sign;
}
int128 smallest(element_type type) {
  return is_signed(type) ? -(int128{1} << (8 * size_of(type) - 1)) : int128{0};
}
int128 largest(element_type type) {
  return (int128{1} << (8 * size_of(type) - (is_signed(type) ? 1 : 0))) - 1;
}

uint16_t to_f16(double value) {
  const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7e00;
  if (magnitude >= 65520.0) return sign | 0x7c00;  // halfway between the largest number and the next power of two
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // Spacing of numbers there; 2^-24 for denormals. The division is exact, nearbyint rounds to even.
  const int spacing = magnitude == 0 ? -24 : std::max(exponent - 11, -24);
  const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -spacing)));
  // steps is below 2^11 (2^10 for denormals); a carry out of it moves to the next exponent by itself.
  const uint32_t exponent_field = static_cast<uint32_t>(spacing + 24) << 10;
  return static_cast<uint16_t>(sign | (exponent_field + steps));
}

double from_f16(uint16_t bits) {
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  if (exponent == 31) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

uint64_t bits_of_real(element_type type, double value) {
  if (type == element_type::f16) return to_f16(value);
  if (type == element_type::f32) return bit_copy<uint32_t>(static_cast<float>(value));
  return bit_copy<uint64_t>(value);
}

uint64_t bits_of_integer(element_type type, int128 value) {
  const auto low = static_cast<uint64_t>(value);
  return size_of(type) == 8 ? low : low & ((uint64_t{1} << (8 * size_of(type))) - 1);
}

double real_value(element_type type, uint64_t bits) {
  if (type == element_type::f16) return from_f16(static_cast<uint16_t>(bits));
  if (type == element_type::f32) return bit_copy<float>(static_cast<uint32_t>(bits));
  if (type == element_type::f64) return bit_copy<double>(bits);
  return static_cast<double>(integer_value(type, bits));
}

int128 integer_value(element_type type, uint64_t bits) {
  const int128 value = static_cast<int128>(bits);
  return value > largest(type) ? value - (int128{1} << (8 * size_of(type))) : value;
}

std::string text_of(element_type type, uint64_t bits) {
  if (type == element_type::f32) return fmt::format("{}", bit_copy<float>(static_cast<uint32_t>(bits)));
  if (is_real(type)) return fmt::format("{}", real_value(type, bits));
  return to_text(integer_value(type, bits));
}

// The host is little-endian, as the device is.
uint64_t load_element(element_type type, const uint8_t* memory) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory, size_of(type));
  return bits;
}

void store_element(element_type type, uint8_t* memory, uint64_t bits) {
  std::memcpy(memory, &bits, size_of(type));
}

std::optional<std::string> parse_element(element_type type, std::string_view text, uint64_t& bits) {
  if (!is_real(type)) {
    int128 value = 0;
    const number_status status = parse_integer(text, value);
    if (status == number_status::not_a_number) return "expected an integer, got " + in_quotes(text);
    if (status == number_status::too_large || value < smallest(type) || value > largest(type)) {
      return fmt::format("{} does not fit {} ({}..{})", printable(text), name_of(type), to_text(smallest(type)),
                         to_text(largest(type)));
    }
    bits = bits_of_integer(type, value);
    return std::nullopt;
  }
  double value = 0;
  float narrow = 0;
  const number_status status = type == element_type::f32 ? parse_real(text, narrow) : parse_real(text, value);
  if (status == number_status::not_a_number) return "expected a number, got " + in_quotes(text);
  bits = type == element_type::f32 ? bit_copy<uint32_t>(narrow) : bits_of_real(type, value);
  const bool overflowed = type == element_type::f16 && std::isfinite(value) && std::isinf(real_value(type, bits));
  if (status == number_status::too_large || overflowed) {
    return fmt::format("{} is too large for {}", printable(text), name_of(type));
  }
  return std::nullopt;
}

}  // namespace pws::platform
