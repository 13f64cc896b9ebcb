// SPDX-License-Identifier: Apache-2.0
// Instructions that are this machine's own: LLVM does not know them, so its assembler cannot say what they are.
#pragma once

#include <set>
#include <string>

namespace pws::isa::test {

inline const std::set<std::string>& own_rows() {
  static const std::set<std::string> names = {
      "split",
      "merge",
  };
  return names;
}

}  // namespace pws::isa::test
