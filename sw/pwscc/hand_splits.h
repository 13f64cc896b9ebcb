// SPDX-License-Identifier: Apache-2.0
// Splits and merges that a source has itself (PWS paper, 4.1): one in front of a divergent branch, in its block, marks
// it as PWS_SPLIT does. All of them are taken out: the pass places its own, each with its merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pws::pwscc {

// One of them.
struct hand_report {
  std::string function;        // as in the assembly (mangled)
  std::string file;            // source file as the compiler names it; empty if the assembly has no line information
  uint32_t line = 0;           // 0: unknown
  uint32_t column = 0;         // 0: unknown
  uint32_t assembly_line = 0;  // in the pass's input; from 1
  std::string instruction;     // "split" or "merge"
  bool marks_branch = false;
  size_t narrows = 0;  // marks_branch: the line (from 0) of the instruction that narrows EXEC for that branch
  std::string reason;  // what became of it, and why
};

struct hand_splits {
  std::string assembly;              // without them; the numbers of lines are the same
  std::set<size_t> marked;           // lines (from 0) of the instructions that narrow EXEC for marked branches
  std::vector<hand_report> reports;  // in the order of the assembly
};

// `removes`: false leaves them where they are, and reports them. Throws input_error with name:line for one that shares
// its line with other instructions or comes from a macro, so that it cannot be taken out.
hand_splits take_hand_splits(const std::string& assembly, const std::string& name, bool removes);

// The compiler's assembly of a program whose inline assembly has `split` or `merge`, with the macros of pws.inc in
// front; any other text as it is.
std::string with_mnemonics(const std::string& assembly);

}  // namespace pws::pwscc
