// SPDX-License-Identifier: Apache-2.0
// Lanes of a mask as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace pws::check {

// "0-3, 7"
inline std::string lanes_text(uint64_t lanes) {
  std::string text;
  for (unsigned l = 0; l < 64; ++l) {
    if ((lanes >> l & 1) == 0) continue;
    const unsigned first = l;
    while (l < 63 && (lanes >> (l + 1) & 1) != 0) ++l;
    text += (text.empty() ? "" : ", ") + std::to_string(first);
    if (l > first) text += "-" + std::to_string(l);
  }
  return text;
}

}  // namespace pws::check
