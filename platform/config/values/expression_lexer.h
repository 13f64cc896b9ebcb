// SPDX-License-Identifier: Apache-2.0
// Tokens of an expression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pws::platform {

// A word of a formula.
struct token {
  // What a word is.
  enum class kind { number, name, symbol, end };

  kind what = kind::end;
  std::string text;
  size_t position = 0;  // in the expression, from 0
  // Set for a number only:
  bool real = false;
  bool hexadecimal = false;
  bool forced_unsigned = false;  // suffix u
  bool forced_f32 = false;       // suffix f
  uint64_t integer = 0;
  double real_value = 0;
};

// The words of a formula, one after the other.
class token_stream {
 public:
  // Throws expression_error where the text is no token, or too long.
  explicit token_stream(std::string_view text);

  const token& peek() const { return tokens_[at_]; }
  void next() {
    if (at_ + 1 < tokens_.size()) ++at_;
  }
  // Goes on if the next token is this symbol.
  bool take(std::string_view symbol);

 private:
  std::vector<token> tokens_;  // the last one is the end
  size_t at_ = 0;
};

}  // namespace pws::platform
