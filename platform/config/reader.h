// SPDX-License-Identifier: Apache-2.0
// Reads single values from a tree as their field describes them. Every function adds an issue and returns nothing (or
// false) where the value is not what the field wants.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/field.h"
#include "platform/config/values/element_type.h"
#include "platform/config/yaml_tree.h"

namespace pws::platform {

// "a.b" from "a" and "b"; "b" from "" and "b".
std::string path_join(const std::string& path, std::string_view key);

// The file that a value names: relative to the directory of the file it stands in; of an override, to the working
// directory.
std::string resolved_path(const origin& where, const std::string& name);

class reader {
 public:
  explicit reader(issue_list& issues) : issues_(issues) {}

  void issue(const origin& where, const std::string& path, std::string problem) {
    issues_.add(where, path, std::move(problem));
  }

  issue_list& issues() { return issues_; }

  // How a schema reads with it.
  bool as_written = false;             // values in the order of the file, not of the schema
  std::vector<std::string> elsewhere;  // whole paths; an unknown key may be the last part of one
  std::function<void(const std::string& path, const origin&, bool good)> watch;  // called for every value

  bool mapping(const yaml_node& node, const std::string& path);
  bool list(const yaml_node& node, const std::string& path);
  // Unknown keys of a mapping.
  void keys(const yaml_node& node, const std::string& path, const std::vector<std::string>& known);
  // The value of a key, or nullptr, with an issue if it is missing and the field requires it.
  const yaml_node* required(const yaml_node& node, const std::string& path, const std::string& key);

  std::optional<uint64_t> integer(const yaml_node& node, const std::string& path, const field& f);
  std::optional<std::vector<uint64_t>> integers(const yaml_node& node, const std::string& path, const field& f);
  std::optional<size_t> choice(const yaml_node& node, const std::string& path, const field& f);  // index
  std::optional<double> real(const yaml_node& node, const std::string& path);
  std::optional<std::string> text(const yaml_node& node, const std::string& path);  // not empty
  std::optional<std::vector<std::string>> texts(const yaml_node& node, const std::string& path);
  std::optional<std::string> file(const yaml_node& node, const std::string& path);  // resolved, readable, regular
  std::optional<uint64_t> element(const yaml_node& node, const std::string& path, element_type type);  // its bits
  std::optional<std::vector<uint64_t>> elements(const yaml_node& node, const std::string& path, element_type type);

 private:
  issue_list& issues_;
};

}  // namespace pws::platform
