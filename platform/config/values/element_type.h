// SPDX-License-Identifier: Apache-2.0
// The types of scalar arguments and buffer elements, and conversions between their bits and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "platform/config/values/number.h"

namespace pws::platform {

// By the names that run files have.
enum class element_type : uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, f32, f64 };
constexpr auto enumerators(element_type) {
  using e = element_type;
  return std::array{named{e::i8, "i8"},   named{e::u8, "u8"},   named{e::i16, "i16"}, named{e::u16, "u16"},
                    named{e::i32, "i32"}, named{e::u32, "u32"}, named{e::i64, "i64"}, named{e::u64, "u64"},
                    named{e::f16, "f16"}, named{e::f32, "f32"}, named{e::f64, "f64"}};
}

size_t size_of(element_type type);  // bytes
bool is_real(element_type type);    // f16, f32, f64
bool is_signed(element_type type);  // integers

// Range of an integer type.
int128 smallest(element_type type);
int128 largest(element_type type);

// IEEE 754 binary16, rounded to nearest even; overflow gives infinity, NaN stays NaN.
uint16_t to_f16(double value);
double from_f16(uint16_t bits);  // exact

// An element's value is kept as its bits, zero-extended to 64.
uint64_t bits_of_real(element_type type, double value);     // real types; rounds to nearest even
uint64_t bits_of_integer(element_type type, int128 value);  // integer types; keeps the low bits
double real_value(element_type type, uint64_t bits);        // any type; exact except for 64-bit integers
int128 integer_value(element_type type, uint64_t bits);     // integer types
std::string text_of(element_type type, uint64_t bits);      // shortest decimal that reads back as the same value

// Little-endian memory of one element.
uint64_t load_element(element_type type, const uint8_t* memory);
void store_element(element_type type, uint8_t* memory, uint64_t bits);

// The number in `text` as an element: correctly rounded for real types, range-checked for integers. Otherwise a
// sentence that says what is wrong is returned.
std::optional<std::string> parse_element(element_type type, std::string_view text, uint64_t& bits);

}  // namespace pws::platform
