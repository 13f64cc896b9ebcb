// PWS_SPLIT and PWS_LOOP_BOUND, as sw/include/pws.h leaves them in the compiler's output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::pwscc {

struct source_mark {
  enum class kind : uint8_t { split, loop_bound };
  kind what = kind::split;
  std::string file;    // as __FILE__ had it, made absolute
  uint32_t line = 0;   // of the macro
  uint64_t bound = 0;  // loop_bound: most iterations of the loop
  // The statement that the mark belongs to: lines from its keyword (if, for, while, do, switch) to the parenthesis that
  // closes its condition. Of a split mark, the statement that follows; of a loop bound, the loop whose body it is in
  // (from `do` on).
  // Both 0 if there is none.
  uint32_t first_line = 0, last_line = 0;
  bool in_macro = false;  // the line does not have it in so many words: a macro stands for it
};

// The marks in the assembly that clang wrote for a source with pws.h, each once (inlining and templates repeat them).
// Reads the sources they name to find their statements. Throws input_error for a damaged mark section.
std::vector<source_mark> read_marks(const std::string& assembly);

// Holds the loop bounds against the anchors that the compiler made of them. Throws input_error naming the source line
// of each that is in no loop's body, that not every iteration passes, or whose loop has the place in the code where it
// begins in common with a loop that has no mark.
void check_loop_marks(const std::vector<source_mark>& marks, const std::string& assembly);

}  // namespace pws::pwscc
