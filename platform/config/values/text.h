// Helpers for messages: quoting of what a user wrote and "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pws::platform {

// `text` as it can be shown in one line of a message: in single quotes, control characters escaped, long text cut.
std::string in_quotes(std::string_view text);

// The same for the path of a file, which is never cut: its end is what tells files apart.
std::string file_in_quotes(std::string_view path);

// As in_quotes without the quotes: a key in a path.
std::string printable(std::string_view text);

// "a, b, c"
std::string joined(const std::vector<std::string>& words);

// The number of insertions, deletions, substitutions and swaps of neighbours that lead from `a` to `b`.
size_t edit_distance(std::string_view a, std::string_view b);

// "; did you mean x?" for the candidate that `word` begins, or else the nearest one; "" when none is near (more than a
// third of it differs).
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace pws::platform
