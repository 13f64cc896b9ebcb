// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/assembly_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>

#include "base/error.h"

namespace pws::pwscc {

namespace {

std::string_view trimmed(std::string_view s) {
  constexpr const char* space = " \t\r\f\v";
  const size_t first = s.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(space) - first + 1);
}

// The line without comments: ; and // to its end, /* ... */ also over lines. Not inside strings.
std::string without_comments(const std::string& text, bool& in_comment) {
  std::string out;
  bool in_string = false;
  for (size_t k = 0; k < text.size(); ++k) {
    const auto starts = [&](const char* s) { return text.compare(k, 2, s) == 0; };
    if (in_comment) {
      if (!starts("*/")) continue;
      in_comment = false;
      ++k;
      out += ' ';
    } else if (in_string) {
      out += text[k];
      if (text[k] == '\\' && k + 1 < text.size())
        out += text[++k];
      else if (text[k] == '"')
        in_string = false;
    } else if (text[k] == ';' || starts("//")) {
      break;
    } else if (starts("/*")) {
      in_comment = true;
      ++k;
    } else {
      in_string = text[k] == '"';
      out += text[k];
    }
  }
  return std::string(trimmed(out));
}

// The length of a label with its colon at the beginning of the statement; 0 if there is none.
size_t label_length(std::string_view statement) {
  size_t k = 0;
  if (!statement.empty() && statement[0] == '"') {
    const size_t end = statement.find('"', 1);
    if (end == std::string_view::npos) return 0;
    k = end + 1;
  } else {
    while (k < statement.size() &&
           (std::isalnum(static_cast<unsigned char>(statement[k])) != 0 || statement[k] == '_' || statement[k] == '.' ||
            statement[k] == '$' || statement[k] == '@'))
      ++k;
  }
  return k > 0 && k < statement.size() && statement[k] == ':' ? k + 1 : 0;
}

// Words of a directive: numbers, names, and strings without their quotes.
std::vector<std::string> words_of(std::string_view s) {
  std::vector<std::string> words;
  while (!(s = trimmed(s)).empty()) {
    if (s[0] == '"') {
      std::string word;
      size_t k = 1;
      for (; k < s.size() && s[k] != '"'; ++k) {
        if (s[k] == '\\' && k + 1 < s.size()) ++k;
        word += s[k];
      }
      words.push_back(word);
      s.remove_prefix(std::min(k + 1, s.size()));
    } else {
      const size_t end = std::min(s.find_first_of(" \t,"), s.size());
      words.emplace_back(s.substr(0, end));
      s.remove_prefix(std::min(end + 1, s.size()));
    }
  }
  return words;
}

std::optional<uint32_t> number(const std::string& word) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

std::pair<std::string_view, std::string_view> first_word(std::string_view statement) {
  const size_t end = std::min(statement.find_first_of(" \t"), statement.size());
  return {statement.substr(0, end), trimmed(statement.substr(end))};
}

assembly_file::assembly_file(const std::string& text, std::string name) : name_(std::move(name)) {
  bool in_metadata = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::string_view bare = trimmed(line);
    if (bare == ".end_amdgpu_metadata") in_metadata = false;
    if (in_metadata) {
      lines_.emplace_back();
      lines_.back().text = std::move(line);
    } else {
      read_line(std::move(line));
    }
    if (bare == ".amdgpu_metadata") in_metadata = true;
  }
  find_kernels();
}

bool holds_data(const assembly_line& line) {
  static const std::set<std::string, std::less<>> words{".byte", ".short", ".hword", ".2byte", ".word", ".long",
                                                        ".int",  ".4byte", ".quad",  ".8byte", ".octa"};
  return line.what == assembly_line::kind::directive && words.count(first_word(line.statement).first) != 0;
}

void assembly_file::read_line(std::string text) {
  std::string statement = without_comments(text, in_comment_);
  if (const size_t length = label_length(statement); length > 0) {
    assembly_line label;
    label.what = assembly_line::kind::label;
    label.statement = statement.substr(0, length);
    const std::string rest(trimmed(std::string_view(statement).substr(length)));
    label.text = rest.empty() ? std::move(text) : label.statement;
    label.in_macro = macro_depth_ > 0;
    lines_.push_back(std::move(label));
    if (rest.empty()) return;
    statement = rest;
    text = "\t" + rest;
  }
  assembly_line line;
  line.text = std::move(text);
  line.statement = std::move(statement);
  line.in_macro = macro_depth_ > 0;
  const auto [word, rest] = first_word(line.statement);
  static const std::set<std::string, std::less<>> opening{
      ".macro", ".rept", ".irp",  ".irpc", ".if",   ".ifc",  ".ifnc", ".ifdef", ".ifndef", ".ifb",
      ".ifnb",  ".ifeq", ".ifne", ".ifge", ".ifgt", ".ifle", ".iflt", ".ifeqs", ".ifnes",  ".ifnotdef"};
  static const std::set<std::string, std::less<>> closing{".endm", ".endmacro", ".endr", ".endif"};
  if (line.statement.empty()) {
    line.what = assembly_line::kind::other;
  } else if (word[0] == '.' || (!rest.empty() && rest[0] == '=')) {
    line.what = assembly_line::kind::directive;
    if (opening.count(word) != 0) ++macro_depth_;
    if (closing.count(word) != 0) macro_depth_ = std::max(0, macro_depth_ - 1);
    line.in_macro = line.in_macro || macro_depth_ > 0;
    if (word == ".file") {
      const std::vector<std::string> words = words_of(rest);
      const auto n = words.empty() ? std::nullopt : number(words[0]);
      if (n && words.size() >= 2) {
        const bool has_folder = words.size() >= 3 && words[2] != "md5";
        files_[*n] = has_folder ? (std::filesystem::path(words[1]) / words[2]).lexically_normal().string() : words[1];
      }
    } else if (word == ".loc") {
      const std::vector<std::string> words = words_of(rest);
      const auto at = [&](size_t k) { return k < words.size() ? number(words[k]).value_or(0) : 0; };
      file_ = at(0);
      loc_line_ = at(1);
      loc_column_ = at(2);
      const auto named = std::find(words.begin(), words.end(), "discriminator");
      loc_mark_ = at(static_cast<size_t>(named - words.begin()) + 1);
    } else if (holds_data(line)) {
      line.file = file_;
      line.line = loc_line_;
      line.column = loc_column_;
      line.branch_of_mark = loc_mark_;
    }
  } else {
    line.what = assembly_line::kind::instruction;
    line.file = file_;
    line.line = loc_line_;
    line.column = loc_column_;
    line.branch_of_mark = loc_mark_;
  }
  lines_.push_back(std::move(line));
}

namespace {
bool ends_with_function(std::string_view type) {
  constexpr std::string_view function = "@function";
  return type.size() >= function.size() && type.substr(type.size() - function.size()) == function;
}
}  // namespace

void assembly_file::find_kernels() {
  std::map<std::string, size_t> descriptors;
  std::set<std::string> functions;
  for (size_t k = 0; k < lines_.size(); ++k) {
    const auto [word, rest] = first_word(lines_[k].statement);
    if (lines_[k].what != assembly_line::kind::directive) continue;
    if (word == ".amdhsa_kernel") descriptors[std::string(rest)] = k;
    if (const size_t comma = rest.find(','); word == ".type" && comma != rest.npos && ends_with_function(rest))
      functions.emplace(rest.substr(0, comma));
  }
  for (size_t k = 0; k < lines_.size(); ++k) {
    if (lines_[k].what != assembly_line::kind::label) continue;
    const std::string label = lines_[k].statement.substr(0, lines_[k].statement.size() - 1);
    const auto found = descriptors.find(label);
    if (found == descriptors.end() && functions.count(label) == 0) continue;
    kernel_lines kernel{label, k, lines_.size(), found == descriptors.end() ? 0 : found->second};
    for (size_t e = k + 1; e < lines_.size(); ++e) {
      const auto [word, rest] = first_word(lines_[e].statement);
      if (lines_[e].what == assembly_line::kind::directive) {
        const bool own_size = word == ".size" && rest.substr(0, rest.find(',')) == label;
        const bool other_section = word == ".section" || word == ".rodata" || word == ".data" || word == ".bss";
        if (!own_size && !other_section) continue;
      } else if (lines_[e].what != assembly_line::kind::label ||
                 descriptors.count(lines_[e].statement.substr(0, lines_[e].statement.size() - 1)) == 0) {
        continue;
      }
      kernel.end = e;
      break;
    }
    (found == descriptors.end() ? functions_ : kernels_).push_back(kernel);
  }
}

cfg::source_place assembly_file::place_of(size_t line) const {
  const assembly_line& l = lines_[line];
  const auto file = files_.find(l.file);
  if (file == files_.end() || l.line == 0) return {};
  return {file->second, l.line, l.column};
}

std::string assembly_file::text() const {
  std::string out;
  for (size_t k = 0; k <= lines_.size(); ++k) {
    if (const auto found = insertions_.find(k); found != insertions_.end())
      for (const std::string& s : found->second) out += s;
    if (k == lines_.size()) break;
    const auto replaced = replacements_.find(k);
    out += replaced == replacements_.end() ? lines_[k].text : replaced->second;
    out += '\n';
  }
  return out;
}

}  // namespace pws::pwscc
