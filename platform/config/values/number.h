// SPDX-License-Identifier: Apache-2.0
// Numbers as they are written in configurations and expressions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pws::platform {

__extension__ typedef __int128 int128;  // holds every i64 and u64

// What became of a text.
enum class number_status {
  ok,
  not_a_number,
  too_large,  // an integer beyond 64 bits, a real beyond the range of its type
};

// Decimal or 0x hexadecimal, with an optional sign and an optional suffix Ki, Mi or Gi (2^10, 2^20, 2^30).
number_status parse_integer(std::string_view text, int128& value);

// Decimal with optional fraction and exponent, an integer as above, or nan, inf, -inf (also with YAML's leading dot).
// Correctly rounded to the type.
number_status parse_real(std::string_view text, double& value);
number_status parse_real(std::string_view text, float& value);

std::string to_text(int128 value);  // decimal

}  // namespace pws::platform
