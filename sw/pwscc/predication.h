// SPDX-License-Identifier: Apache-2.0
// Compiler-managed divergence (paper 004): which branches on EXEC the code keeps.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_names.h"

namespace pws::pwscc {

// --divergence. The paper's S, P, PS and PSR.
enum class divergence_code : uint8_t {
  none,  // as clang has it
  s,     // a divergence stack: split and merge at every branch that can be split
  p,     // every branch predicated, no run-time checks
  ps,    // branches that the compiler proves uniform stay; no run-time checks
  psr    // ps, with checks around long single-entry single-exit sides
};

constexpr auto enumerators(divergence_code) {
  using e = divergence_code;
  return std::array{named{e::none, "none"}, named{e::s, "s"}, named{e::p, "p"}, named{e::ps, "ps"},
                    named{e::psr, "psr"}};
}
inline bool predicates(divergence_code d) {
  return d == divergence_code::p || d == divergence_code::ps || d == divergence_code::psr;
}

// A branch on EXEC that skips a side which no work-item is in.
struct check_report {
  std::string function;        // mangled
  std::string file;            // source file; empty if the assembly has no line information
  uint32_t line = 0;           // 0: unknown
  uint32_t column = 0;         // 0: unknown
  uint32_t assembly_line = 0;  // of the branch, in the pass's input; from 1
  uint64_t instructions = 0;   // of the side, without the checks in it
  uint64_t blocks = 0;
  bool single = false;  // the side has one entry and one exit
  bool kept = false;
  bool asked_for = false;  // kept because the rule of psr says so; else because of `reason`
  std::string reason;      // kept: why the side cannot run with no work-item active; empty otherwise
};

struct predicated {
  std::string assembly;
  std::vector<check_report> checks;  // in the order of the assembly
};

// Takes the checks out of the kernels of `assembly`, which has all that the compiler can leave out, but for those that
// `rule` (p, ps or psr) keeps and those whose sides cannot run with no work-item active. Called functions stay as they
// are. Throws input_error as place_splits does.
predicated remove_checks(const std::string& assembly, const std::string& name, divergence_code rule);

}  // namespace pws::pwscc
