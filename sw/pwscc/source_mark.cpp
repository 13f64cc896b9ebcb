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

#include "models/isa/error.h"
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

// "_ZZ" <encoding> "E8pws_mark..." is a variable of the function with that encoding. (Itanium C++ ABI, 5.1.6)
std::string function_of(std::string_view label) {
  const size_t end = label.rfind("E8pws_mark");
  return label.substr(0, 3) == "_ZZ" && end != std::string_view::npos ? std::string(label.substr(3, end - 3)) : "";
}

// The records as they are in the assembly: .long kind, .long line, .quad bound, .asciz file.
std::vector<source_mark> read_records(const assembly_file& assembly) {
  std::vector<source_mark> marks;
  bool in_section = false;
  unsigned field = 0;
  for (size_t k = 0; k < assembly.lines().size(); ++k) {
    const assembly_line& line = assembly.lines()[k];
    const auto [word, rest] = first_word(line.statement);
    if (line.what == assembly_line::kind::directive && (word == ".section" || word == ".text" || word == ".data")) {
      in_section = word == ".section" && rest.substr(0, rest.find(',')) == mark_section;
      continue;
    }
    if (!in_section) continue;
    if (line.what == assembly_line::kind::label) {
      if (field != 0) damaged(k);
      marks.emplace_back();
      marks.back().function = function_of(line.statement);
      field = 1;
      continue;
    }
    const bool number_directive = word == ".long" || word == ".quad";
    if (field == 0 || (!number_directive && word != ".asciz")) continue;
    source_mark& m = marks.back();
    const std::string value(rest);
    if (field == 1 && word == ".long" && number(value, k) <= 1) {
      m.what = number(value, k) == 0 ? source_mark::kind::split : source_mark::kind::loop_bound;
      if (m.what == source_mark::kind::split) m.function.clear();
    } else if (field == 2 && word == ".long") {
      m.line = static_cast<uint32_t>(number(value, k));
    } else if (field == 3 && word == ".quad") {
      m.bound = number(value, k);
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

struct extent {
  uint32_t first = 0, last = 0;
};

// Marks' statements in one source.
class statement_finder {
 public:
  explicit statement_finder(std::vector<source_token> tokens) : tokens_(std::move(tokens)) {}

  // One for each occurrence of the macro in the line, or what follows the line if it is inside another macro.
  std::vector<extent> of(const source_mark& mark) const {
    const char* macro = mark.what == source_mark::kind::split ? "PWS_SPLIT" : "PWS_LOOP_BOUND";
    std::vector<extent> found;
    for (size_t k = 0; k < tokens_.size(); ++k)
      if (tokens_[k].line == mark.line && tokens_[k].text == macro) found.push_back(statement(k, mark.what));
    if (!found.empty()) return found;
    const auto next = std::find_if(tokens_.begin(), tokens_.end(), [&](const source_token& t) {
      return t.line >= mark.line && (is_loop_keyword(t.text) || t.text == "if" || t.text == "switch");
    });
    if (next != tokens_.end()) found.push_back(head(static_cast<size_t>(next - tokens_.begin())));
    return found;
  }

 private:
  bool is(size_t k, const char* text) const { return k < tokens_.size() && tokens_[k].text == text; }

  // Behind the parenthesis that closes the one at k.
  size_t behind_parentheses(size_t k) const {
    unsigned depth = 0;
    for (; k < tokens_.size(); ++k) {
      if (is(k, "(")) ++depth;
      if (is(k, ")") && --depth == 0) return k + 1;
    }
    return k;
  }
  // Behind the statement at k: a block, or up to its semicolon.
  size_t behind_statement(size_t k) const {
    unsigned depth = 0;
    for (; k < tokens_.size(); ++k) {
      if (is(k, "{") || is(k, "(")) ++depth;
      if (is(k, "}") || is(k, ")")) {
        if (depth == 0) return k;
        if (--depth == 0 && is(k, "}")) return k + 1;
      }
      if (depth == 0 && is(k, ";")) return k + 1;
    }
    return k;
  }

  // Lines from the keyword at k to the end of its condition; of `do`, of the condition behind its body.
  extent head(size_t k) const {
    if (is(k, "do")) {
      k = behind_statement(k + 1);
      if (!is(k, "while")) return {};
    }
    size_t open = k + 1;
    if (is(open, "constexpr")) ++open;
    if (!is(open, "(")) return {};
    const size_t end = behind_parentheses(open);
    return {tokens_[k].line, tokens_[std::min(end, tokens_.size()) - 1].line};
  }

  extent statement(size_t mark, source_mark::kind what) const {
    size_t next = behind_parentheses(mark + 1);
    while (is(next, ";") || is(next, "PWS_SPLIT") || is(next, "PWS_LOOP_BOUND"))
      next = is(next, ";") ? next + 1 : behind_parentheses(next + 1);
    if (is(next, "else")) ++next;
    if (next >= tokens_.size()) return {};
    const std::string& t = tokens_[next].text;
    if (what == source_mark::kind::split) {
      if (t == "if" || t == "switch" || is_loop_keyword(t)) return head(next);
      return {};
    }
    if (is_loop_keyword(t)) return head(next);
    // The first thing in a loop's body: "for (...) {" or "do {" before it, other marks between.
    size_t k = mark;
    while (k > 0 && !is(k - 1, "{") && !is(k - 1, "}")) --k;
    if (k == 0 || !is(k - 1, "{")) return {};
    if (k >= 2 && is(k - 2, "do")) return head(k - 2);
    if (k < 2 || !is(k - 2, ")")) return {};
    unsigned depth = 0;
    for (size_t p = k - 1; p-- > 0;) {
      if (is(p, ")")) ++depth;
      if (is(p, "(") && --depth == 0) return p > 0 && is_loop_keyword(tokens_[p - 1].text) ? head(p - 1) : extent{};
    }
    return {};
  }

  std::vector<source_token> tokens_;
};

std::optional<std::string> contents_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::vector<source_mark> read_marks(const std::string& assembly) {
  std::map<std::string, statement_finder> sources;
  std::vector<source_mark> marks;
  for (const source_mark& record : read_records(assembly_file(assembly, "assembly"))) {
    auto source = sources.find(record.file);
    if (source == sources.end())
      source = sources.emplace(record.file, statement_finder(tokenise(contents_of(record.file).value_or("")))).first;
    std::vector<extent> statements = source->second.of(record);
    if (statements.empty()) statements.emplace_back();
    for (const extent& e : statements) {
      source_mark m = record;
      m.first_line = e.first;
      m.last_line = e.last;
      marks.push_back(m);
    }
  }
  const auto key = [](const source_mark& m) {
    return std::tie(m.file, m.line, m.what, m.first_line, m.last_line, m.bound, m.function);
  };
  std::sort(marks.begin(), marks.end(), [&](const source_mark& a, const source_mark& b) { return key(a) < key(b); });
  marks.erase(std::unique(marks.begin(), marks.end(),
                          [&](const source_mark& a, const source_mark& b) { return key(a) == key(b); }),
              marks.end());
  return marks;
}

}  // namespace pws::pwscc
