// SPDX-License-Identifier: Apache-2.0
#include "platform/config/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "platform/config/values/text.h"

namespace pws::platform {

std::string path_join(const std::string& path, std::string_view key) {
  const std::string shown = printable(key);
  return path.empty() ? shown : path + "." + shown;
}

std::string resolved_path(const origin& where, const std::string& name) {
  const std::filesystem::path given(name);
  if (given.is_absolute() || where.is_override()) return given.lexically_normal().string();
  return (std::filesystem::path(where.file()).parent_path() / given).lexically_normal().string();
}

bool reader::mapping(const yaml_node& node, const std::string& path) {
  if (node.is_mapping()) return true;
  issue(node.where, path, "expected a mapping (key: value), got " + node.describe());
  return false;
}

bool reader::list(const yaml_node& node, const std::string& path) {
  if (node.is_list()) return true;
  issue(node.where, path, "expected a list, got " + node.describe());
  return false;
}

void reader::keys(const yaml_node& node, const std::string& path, const std::vector<std::string>& known) {
  for (const yaml_entry& entry : node.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    std::string hint = did_you_mean(entry.key, known);
    for (const std::string& other : elsewhere) {
      const size_t dot = other.rfind('.');
      if (hint.empty() && other.substr(dot == std::string::npos ? 0 : dot + 1) == entry.key) {
        hint = "; did you mean " + other + "?";
      }
    }
    if (hint.empty()) hint = "; known here: " + joined(known);
    issue(entry.where, path_join(path, entry.key), "unknown key" + hint);
  }
}

const yaml_node* reader::required(const yaml_node& node, const std::string& path, const std::string& key) {
  const yaml_node* value = node.find(key);
  if (value == nullptr) issue(node.where, path_join(path, key), "this key is required and missing");
  return value;
}

std::optional<uint64_t> reader::integer(const yaml_node& node, const std::string& path, const field& f) {
  int128 value = 0;
  if (!node.is_scalar() || node.quoted) {
    issue(node.where, path, "expected an integer, got " + node.describe());
    return std::nullopt;
  }
  const number_status status = parse_integer(node.text, value);
  if (status == number_status::not_a_number) {
    issue(node.where, path, "expected an integer, got " + in_quotes(node.text));
    return std::nullopt;
  }
  if (!f.choices.empty()) {
    const std::string normal = to_text(value);
    if (status != number_status::ok || std::find(f.choices.begin(), f.choices.end(), normal) == f.choices.end()) {
      issue(node.where, path, printable(node.text) + " is not one of " + joined(f.choices));
      return std::nullopt;
    }
    return static_cast<uint64_t>(value);
  }
  const bool negative = node.text.front() == '-';
  const bool below = status == number_status::ok ? value < f.min : negative;
  if (below || status != number_status::ok || value > f.max) {
    issue(node.where, path,
          fmt::format("{} is {} {} (range {})", printable(node.text), below ? "below the minimum" : "above the maximum",
                      to_text(below ? f.min : f.max), to_text(f.min) + ".." + to_text(f.max)));
    return std::nullopt;
  }
  return static_cast<uint64_t>(value);
}

namespace {

// Each element by itself, as one(node, path) reads it; nothing where one of them is refused.
template <class F>
auto each_of(reader& read, const yaml_node& node, const std::string& path, F one) {
  std::optional<std::vector<typename std::invoke_result_t<F, const yaml_node&, const std::string&>::value_type>> all;
  if (!read.list(node, path)) return all;
  all.emplace();
  all->reserve(node.items.size());
  bool good = true;
  for (size_t k = 0; k < node.items.size(); ++k) {
    auto value = one(node.items[k], path_join(path, std::to_string(k)));
    good = good && value.has_value();
    if (good) all->push_back(std::move(*value));
  }
  if (!good) all.reset();
  return all;
}

}  // namespace

std::optional<std::vector<uint64_t>> reader::integers(const yaml_node& node, const std::string& path, const field& f) {
  return each_of(*this, node, path, [&](const yaml_node& n, const std::string& p) { return integer(n, p, f); });
}

std::optional<size_t> reader::choice(const yaml_node& node, const std::string& path, const field& f) {
  if (!node.is_scalar()) {
    issue(node.where, path, "expected one of " + joined(f.choices) + ", got " + node.describe());
    return std::nullopt;
  }
  const auto found = std::find(f.choices.begin(), f.choices.end(), node.text);
  if (found == f.choices.end()) {
    issue(node.where, path,
          in_quotes(node.text) + " is not one of " + joined(f.choices) + did_you_mean(node.text, f.choices));
    return std::nullopt;
  }
  return static_cast<size_t>(found - f.choices.begin());
}

std::optional<double> reader::real(const yaml_node& node, const std::string& path) {
  double value = 0;
  const bool plain = node.is_scalar() && !node.quoted;
  const number_status status = plain ? parse_real(node.text, value) : number_status::not_a_number;
  if (status == number_status::ok) return value;
  if (status == number_status::too_large) {
    issue(node.where, path, printable(node.text) + " is too large");
  } else {
    issue(node.where, path, "expected a number, got " + (plain ? in_quotes(node.text) : node.describe()));
  }
  return std::nullopt;
}

std::optional<std::string> reader::text(const yaml_node& node, const std::string& path) {
  if (node.is_scalar() && !node.text.empty()) return node.text;
  issue(node.where, path, "expected a text, got " + (node.is_scalar() ? "an empty one" : node.describe()));
  return std::nullopt;
}

std::optional<std::vector<std::string>> reader::texts(const yaml_node& node, const std::string& path) {
  return each_of(*this, node, path, [&](const yaml_node& n, const std::string& p) { return text(n, p); });
}

std::optional<std::string> reader::file(const yaml_node& node, const std::string& path) {
  const auto name = text(node, path);
  if (!name) return std::nullopt;
  if (name->find('\0') != std::string::npos) {
    issue(node.where, path, "a file name cannot contain a NUL character");
    return std::nullopt;
  }
  const std::string resolved = resolved_path(node.where, *name);
  std::error_code error;
  const auto status = std::filesystem::status(resolved, error);
  if (!std::filesystem::exists(status)) {
    issue(node.where, path, "there is no file " + file_in_quotes(resolved));
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(status)) {
    issue(node.where, path, file_in_quotes(resolved) + " is not a regular file");
    return std::nullopt;
  }
  errno = 0;
  if (!std::ifstream(resolved, std::ios::binary)) {
    issue(node.where, path, file_in_quotes(resolved) + " cannot be read: " + std::strerror(errno));
    return std::nullopt;
  }
  return resolved;
}

std::optional<uint64_t> reader::element(const yaml_node& node, const std::string& path, element_type type) {
  if (!node.is_scalar() || node.quoted) {
    issue(node.where, path,
          (is_real(type) ? "expected a number, got " : "expected an integer, got ") + node.describe());
    return std::nullopt;
  }
  uint64_t bits = 0;
  if (const auto problem = parse_element(type, node.text, bits)) {
    issue(node.where, path, *problem);
    return std::nullopt;
  }
  return bits;
}

std::optional<std::vector<uint64_t>> reader::elements(const yaml_node& node, const std::string& path,
                                                      element_type type) {
  return each_of(*this, node, path, [&](const yaml_node& n, const std::string& p) { return element(n, p, type); });
}

}  // namespace pws::platform
