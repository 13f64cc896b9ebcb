// SPDX-License-Identifier: Apache-2.0
// A YAML file as a plain tree in which every key and value knows its place. Built from yaml-cpp's events and not from
// its nodes, because those lose the places of keys, merge duplicate keys and share aliased values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/config_error.h"

namespace pws::platform {

struct yaml_entry;

// A value of any kind.
struct yaml_node {
  // What it is.
  enum class kind { null, scalar, list, mapping };

  kind type = kind::null;
  bool quoted = false;              // a scalar in quotes or a block scalar: never a number
  std::string text;                 // of a scalar
  std::vector<yaml_node> items;     // of a list
  std::vector<yaml_entry> entries;  // of a mapping, in file order, keys unique
  origin where;                     // of the value; of its key where there is no value

  bool is_mapping() const { return type == kind::mapping; }
  bool is_list() const { return type == kind::list; }
  bool is_scalar() const { return type == kind::scalar; }
  const yaml_node* find(std::string_view key) const;  // nullptr if there is no such key
  yaml_node* find(std::string_view key);              // nullptr: the mapping has no such key
  // "a mapping", "a list", "nothing", "the text 'x'": for messages.
  std::string describe() const;
};

// A key of a mapping.
struct yaml_entry {
  std::string key;
  origin where;  // of the key
  yaml_node value;
};

// Limits that keep hostile files cheap.
constexpr size_t yaml_max_bytes = size_t{16} << 20;
constexpr size_t yaml_max_depth = 32;
constexpr size_t yaml_max_keys = 4096;              // of one mapping
constexpr size_t yaml_max_aliased_values = 10'000;  // values that aliases (*name) copy in all of a file

// A configuration by its file, or by its text, which has a name for messages. Files that the text names are relative to
// the working directory.
struct yaml_source {
  yaml_source(std::string file) : name(std::move(file)) {}  // the file itself is what most have
  yaml_source(const char* file) : name(file) {}
  yaml_source(std::string named, std::string contents) : name(std::move(named)), text(std::move(contents)) {}

  std::string name;
  std::optional<std::string> text;  // nothing: what the file has
};

// Parses one YAML document. Problems (not readable, not UTF-8, not YAML, several documents, duplicate keys, tags, ...)
// are added to `issues`; false if there is no usable tree. `prefix` is put in front of the paths in messages.
bool parse_yaml_file(const yaml_source& from, const std::string& prefix, yaml_node& root, issue_list& issues);

// The same for the value of an override; every place in it is "--set".
bool parse_yaml_override(const std::string& text, const std::string& path, yaml_node& root, issue_list& issues);

}  // namespace pws::platform
