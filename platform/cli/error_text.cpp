#include "platform/cli/error_text.h"

#include <fmt/format.h>

namespace pws::platform {

namespace {

bool steers(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < ' ' || byte == 0x7f;
}

std::string escaped(const std::string& text, const char* kept) {
  std::string out;
  for (const char c : text)
    out += steers(c) && std::string_view(kept).find(c) == std::string_view::npos
               ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c))
               : std::string(1, c);
  return out;
}

void escape_word(std::string& message, const std::string& word) {
  if (word.find('\n') == std::string::npos || word.find_first_not_of('\n') == std::string::npos) return;
  const std::string shown = escaped(word, "");
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
  return escaped(message, "\n\t");
}

}  // namespace pws::platform
