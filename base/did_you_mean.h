// SPDX-License-Identifier: Apache-2.0
// What somebody who mistyped a word may have meant: a key, an option, a command.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace pws {

// The number of insertions, deletions, substitutions and swaps of neighbours that lead from `a` to `b`.
inline size_t edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment, three rows of the table.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

// "; did you mean x?" for the candidate that `word` begins, or else the nearest one; "" when none is near (more than a
// third of it differs).
inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr size_t longest_word = 64;  // nobody mistypes one of our keys that far, and the table is quadratic
  if (word.size() > longest_word) return "";
  constexpr size_t long_enough = 3;
  for (const std::string& candidate : candidates) {  // "line" for line_bytes
    if (word.size() >= long_enough && candidate.rfind(word, 0) == 0) return "; did you mean " + candidate + "?";
  }
  const std::string* best = nullptr;
  size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (best == nullptr || distance < best_distance) {
      best = &candidate;
      best_distance = distance;
    }
  }
  if (best == nullptr) return "";
  const size_t length = std::max(word.size(), best->size());
  if (best_distance * 3 > length && !(best_distance == 1 && length == 2)) return "";
  return "; did you mean " + *best + "?";
}

}  // namespace pws
