// SPDX-License-Identifier: Apache-2.0
#include "platform/run/checkpoint/checkpoint_place.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"

namespace pws::platform {

std::string checkpoint_place::text() const {
  return is_within_launch() ? fmt::format("{}+{}", launch, instructions) : std::to_string(launch);
}

std::string checkpoint_place::meaning() const {
  return is_within_launch() ? fmt::format("in launch {}, behind {} instructions", launch, instructions)
                            : fmt::format("before launch {}", launch);
}

checkpoint_place checkpoint_place_in(const std::string& text) {
  const auto refuse = [&text] {
    throw input_error(fmt::format(
        "--checkpoint-at {}: a launch is expected, from 1, or a launch and its instructions as 2+1000", text));
  };
  const auto number = [&](std::string_view digits) {
    uint64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || n == 0) refuse();
    return n;
  };
  const size_t plus = text.find('+');
  checkpoint_place p;
  p.launch = number(std::string_view(text).substr(0, plus));
  if (plus != std::string::npos) p.instructions = number(std::string_view(text).substr(plus + 1));
  return p;
}

}  // namespace pws::platform
