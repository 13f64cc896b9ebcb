// SPDX-License-Identifier: Apache-2.0
// Places in the code that is loaded: from what a user writes to addresses, and from addresses to what a user reads.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "platform/machine/loaded_code.h"

namespace pws::platform::debug {

// That is not in the code that is loaded; it may be in other code.
class unknown_place : public input_error {
 public:
  using input_error::input_error;
};

struct code_line {
  std::string file;
  unsigned line = 0;
};

class places {
 public:
  explicit places(const loaded_code& runtime) : runtime_(runtime) {}

  // The addresses of a place, ascending, at least one:
  //   LINE, FILE:LINE    the first instruction of the line in each basic block that has one; `near` gives the file
  //   NAME               a kernel, function or label
  //   NAME+OFFSET        an instruction in it
  // A line without code stands for the next one of its file that has code: `line` is the one that was found. Throws
  // input_error.
  struct found {
    std::vector<uint64_t> at;
    code_line line;  // line 0: the place is none
  };
  found find(const std::string& text, uint64_t near) const;
  // Whether a file, as the compiler recorded it, is the one that a user names: by its whole path, or the end of that.
  static bool is_file(const std::string& recorded, const std::string& named);
  // The files that code is of, as the compiler recorded them, by name.
  std::vector<std::string> files() const;
  // Kernels, functions and labels.
  std::vector<std::string> names() const;
  // Throws input_error if no instruction begins there.
  uint64_t instruction(uint64_t address) const;

  // Where the next instruction begins; behind a word that is none, the next word.
  uint64_t next(uint64_t pc) const;

  // Where the instruction comes from, its own line first, then those of the calls that were inlined around it.
  const std::vector<loader::source_line>& lines(uint64_t pc) const;
  // One of them without its column, as steps compare lines: the instruction's own, or the one in its function, where
  // the outermost inlined call is. Line 0: not known.
  enum class lines_of : uint8_t { instruction, function };
  loader::source_line line_of(uint64_t pc, lines_of which) const;
  // "<kernel+0x10>"; "" where no function is.
  std::string symbol_text(uint64_t pc) const;
  // "v_mov_b32_e32 v0, v1"; what is no instruction is said to be none.
  std::string instruction_text(uint64_t pc) const;
  // The code that a function has, [begin, end); of one without a size up to the next one. Empty: no function is there.
  struct range {
    std::string name;
    uint64_t begin = 0, end = 0;
  };
  range function_at(uint64_t pc) const;
  // The lines of a file; none if it cannot be read.
  const std::vector<std::string>& text_of(const std::string& file) const;

 private:
  found find_line(const std::string& file, unsigned line) const;
  found find_name(const std::string& name, uint64_t offset) const;
  std::vector<uint64_t> begins_of_blocks(const range& function) const;

  const loaded_code& runtime_;
  mutable std::unordered_map<uint64_t, std::vector<loader::source_line>> lines_;
  mutable std::unordered_map<std::string, std::vector<std::string>> files_;
};

}  // namespace pws::platform::debug
