// SPDX-License-Identifier: Apache-2.0
// PWS_SPLIT and PWS_LOOP_BOUND, as sw/include/pws.h leaves them in the compiler's output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::pwscc {

// What a record of a mark says that it is: pws.h writes the first two, the compiler's plugin the others.
enum class mark_record : uint32_t {
  split,          // a PWS_SPLIT
  loop_bound,     // a PWS_LOOP_BOUND
  no_branch,      // a PWS_SPLIT that no branch follows
  removed_branch  // a PWS_SPLIT whose branch the optimiser has removed
};

struct source_mark {
  enum class kind : uint8_t { split, loop_bound };
  kind what = kind::split;
  std::string file;    // as __FILE__ had it, made absolute
  uint32_t line = 0;   // of the macro
  uint64_t bound = 0;  // loop_bound: most iterations of the loop
  // Split: its number in the compilation, by which the compiler's plugin has named the branch that follows it
  // (assembly_line::branch_of_mark), if there is one.
  uint32_t number = 0;
  bool names_branch = false;
  bool branch_removed = false;  // the optimiser has left none of that branch
  // Loop bound: where the loop statement begins whose body it is in; 0: there is none.
  uint32_t statement_line = 0;
  bool in_macro = false;  // loop bound: the line does not have it in so many words: a macro stands for it
};

// The marks in the assembly that clang wrote for a source with pws.h, each once (inlining and templates repeat them).
// Reads the sources that loop bounds name, to find their loops. Throws input_error for a damaged mark section.
std::vector<source_mark> read_marks(const std::string& assembly);

// The same assembly with its marks for the assembler alone: the linker leaves them out. If they were loaded, the code
// behind them would lie elsewhere, and take other cycles, by the length of the source's path.
std::string with_marks_left_out(const std::string& assembly);

// Holds the loop bounds against the anchors that the compiler made of them. Throws input_error naming the source line
// of each that is in no loop's body, that not every iteration passes, or whose loop has the place in the code where it
// begins in common with a loop that has no mark.
void check_loop_marks(const std::vector<source_mark>& marks, const std::string& assembly);

}  // namespace pws::pwscc
