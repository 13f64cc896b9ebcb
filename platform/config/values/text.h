// SPDX-License-Identifier: Apache-2.0
// Helpers for messages and listings: quoting of what a user wrote, "did you mean", lines of a terminal's width.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/did_you_mean.h"

namespace pws::platform {

// `text` as it can be shown in one line of a message: in single quotes, control characters escaped, long text cut.
std::string in_quotes(std::string_view text);

// The same for the path of a file, which is never cut: its end is what tells files apart.
std::string file_in_quotes(std::string_view path);

// As in_quotes without the quotes: a key in a path.
std::string printable(std::string_view text);

// "a, b, c"
std::string joined(const std::vector<std::string>& words);

// How wide a line of a listing or a help text is.
constexpr size_t terminal_columns = 100;

// The words of `text` in lines of at most `width` columns. The first line begins at column `indent`; the others are
// indented that far. Only a word that is longer stands beyond the width.
std::string wrapped(std::string_view text, size_t indent, size_t width = terminal_columns);

// `label`, and `text` beside it from column `indent` on, wrapped; below it where the label is too long. Ends the line.
std::string labelled(const std::string& label, size_t indent, std::string_view text, size_t width = terminal_columns);

}  // namespace pws::platform
