// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/error_text.h"

#include "base/file_names.h"

namespace pws::platform {

namespace {

void escape_word(std::string& message, const std::string& word) {
  if (word.find('\n') == std::string::npos || word.find_first_not_of('\n') == std::string::npos) return;
  const std::string shown = visible(word, "");
  for (size_t at = message.find(word); at != std::string::npos; at = message.find(word, at + shown.size()))
    message.replace(at, word.size(), shown);
}

}  // namespace

std::string for_terminal(std::string message, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    escape_word(message, word);
    const std::string value = word.substr(word.find('=') + 1);
    escape_word(message, value);
    if (const size_t slash = value.rfind('/'); slash != std::string::npos) escape_word(message, value.substr(0, slash));
  }
  return visible(message);
}

}  // namespace pws::platform
