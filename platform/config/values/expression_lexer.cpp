// SPDX-License-Identifier: Apache-2.0
#include "platform/config/values/expression_lexer.h"

#include "platform/config/values/expression.h"
#include "platform/config/values/number.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// End of the number that begins at `at`: digits, letters and dots, and a sign directly behind a decimal exponent's e.
size_t number_end(std::string_view text, size_t at) {
  const bool hexadecimal = text.substr(at, 2) == "0x" || text.substr(at, 2) == "0X";
  size_t end = at;
  while (end < text.size()) {
    const char c = text[end];
    const bool sign =
        (c == '+' || c == '-') && !hexadecimal && (text[end - (end > at)] == 'e' || text[end - (end > at)] == 'E');
    if (!is_digit(c) && !is_letter(c) && c != '.' && !sign) break;
    ++end;
  }
  return end;
}

void read_number(token& t) {
  std::string_view text = t.text;
  t.hexadecimal = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (text.back() == 'u' || text.back() == 'U') {
    t.forced_unsigned = true;
    text.remove_suffix(1);
  } else if (!t.hexadecimal && (text.back() == 'f' || text.back() == 'F')) {
    t.forced_f32 = true;
    text.remove_suffix(1);
  }
  t.real = !t.hexadecimal && (t.forced_f32 || text.find_first_of(".eE") != std::string_view::npos);
  if (t.real && t.forced_unsigned) throw expression_error(t.position, in_quotes(t.text) + " is not a number");
  int128 integer = 0;
  float narrow = 0;
  number_status status = number_status::ok;
  if (t.real && t.forced_f32) {
    status = parse_real(text, narrow);
    t.real_value = narrow;
  } else if (t.real) {
    status = parse_real(text, t.real_value);
  } else {
    status = parse_integer(text, integer);
    t.integer = static_cast<uint64_t>(integer);
  }
  if (status == number_status::ok) return;
  throw expression_error(t.position, status == number_status::too_large ? printable(t.text) + " is too large"
                                                                        : in_quotes(t.text) + " is not a number");
}

}  // namespace

token_stream::token_stream(std::string_view text) {
  constexpr size_t longest = 65536;
  constexpr size_t most_tokens = 5000;
  constexpr std::string_view two[] = {"||", "&&", "==", "!=", "<=", ">=", "<<", ">>"};
  if (text.size() > longest) throw expression_error(longest, "the expression is longer than 65536 characters");
  size_t at = 0;
  while (true) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) ++at;
    if (tokens_.size() >= most_tokens) throw expression_error(at, "the expression has more than 5000 parts");
    token t;
    t.position = at;
    if (at == text.size()) {
      tokens_.push_back(t);
      return;
    }
    const char c = text[at];
    size_t end = at + 1;
    if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
      t.what = token::kind::number;
      end = number_end(text, at);
    } else if (is_letter(c)) {
      t.what = token::kind::name;
      while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    } else {
      t.what = token::kind::symbol;
      for (const std::string_view s : two) {
        if (text.substr(at, 2) == s) end = at + 2;
      }
      const bool known = end == at + 2 || std::string_view("+-*/%<>!~&|^?:()[],").find(c) != std::string_view::npos;
      if (!known) {
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u)
          ++end;  // rest of its UTF-8
        throw expression_error(at, "unexpected character " + in_quotes(text.substr(at, end - at)));
      }
    }
    t.text = std::string(text.substr(at, end - at));
    if (t.what == token::kind::number) read_number(t);
    tokens_.push_back(std::move(t));
    at = end;
  }
}

bool token_stream::take(std::string_view symbol) {
  if (peek().what != token::kind::symbol || peek().text != symbol) return false;
  next();
  return true;
}

}  // namespace pws::platform
