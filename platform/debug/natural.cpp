// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/natural.h"

namespace pws::platform::debug {

std::optional<uint64_t> natural_in(const std::string& text, bases allowed) {
  const bool hex = allowed == bases::decimal_or_hex && text.rfind("0x", 0) == 0;
  const std::string digits = hex ? text.substr(2) : text;
  const size_t most_digits = hex ? 16 : 18;
  const char* const all = hex ? "0123456789abcdefABCDEF" : "0123456789";
  if (digits.empty() || digits.size() > most_digits || digits.find_first_not_of(all) != std::string::npos)
    return std::nullopt;
  return std::stoull(digits, nullptr, hex ? 16 : 10);
}

}  // namespace pws::platform::debug
