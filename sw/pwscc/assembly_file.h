// SPDX-License-Identifier: Apache-2.0
// Assembly text as lines: what clang writes with -S, or a person by hand. Read, edited between lines, written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sw/cfg/marked_loop.h"

namespace pws::pwscc {

struct assembly_line {
  enum class kind : uint8_t { other, label, instruction, directive };
  kind what = kind::other;
  std::string text;                         // as it is in the file, without the end of line
  std::string statement;                    // without comments and surrounding white space
  uint32_t file = 0, line = 0, column = 0;  // instruction, data: of the .loc directive in force
  // ... its discriminator: the number of the PWS_SPLIT to whose branch the instruction belongs. 0: to none.
  uint32_t branch_of_mark = 0;
  bool in_macro = false;  // inside .macro, .rept, .irp, .if: may stand for any number of instructions
};

// A directive that puts numbers where it stands, which among instructions are instructions too.
bool holds_data(const assembly_line& line);

class assembly_file {
 public:
  // `name` is for messages.
  assembly_file(const std::string& text, std::string name);

  const std::string& name() const { return name_; }
  const std::vector<assembly_line>& lines() const { return lines_; }
  // Names of the functions that .amdhsa_kernel describes, in the order of their labels, with the lines of their code:
  // from the label's to the .size directive's (or the next function's label, or the end).
  struct kernel_lines {
    std::string name;
    size_t label = 0, end = 0;  // line indices
    size_t descriptor = 0;      // of .amdhsa_kernel
  };
  const std::vector<kernel_lines>& kernels() const { return kernels_; }
  // The other functions (.type NAME,@function), which have no descriptor.
  const std::vector<kernel_lines>& functions() const { return functions_; }
  cfg::source_place place_of(size_t line) const;

  // Edits: kept apart from the lines, which do not change. What is inserted before the same line comes in the order of
  // the calls.
  void insert_before(size_t line, const std::string& text) { insertions_[line].push_back(text); }
  void replace(size_t line, std::string text) { replacements_[line] = std::move(text); }
  // The text with all edits.
  std::string text() const;

 private:
  void read_line(std::string text);
  void find_kernels();

  std::string name_;
  std::vector<assembly_line> lines_;
  std::vector<kernel_lines> kernels_, functions_;
  std::map<uint32_t, std::string> files_;  // by .file number
  std::map<size_t, std::vector<std::string>> insertions_;
  std::map<size_t, std::string> replacements_;
  uint32_t file_ = 0, loc_line_ = 0, loc_column_ = 0, loc_mark_ = 0;
  int macro_depth_ = 0;
  bool in_comment_ = false;
};

// The first word of a statement, and the rest.
std::pair<std::string_view, std::string_view> first_word(std::string_view statement);

}  // namespace pws::pwscc
