// SPDX-License-Identifier: Apache-2.0
// Checks of a text file's bytes before YAML sees them.
#pragma once

#include <optional>
#include <string>

namespace pws::platform {

// The first place that is no UTF-8.
struct bad_text {
  int line = 0;  // from 1
  int column = 0;
  std::string problem;
};

// The first byte sequence that is not UTF-8 (RFC 3629: no overlong forms, no surrogates) or a control character other
// than tab, line feed and carriage return.
std::optional<bad_text> find_bad_utf8(const std::string& text);

// Whether the line (from 0) has a tab in its indentation.
bool line_begins_with_tab(const std::string& text, int line);

}  // namespace pws::platform
