// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/source_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "sw/pwscc/anchor_text.h"
#include "sw/pwscc/assembly_file.h"
#include "sw/pwscc/source_tokens.h"

namespace pws::pwscc {

namespace {

constexpr std::string_view mark_section = ".pws.marks";  // as in pws.h

[[noreturn]] void damaged(size_t line) {
  throw input_error(fmt::format("assembly line {}: this is no record of pws.h in section {}", line + 1, mark_section));
}

uint64_t number(const std::string& text, size_t line) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) damaged(line);
  return value;
}

// The bytes of a quoted string: the assembler writes what is not printable in octal.
std::string unquoted(std::string_view s, size_t line) {
  if (s.size() < 2 || s.front() != '"' || s.back() != '"') damaged(line);
  s = s.substr(1, s.size() - 2);
  std::string out;
  for (size_t k = 0; k < s.size(); ++k) {
    if (s[k] != '\\' || k + 1 == s.size()) {
      out += s[k];
    } else if (s[k + 1] >= '0' && s[k + 1] <= '7') {
      unsigned value = 0;
      size_t n = 1;
      for (; n <= 3 && k + n < s.size() && s[k + n] >= '0' && s[k + n] <= '7'; ++n)
        value = value * 8 + (s[k + n] - '0');
      out += static_cast<char>(value);
      k += n - 1;
    } else {
      out += s[++k];
    }
  }
  return out;
}

bool is_section(const assembly_line& line) {
  if (line.what != assembly_line::kind::directive) return false;
  const std::string_view word = first_word(line.statement).first;
  return word == ".section" || word == ".text" || word == ".data";
}
bool begins_marks(const assembly_line& line) {
  if (!is_section(line)) return false;
  const auto [word, rest] = first_word(line.statement);
  return word == ".section" && rest.substr(0, rest.find(',')) == mark_section;
}

// The records as they are in the assembly: .long kind, .long line, .quad bound or name, .asciz file.
std::vector<source_mark> read_records(const assembly_file& assembly) {
  std::vector<source_mark> marks;
  bool in_section = false;
  unsigned field = 0;
  mark_record kind = mark_record::split;
  for (size_t k = 0; k < assembly.lines().size(); ++k) {
    const assembly_line& line = assembly.lines()[k];
    const auto [word, rest] = first_word(line.statement);
    if (is_section(line)) {
      in_section = begins_marks(line);
      continue;
    }
    if (!in_section) continue;
    if (line.what == assembly_line::kind::label) {
      if (field != 0) damaged(k);
      marks.emplace_back();
      field = 1;
      continue;
    }
    const bool number_directive = word == ".long" || word == ".quad";
    if (field == 0 || (!number_directive && word != ".asciz")) continue;
    source_mark& m = marks.back();
    const std::string value(rest);
    if (field == 1 && word == ".long" && number(value, k) <= static_cast<uint64_t>(mark_record::removed_branch)) {
      kind = static_cast<mark_record>(number(value, k));
      m.what = kind == mark_record::loop_bound ? source_mark::kind::loop_bound : source_mark::kind::split;
    } else if (field == 2 && word == ".long") {
      m.line = static_cast<uint32_t>(number(value, k));
    } else if (field == 3 && word == ".quad") {
      if (kind == mark_record::loop_bound) m.bound = number(value, k);
      if (kind != mark_record::loop_bound) m.number = static_cast<uint32_t>(number(value, k));
      m.names_branch = kind == mark_record::split || kind == mark_record::removed_branch;
      m.branch_removed = kind == mark_record::removed_branch;
    } else if (field == 4 && word == ".asciz") {
      m.file = std::filesystem::absolute(unquoted(rest, k)).lexically_normal().string();
      field = 0;
      continue;
    } else {
      damaged(k);
    }
    ++field;
  }
  if (field != 0) damaged(assembly.lines().size());
  return marks;
}

bool is_loop_keyword(const std::string& t) {
  return t == "for" || t == "while" || t == "do";
}

// The loops of one source that marks are in.
class loop_finder {
 public:
  explicit loop_finder(std::vector<source_token> tokens) : tokens_(std::move(tokens)) {}

  // For each PWS_LOOP_BOUND in the line, where the innermost loop begins in whose body it is; 0: it is in none.
  // Nothing: the macro is inside of another one.
  std::vector<uint32_t> around(uint32_t line) const {
    std::vector<uint32_t> found;
    for (size_t k = 0; k < tokens_.size(); ++k)
      if (tokens_[k].line == line && token_is(k, "PWS_LOOP_BOUND")) found.push_back(loop_around(k));
    return found;
  }

 private:
  bool token_is(size_t k, const char* text) const { return k < tokens_.size() && tokens_[k].text == text; }

  // The token before the parenthesis that the one at k closes; tokens_.size(): there is none.
  size_t before_parentheses(size_t k) const {
    unsigned depth = 0;
    for (++k; k-- > 0;) {
      if (token_is(k, ")")) ++depth;
      if (token_is(k, "(") && --depth == 0) return k > 0 ? k - 1 : tokens_.size();
    }
    return tokens_.size();
  }

  // What a body that begins at token k is the body of: tokens_.size() for a block of its own (or of an if, a switch),
  // an index of a loop's keyword, or nothing for what ends the search: a function's or lambda's head.
  std::optional<size_t> keyword_before(size_t k) const {
    if (k == 0) return std::nullopt;
    if (token_is(k - 1, "do")) return k - 1;
    for (const char* plain : {";", "{", "}", "else", ":"})
      if (token_is(k - 1, plain)) return tokens_.size();
    if (!token_is(k - 1, ")")) return std::nullopt;
    const size_t keyword = before_parentheses(k - 1);
    if (keyword >= tokens_.size()) return std::nullopt;
    const std::string& t = tokens_[keyword].text;
    if (is_loop_keyword(t)) return keyword;
    if (t == "if" || t == "constexpr" || t == "switch") return tokens_.size();
    return std::nullopt;
  }

  uint32_t loop_around(size_t mark) const {
    unsigned depth = 0;
    for (size_t k = mark + 1; k-- > 0;) {
      if (token_is(k, "}")) ++depth;
      const bool opens = token_is(k, "{");
      if (opens && depth > 0) --depth;
      // The mark itself: a body without braces.
      else if (k == mark || opens) {
        const std::optional<size_t> keyword = keyword_before(k);
        if (!keyword && k != mark) return 0;
        if (keyword && *keyword < tokens_.size()) return tokens_[*keyword].line;
      }
    }
    return 0;
  }

  std::vector<source_token> tokens_;
};

std::optional<std::string> contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::string with_marks_left_out(const std::string& assembly) {
  if (assembly.find(mark_section) == std::string::npos) return assembly;
  assembly_file file(assembly, "");
  for (size_t k = 0; k < file.lines().size(); ++k)
    if (begins_marks(file.lines()[k])) file.replace(k, fmt::format("\t.section\t{},\"e\",@progbits", mark_section));
  return file.text();
}

std::vector<source_mark> read_marks(const std::string& assembly) {
  std::map<std::string, loop_finder> sources;
  std::vector<source_mark> marks;
  for (const source_mark& record : read_records(assembly_file(assembly, "assembly"))) {
    if (record.what == source_mark::kind::split) {
      marks.push_back(record);
      continue;
    }
    auto source = sources.find(record.file);
    if (source == sources.end())
      source = sources.emplace(record.file, loop_finder(tokenise(contents_of(record.file).value_or("")))).first;
    std::vector<uint32_t> loops = source->second.around(record.line);
    source_mark m = record;
    m.in_macro = loops.empty();
    if (loops.empty()) loops.push_back(0);
    for (const uint32_t line : loops) {
      m.statement_line = line;
      marks.push_back(m);
    }
  }
  // If its function has several copies, one copy with a branch is enough.
  const auto key = [](const source_mark& m) {
    return std::tie(m.file, m.line, m.what, m.statement_line, m.bound, m.number);
  };
  std::sort(marks.begin(), marks.end(), [&](const source_mark& a, const source_mark& b) {
    return key(a) != key(b) ? key(a) < key(b) : a.names_branch && !b.names_branch;
  });
  marks.erase(std::unique(marks.begin(), marks.end(),
                          [&](const source_mark& a, const source_mark& b) { return key(a) == key(b); }),
              marks.end());
  return marks;
}

void check_loop_marks(const std::vector<source_mark>& marks, const std::string& assembly) {
  const auto fail = [](const std::string& file, uint32_t line, const std::string& problem) {
    throw input_error(fmt::format("{}:{}: {}", file, line, problem));
  };
  for (const source_mark& m : marks)
    if (m.what == source_mark::kind::loop_bound && !m.in_macro && m.statement_line == 0)
      fail(m.file, m.line,
           "PWS_LOOP_BOUND is in no loop's body: write it first in the body of the loop that it bounds");
  const assembly_file lines(assembly, "assembly");
  for (const assembly_line& l : lines.lines()) {
    const auto a = l.what == assembly_line::kind::other ? read_anchor(l.text) : std::nullopt;
    if (!a || a->what == loop_anchor::kind::iterate || a->line == 0) continue;
    const std::string file = std::filesystem::absolute(a->file).lexically_normal().string();
    bool in_macro = true, at_its_loop = a->statement_line == a->line;
    for (const source_mark& m : marks) {
      if (m.what != source_mark::kind::loop_bound || m.line != a->line || m.file != file || m.in_macro) continue;
      if (in_macro) at_its_loop = false;
      in_macro = false;
      // A loop by goto has no statement.
      at_its_loop = at_its_loop || m.statement_line == a->statement_line;
    }
    if (a->entered_behind)
      fail(file, a->line,
           "the loop of this PWS_LOOP_BOUND can be entered behind it, by a switch or goto into its body: a "
           "loop with two entries, which a mark does not bound. Without the mark, wcet.loops can bound what the "
           "compiler "
           "makes of it, by offset");
    if (a->what == loop_anchor::kind::missed) {
      // A loop statement that never goes back needs no bound, so there is nothing to report.
      if (at_its_loop)
        fail(file, a->line, "an iteration may miss this PWS_LOOP_BOUND: write it first in the loop's body");
      continue;
    }
    if (a->statement_line == 0)
      fail(file, a->line,
           "the code does not say which loop this PWS_LOOP_BOUND is in: it needs line tables (-g0 leaves "
           "them out), and a for, while or do statement");
    if (!at_its_loop)
      fail(file, a->line,
           in_macro
               ? fmt::format("this PWS_LOOP_BOUND comes from a macro, the loop around it, in line {}, does not: write "
                             "the mark into the loop itself",
                             a->statement_line)
               : fmt::format("this PWS_LOOP_BOUND is also in the loop of line {}, which has none: write one first in "
                             "its body",
                             a->statement_line));
    if (a->shared)
      fail(file, a->line,
           a->other_line != 0
               ? fmt::format("the loop around this one, in line {}, needs a PWS_LOOP_BOUND too", a->other_line)
               : std::string("a goto leads back to this loop: its repetitions need a loop statement and a "
                             "PWS_LOOP_BOUND of their own"));
  }
}

}  // namespace pws::pwscc
