// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>

namespace pws::loader {

namespace {

// Longer names come from hostile files only; edit distance is quadratic and the demangler recursive.
constexpr size_t longest_name = 4096;
constexpr size_t longest_compared = 512;

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string demangle(std::string_view name) {
  std::string text(name);
  if (text.rfind("_Z", 0) != 0 || text.size() > longest_name) return text;
  text.resize(std::min(text.size(), text.find('.')));
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> out(abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status),
                                                   std::free);
  return status == 0 ? std::string(out.get()) : std::string(name);
}

std::string without_parameters(std::string_view demangled) {
  // The parameter list is what the last parenthesis closes; it may hold function types with parentheses of their own.
  if (!demangled.empty() && demangled.back() == ')') {
    int depth = 0;
    for (size_t i = demangled.size(); i-- > 0;) {
      if (demangled[i] == ')') ++depth;
      if (demangled[i] == '(' && --depth == 0) {
        demangled = demangled.substr(0, i);
        break;
      }
    }
  }
  // Only instances of templates are demangled with their return type, and a kernel's is void.
  constexpr std::string_view kernel_return = "void ";
  if (demangled.substr(0, kernel_return.size()) == kernel_return) demangled.remove_prefix(kernel_return.size());
  return std::string(demangled);
}

bool is_name_of(const std::string& given, const std::string& mangled, const std::string& demangled) {
  return given == mangled || given == demangled || given == without_parameters(demangled);
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 2) + 1;
  if (name.empty() || name.size() > longest_compared) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_compared) continue;
    const size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace pws::loader
