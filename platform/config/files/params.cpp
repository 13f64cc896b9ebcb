// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/params.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/error.h"
#include "platform/config/files/file_kinds.h"
#include "platform/config/machine_schema.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

// As one writes it in messages and for --set: the name itself.
std::string written(std::string path) {
  for (size_t star = path.find('*'); star != std::string::npos; star = path.find('*')) path.replace(star, 1, "NAME");
  return path;
}

constexpr size_t meaning_column = 36;

// "integer, default 4, 1..64 cycle"
std::string facts_of(const field& f) {
  std::string text = f.type_text();
  if (f.required)
    text += ", required";
  else if (!f.default_text.empty())
    text += ", default " + f.default_text;
  const std::string range = f.range_text();
  if (!range.empty()) text += ", " + range;
  if (!f.unit.empty()) text += (range.empty() ? ", in " : " ") + f.unit;
  return text;
}

void print_row(std::ostream& out, const field& f) {
  out << labelled(written(f.path), meaning_column, facts_of(f)) << labelled("", meaning_column, f.help);
}

constexpr const char* notes =
    "NAME is an element of a list, or a name of your own. Integers may be hexadecimal (0x40) or end in\n"
    "Ki, Mi, Gi. File names are relative to the file that they stand in.";

// Whether a path is what somebody who asks for `key` means: all of it, or its end from a dot on.
bool is_meant(const std::string& path, const std::string& key) {
  if (path.size() < key.size() || path.compare(path.size() - key.size(), key.size(), key) != 0) return false;
  return path.size() == key.size() || path[path.size() - key.size() - 1] == '.';
}

void print_field(std::ostream& out, const field& f, file_kind kind) {
  const auto row = [&out](const char* label, const std::string& text) {
    constexpr size_t text_column = 11;
    if (!text.empty()) out << labelled(std::string("  ") + label, text_column, text);
  };
  fmt::print(out, "{}\n", written(f.path));
  row("file", name_of(kind));
  row("type", f.type_text());
  row("default", f.required ? "none: it has to be given" : f.default_text);
  row("unit", f.unit);
  row("range", f.range_text());
  row("meaning", f.help);
}

nlohmann::ordered_json json_of(const field& f) {
  const auto text = [](const std::string& t) {
    return t.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(t);
  };
  nlohmann::ordered_json j = {
      {"key", written(f.path)}, {"type", f.type_text()},
      {"required", f.required}, {"default", f.required ? nlohmann::ordered_json() : text(f.default_text)},
      {"unit", text(f.unit)},   {"range", text(f.range_text())},
      {"choices", f.choices},   {"meaning", text(f.help)}};
  return j;
}

}  // namespace

void print_params(std::ostream& out) {
  for (const auto& [kind, name] : enumerators(file_kind{})) {
    out << (kind == file_kind::machine ? "" : "\n") << wrapped(purpose_of(kind) + std::string(":"), 0) << "\n\n";
    for (const field& f : own_fields(kind)) print_row(out, f);
  }
  fmt::print(out, "\n{}\n", notes);
}

void print_key(std::ostream& out, const std::string& key) {
  const std::string in_file = key.compare(0, 8, "machine.") == 0 ? key.substr(8) : key;
  std::vector<std::string> known;
  bool found = false;
  for (const auto& [kind, name] : enumerators(file_kind{})) {
    std::vector<std::string> meant;
    for (const field& f : own_fields(kind)) {
      const std::string path = written(f.path);
      known.push_back(path);
      if (is_meant(path, key) || (kind == file_kind::machine && is_meant(path, in_file))) meant.push_back(path);
      // A group of keys, `memory.dram`, need not be one itself.
      const bool below = path.compare(0, in_file.size() + 1, in_file + ".") == 0 ||
                         std::any_of(meant.begin(), meant.end(),
                                     [&](const std::string& m) { return path.compare(0, m.size() + 1, m + ".") == 0; });
      if (!below && (meant.empty() || meant.back() != path)) continue;
      if (found) out << '\n';
      found = true;
      print_field(out, f, kind);
    }
  }
  if (!found) throw input_error(fmt::format("there is no key {}{}", in_quotes(key), did_you_mean(in_file, known)));
}

nlohmann::ordered_json params_json() {
  nlohmann::ordered_json j;
  for (const auto& [kind, name] : enumerators(file_kind{})) {
    j[name]["purpose"] = purpose_of(kind);
    j[name]["keys"] = nlohmann::ordered_json::array();
    for (const field& f : file_fields(kind)) j[name]["keys"].push_back(json_of(f));
  }
  return j;
}

void print_params_yaml(std::ostream& out) {
  out << "# A machine with every key at its default; a machine file may leave out any of them.\n"
         "# `pwsvp params` lists them with the keys of run files.\n";
  std::vector<std::string> open;  // mappings that the last line was in
  for (const field& f : machine_fields()) {
    std::vector<std::string> keys;
    std::string_view rest = f.path;
    for (size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      keys.emplace_back(rest.substr(0, dot));
      rest.remove_prefix(dot + 1);
    }
    const auto common = std::mismatch(keys.begin(), keys.end(), open.begin(), open.end()).first - keys.begin();
    for (size_t k = static_cast<size_t>(common); k < keys.size(); ++k)
      out << std::string(2 * k, ' ') << keys[k] << ":\n";
    open = keys;
    std::string facts = f.range_text();
    if (!f.choices.empty()) facts = f.type_text();
    if (!f.unit.empty()) facts += (facts.empty() ? "unit: " : "; unit: ") + f.unit;
    out << fmt::format("{}{}: {}  # {} ({})\n", std::string(2 * keys.size(), ' '), rest, f.default_text, f.help, facts);
  }
}

}  // namespace pws::platform
