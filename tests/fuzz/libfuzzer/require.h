// SPDX-License-Identifier: Apache-2.0
// What a fuzz target says of itself: a broken property ends the process, which is how libFuzzer learns of it.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace pws::fuzz {

inline void require(bool holds, const char* property, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "property broken: %s: %s\n", property, what.c_str());
  std::abort();
}

}  // namespace pws::fuzz
