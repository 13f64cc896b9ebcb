// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/line_table.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "sw/loader/dwarf_file.h"

namespace pws::loader {

namespace {

// A line number beyond this one is damage, not a source file.
constexpr int most_lines = 1 << 30;
constexpr size_t deepest_inlining = 64;

unsigned number(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr(&die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) return 0;
  return value > most_lines ? 0 : static_cast<unsigned>(value);
}

// A file's name as messages have it; one that the compiler was given relative to its folder, with that folder.
std::string file_name(Dwarf_Die& unit, const char* name) {
  Dwarf_Attribute attribute;
  const char* folder = nullptr;
  if (*name != '/' && dwarf_attr(&unit, DW_AT_comp_dir, &attribute) != nullptr) folder = dwarf_formstring(&attribute);
  if (folder == nullptr) return printable(name);
  return (std::filesystem::path(printable(folder)) / printable(name)).lexically_normal().string();
}

// The place of a row of a unit's line table. Nothing for line 0, which is of no line of the source, and for a
// sequence's end, whose address is behind its code.
std::optional<source_line> line_of(Dwarf_Die& unit, Dwarf_Line* row) {
  int line = 0, column = 0;
  bool ends = false;
  const char* file = dwarf_linesrc(row, nullptr, nullptr);
  if (file == nullptr || dwarf_lineno(row, &line) != 0 || line <= 0 || line > most_lines ||
      dwarf_lineendsequence(row, &ends) != 0 || ends)
    return {};
  dwarf_linecol(row, &column);
  return source_line{file_name(unit, file), static_cast<unsigned>(line),
                     column < 0 ? 0 : static_cast<unsigned>(column)};
}

}  // namespace

struct line_table::reader : dwarf_file {
  using dwarf_file::dwarf_file;

  // The unit that has the address. Line tables of hand-written assembly have no address ranges besides DW_AT_low_pc, so
  // every unit is asked itself.
  bool unit_of(uint64_t address, Dwarf_Die& unit) const {
    return find_unit([&](Dwarf_Die& die) {
      if (dwarf_haspc(&die, address) != 1) return false;
      unit = die;
      return true;
    });
  }
};

line_table::line_table(std::vector<uint8_t> code_object) : reader_(std::make_unique<reader>(std::move(code_object))) {}
line_table::~line_table() = default;
line_table::line_table(line_table&&) noexcept = default;
line_table& line_table::operator=(line_table&&) noexcept = default;

std::vector<source_line> line_table::at(uint64_t offset) const {
  std::vector<source_line> lines;
  Dwarf_Die unit;
  if (!reader_->unit_of(offset, unit)) return lines;
  if (Dwarf_Line* row = dwarf_getsrc_die(&unit, offset); row != nullptr) {
    if (const std::optional<source_line> own = line_of(unit, row)) lines.push_back(*own);
  }
  // dwarf_getscopes() goes on with the scopes of an inlined function's definition; those of its place in the code are
  // the enclosing ones of its innermost entry.
  Dwarf_Die *innermost = nullptr, *scopes = nullptr;
  int n_scopes = dwarf_getscopes(&unit, offset, &innermost);
  if (n_scopes > 0) n_scopes = dwarf_getscopes_die(innermost, &scopes);
  Dwarf_Files* files = nullptr;
  size_t n_files = 0;
  if (n_scopes > 0 && dwarf_getsrcfiles(&unit, &files, &n_files) == 0) {
    for (int k = 0; k < n_scopes && lines.size() < deepest_inlining; ++k) {
      if (dwarf_tag(&scopes[k]) != DW_TAG_inlined_subroutine) continue;
      const unsigned file = number(scopes[k], DW_AT_call_file), line = number(scopes[k], DW_AT_call_line);
      const char* name = file < n_files ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
      if (name != nullptr && line != 0)
        lines.push_back({file_name(unit, name), line, number(scopes[k], DW_AT_call_column)});
    }
  }
  std::free(scopes);
  std::free(innermost);
  return lines;
}

std::vector<line_code> line_table::code() const {
  std::vector<line_code> all;
  reader_->find_unit([&](Dwarf_Die& unit) {
    Dwarf_Lines* rows = nullptr;
    size_t n = 0;
    if (dwarf_getsrclines(&unit, &rows, &n) != 0) return false;
    for (size_t k = 0; k + 1 < n; ++k) {  // the last one ends a sequence
      Dwarf_Line* row = dwarf_onesrcline(rows, k);
      Dwarf_Addr begin = 0, end = 0;
      if (dwarf_lineaddr(row, &begin) != 0 || dwarf_lineaddr(dwarf_onesrcline(rows, k + 1), &end) != 0 || end < begin)
        continue;
      if (const std::optional<source_line> own = line_of(unit, row)) all.push_back({begin, end, *own});
    }
    return false;
  });
  std::stable_sort(all.begin(), all.end(), [](const line_code& a, const line_code& b) { return a.begin < b.begin; });
  return all;
}

std::string text(const source_line& l) {
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string() + "/";
  const std::string_view file = l.file;
  const bool below =
      !error && folder.size() > 1 && file.size() > folder.size() && file.substr(0, folder.size()) == folder;
  return fmt::format("{}:{}", below ? file.substr(folder.size()) : file, l.line);
}

std::string text(const std::vector<source_line>& lines) {
  std::string out;
  for (const source_line& l : lines) out += (out.empty() ? "" : ", inlined at ") + text(l);
  return out;
}

}  // namespace pws::loader
