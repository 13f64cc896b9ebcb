// SPDX-License-Identifier: Apache-2.0
// Sources with figures for each line, as a page that needs nothing else: an HTML file, well-formed as XML too. Who has
// figures of lines, measured or computed, writes them with this.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pws {

// A text in HTML. What is no UTF-8, and what XML cannot have, becomes a question mark.
std::string html_escaped(const std::string& text);

// A machine instruction of a line.
struct annotated_instruction {
  std::string text;
  std::string figures;  // HTML: the cells behind the text
};

// What is said of a line.
struct annotated_line {
  uint64_t weight = 0;                              // what lines are ordered by
  double share = 0;                                 // in percent: how much of it is shaded
  std::string place;                                // as the table of lines names it
  std::string note;                                 // below the line; empty: none
  std::string figures;                              // HTML: the cells behind the line
  std::vector<annotated_instruction> instructions;  // empty: `absent` is said in place of figures
};

// Sources of one run, or of one launch.
struct annotated_listing {
  using file = std::map<unsigned, annotated_line>;  // by line
  std::map<std::string, file> files;                // by name; "": what has no line
  std::string heads;                                // HTML: the heads of the figures' columns
  unsigned columns = 0;                             // of the figures
  std::string absent;                               // said of a line that has code, but no figures
  std::vector<std::string> without_lines;           // said where instructions have no line
  std::string id;                                   // in front of the names of places in the page; unique in it
};

// The table of lines, the heaviest first, and each source around the lines that have code. A source that cannot be read
// is shown as the instructions of its lines.
std::string annotated_sources(const annotated_listing& listing);

// The whole page around such tables. `introduction` and `body` are HTML.
std::string annotated_page(const std::string& title, const std::string& introduction, const std::string& body);

// A cell of a share, in percent, by which a table can be sorted.
std::string share_cell(double percent);

}  // namespace pws
