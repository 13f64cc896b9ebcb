// SPDX-License-Identifier: Apache-2.0
// Source lines of a code object's instructions, from its DWARF line tables (.debug_line, and .debug_info for functions
// that were inlined). Compilers write them with -g and -gline-tables-only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pws::loader {

// A place in a source file.
struct source_line {
  std::string file;     // as the compiler recorded it; absolute unless the compiler was not told its folder
  unsigned line = 0;    // from 1
  unsigned column = 0;  // from 1; 0: not known
  bool operator==(const source_line& o) const { return file == o.file && line == o.line && column == o.column; }
};

// Code of one line: [begin, end), offsets from the base of the loaded code object.
struct line_code {
  uint64_t begin = 0, end = 0;  // equal: a line without an instruction of its own, as a function's first is
  source_line line;
};

// "FILE:LINE", the file relative to the working folder where it lies below it.
std::string text(const source_line& l);
// "a.h:3, inlined at b.hip:17"; "" of none.
std::string text(const std::vector<source_line>& lines);

class line_table {
 public:
  // Reads nothing but the ELF header; the tables of a translation unit are read when one of its addresses is first
  // asked for. Keeps a copy of the file. What is damaged, or no ELF file, has no lines; there is no error.
  explicit line_table(std::vector<uint8_t> code_object);
  ~line_table();
  line_table(line_table&&) noexcept;
  line_table& operator=(line_table&&) noexcept;

  // Where the instruction at `offset` bytes from the base of the loaded code object comes from: its own line first,
  // then the line of each call that was inlined around it, outwards. Empty: not known.
  std::vector<source_line> at(uint64_t offset) const;
  // All code that has a line, each part by its own line as at() has it, in ascending order of the addresses.
  std::vector<line_code> code() const;

 private:
  struct reader;
  std::unique_ptr<reader> reader_;
};

}  // namespace pws::loader
