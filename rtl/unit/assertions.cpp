// SPDX-License-Identifier: Apache-2.0
#include "rtl/unit/assertions.h"

#include <cstdarg>
#include <cstdio>
#include <string>

#include "rtl/wrapper/assertion_error.h"

namespace {

// What has been said since the last assertion; Verilator says it in several pieces.
std::string& said() {
  static std::string text;
  return text;
}

}  // namespace

extern "C" int pws_rtl_says(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int n = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  said() += text;
  return n;
}

// Verilator's name for it (verilated.h).
void vl_stop(const char* filename, int line, const char*) {
  std::string text = std::move(said());
  said().clear();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (text.empty()) text = std::string(filename) + ":" + std::to_string(line);
  throw pws::rtl::assertion_error("the RTL stops: " + text);
}
