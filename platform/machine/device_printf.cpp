// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/device_printf.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace pws::platform {

namespace {
constexpr size_t word_bytes = sizeof(uint64_t);

// Reads the words behind the control word.
class reader {
 public:
  explicit reader(const std::vector<uint64_t>& words)
      : at_(reinterpret_cast<const char*>(words.data() + 1)),
        end_(reinterpret_cast<const char*>(words.data()) + words.size() * word_bytes) {}

  bool empty() const { return at_ == end_; }
  uint64_t value() {
    uint64_t v = 0;
    if (empty()) return v;
    std::memcpy(&v, at_, word_bytes);
    at_ += word_bytes;
    return v;
  }
  // Up to its terminator, or the message's end.
  std::string text() {
    const auto* terminator = std::find(at_, end_, '\0');
    const std::string s(at_, terminator);
    const auto whole_words = (s.size() / word_bytes + 1) * word_bytes;
    at_ += std::min<size_t>(whole_words, static_cast<size_t>(end_ - at_));
    return s;
  }

 private:
  const char* at_;
  const char* end_;
};

template <class... Values>
std::string printed(const std::string& specification, Values... values) {
  const int length = std::snprintf(nullptr, 0, specification.c_str(), values...);
  if (length < 0) return "";
  std::string s(static_cast<size_t>(length) + 1, '\0');
  std::snprintf(s.data(), s.size(), specification.c_str(), values...);
  s.pop_back();
  return s;
}

// One conversion, "%-*.3ld" or so, whose stars have become numbers.
std::string conversion(std::string specification, reader& arguments) {
  const char kind = specification.back();
  switch (kind) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'c':
      // Integers come as 64 bits, extended as their type says; the specification's own length picks the low part.
      return printed(specification, arguments.value());
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': {
      // A device's long double is a double.
      specification.erase(std::remove(specification.begin(), specification.end(), 'L'), specification.end());
      const uint64_t bits = arguments.value();
      double d = 0;
      std::memcpy(&d, &bits, sizeof d);
      return printed(specification, d);
    }
    case 's':
      specification.erase(std::remove(specification.begin(), specification.end(), 'l'), specification.end());
      return printed(specification, arguments.text().c_str());
    case 'p':
      return printed(specification, reinterpret_cast<void*>(arguments.value()));
    default:  // n
      arguments.value();
      return "";
  }
}
}  // namespace

std::string format_message(const std::vector<uint64_t>& words, bool& to_stderr) {
  to_stderr = false;
  if (words.empty()) return "";
  to_stderr = (words[0] & 1) != 0;
  reader arguments(words);
  const std::string format = arguments.text();
  std::string out;
  for (size_t at = 0; at < format.size();) {
    const size_t percent = std::min(format.find('%', at), format.size());
    out.append(format, at, percent - at);
    if (percent == format.size()) break;
    if (percent + 1 < format.size() && format[percent + 1] == '%') {
      out += '%';
      at = percent + 2;
      continue;
    }
    const size_t last = format.find_first_of("diouxXfFeEgGaAcspn", percent + 1);
    if (last == std::string::npos || arguments.empty()) break;
    std::string specification;
    for (size_t k = percent; k <= last; ++k)
      specification +=
          format[k] == '*' ? std::to_string(static_cast<int>(arguments.value())) : std::string(1, format[k]);
    out += conversion(specification, arguments);
    at = last + 1;
  }
  return out;
}

void message_table::take(uint64_t slot[8]) {
  // Descriptor: bit 0 begins, bit 1 ends, [7:5] words that follow, [63:8] identifier, given by the host.
  const uint64_t descriptor = slot[0];
  const bool begins = (descriptor & 1) != 0, ends = (descriptor & 2) != 0;
  uint64_t id = descriptor >> 8;
  if (begins) {
    const auto unused = std::find_if(messages_.begin(), messages_.end(), [](const message& m) { return !m.live; });
    id = static_cast<uint64_t>(unused - messages_.begin());
    if (unused == messages_.end()) messages_.emplace_back();
    messages_[id].live = true;
  }
  if (id >= messages_.size() || !messages_[id].live)
    throw program_error("hostcall: a piece of a message that has not begun");
  message& m = messages_[id];
  m.words.insert(m.words.end(), slot + 1, slot + 1 + (descriptor >> 5 & 7));
  slot[0] = (descriptor & 0xfe) | id << 8;
  if (!ends) return;
  bool to_stderr = false;
  const std::string text = format_message(m.words, to_stderr);
  wrote_to_stderr_ = wrote_to_stderr_ || to_stderr;
  std::FILE* stream = to_stderr ? stderr : stdout;
  if (!silent_ || !silent_()) std::fwrite(text.data(), 1, text.size(), stream);
  slot[0] = text.size();
  m.live = false;
  m.words.clear();
}

}  // namespace pws::platform
