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
  // loop_bound: the function that the mark is in, as the Itanium ABI's <encoding> ("9synthetic"): instances of a
  // template have bounds of their own.
  std::string function;
  // The statement that the mark belongs to: lines from its keyword (if, for, while, do, switch) to the parenthesis that
  // closes its condition. For a mark that is the first thing in a loop's body, that loop. Both 0 if none was found.
  uint32_t first_line = 0, last_line = 0;
};

// The marks in the assembly that clang wrote for a source with pws.h, each once (inlining and templates repeat them).
// Reads the sources they name to find their statements. Throws input_error for a damaged mark section.
std::vector<source_mark> read_marks(const std::string& assembly);

}  // namespace pws::pwscc
