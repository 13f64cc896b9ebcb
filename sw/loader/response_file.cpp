// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/response_file.h"

#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "sw/loader/bytes.h"

namespace pws::loader {

namespace {

constexpr unsigned most_depth = 20;

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;  // of a word, which may be empty: ""
  char quote = 0;
  const auto end_word = [&] {
    if (inside) words.push_back(std::move(word));
    word.clear();
    inside = false;
  };
  for (size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\\' && quote != '\'' && k + 1 < text.size()) {
      word += text[++k];
      inside = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      inside = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      end_word();
    } else {
      word += c;
      inside = true;
    }
  }
  end_word();
  return words;
}

void expand(const std::vector<std::string>& words, unsigned depth, std::vector<std::string>& all) {
  for (const std::string& word : words) {
    std::error_code error;
    if (word.size() < 2 || word[0] != '@' || !std::filesystem::is_regular_file(word.substr(1), error)) {
      all.push_back(word);
      continue;
    }
    if (depth == most_depth) throw input_error(word + ": files of arguments name each other without end");
    expand(words_of(read_text(word.substr(1))), depth + 1, all);
  }
}

}  // namespace

std::vector<std::string> with_response_files(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  expand(words, 0, all);
  return all;
}

}  // namespace pws::loader
