// SPDX-License-Identifier: Apache-2.0
#include "platform/config/values/number.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace pws::platform {

namespace {

// Takes a leading sign off.
bool take_sign(std::string_view& text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  return negative;
}

int take_binary_suffix(std::string_view& text) {
  constexpr std::string_view suffixes[] = {"Ki", "Mi", "Gi"};
  for (int k = 0; k < 3; ++k) {
    if (text.size() > 2 && text.substr(text.size() - 2) == suffixes[k]) {
      text.remove_suffix(2);
      return 10 * (k + 1);
    }
  }
  return 0;
}

template <class T>
number_status parse_real_as(std::string_view text, T& value) {
  int128 integer = 0;
  const std::string_view all = text;
  const bool negative = take_sign(text);
  std::string_view word = text;
  if (!word.empty() && word.front() == '.') word.remove_prefix(1);
  if (word == "nan" || word == "NaN" || word == "NAN") {
    value = std::numeric_limits<T>::quiet_NaN();
    return number_status::ok;
  }
  if (word == "inf" || word == "Inf" || word == "INF") {
    value = negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    return number_status::ok;
  }
  if (text.empty() || text.find_first_not_of("0123456789.eE+-") != std::string_view::npos) {
    const number_status status = parse_integer(all, integer);
    if (status == number_status::ok) value = static_cast<T>(integer);
    return status;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument) return number_status::not_a_number;
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say which end of the range; a negative exponent tells.
    const size_t exponent = text.find_first_of("eE");
    if (exponent == std::string_view::npos || text.substr(exponent + 1, 1) != "-") return number_status::too_large;
    value = 0;
  }
  if (negative) value = -value;
  return number_status::ok;
}

}  // namespace

number_status parse_integer(std::string_view text, int128& value) {
  const bool negative = take_sign(text);
  const int shift = take_binary_suffix(text);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || end != text.data() + text.size() || error == std::errc::invalid_argument) {
    return number_status::not_a_number;
  }
  if (error == std::errc::result_out_of_range) return number_status::too_large;
  if (shift != 0 && magnitude > (std::numeric_limits<uint64_t>::max() >> shift)) return number_status::too_large;
  const int128 wide = static_cast<int128>(magnitude) << shift;
  value = negative ? -wide : wide;
  return number_status::ok;
}

number_status parse_real(std::string_view text, double& value) {
  return parse_real_as(text, value);
}
number_status parse_real(std::string_view text, float& value) {
  return parse_real_as(text, value);
}

std::string to_text(int128 value) {
  if (value == 0) return "0";
  std::string digits;
  const bool negative = value < 0;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace pws::platform
