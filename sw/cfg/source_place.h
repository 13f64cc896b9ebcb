// SPDX-License-Identifier: Apache-2.0
// A place in the source that machine code came from.
#pragma once

#include <cstdint>
#include <string>

namespace pws::cfg {

struct source_place {
  std::string file;   // as the compiler names it, with its folder; empty: unknown
  uint32_t line = 0;  // 0: unknown
  uint32_t column = 0;
};

}  // namespace pws::cfg
