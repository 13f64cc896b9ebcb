// SPDX-License-Identifier: Apache-2.0
// Shares.
#pragma once

#include <cstdint>

namespace pws {

// 0 of nothing.
inline double ratio(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// The same as a number out of 100.
inline double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace pws
