// SPDX-License-Identifier: Apache-2.0
// Natural numbers as users of a debugger and its clients write them: digits alone, without sign and suffix.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pws::platform::debug {

enum class bases : uint8_t { decimal, decimal_or_hex };  // 0x has base 16

// None: `text` is something else, or has more than 18 digits (16 of base 16).
std::optional<uint64_t> natural_in(const std::string& text, bases allowed = bases::decimal);

}  // namespace pws::platform::debug
