// SPDX-License-Identifier: Apache-2.0
// A configuration as it is in effect: every key with its value and where that is from, the defaults included. Made of
// the tree that was read and the list of keys (the fields of schemas), so that a key that can be read is in it.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/config/field.h"
#include "platform/config/yaml_tree.h"

namespace pws::platform {

// A node of a configuration as it is in effect.
struct effective_value {
  // What kind of node it is.
  enum class form : uint8_t { leaf, mapping, list };

  std::string key;  // empty: an element of a list
  form what = form::mapping;
  std::vector<effective_value> below;  // of a mapping or a list
  // Set for a leaf only:
  yaml_node value;
  field about;
  std::string from;  // "file:line:column", "--set", "default"

  // The values of keys of this kind, which are files.
  void files(std::vector<std::string>& out) const;
};

// `fields`: their paths are from the root. Defaults that are words ("the rest") and no value are left out.
effective_value effective(yaml_node root, const std::vector<field>& fields);

// {KEY: {"value": 16, "unit": "KiB", "origin": "default"}}
nlohmann::ordered_json to_json(const effective_value& v);

// A YAML file that reads the same from any folder, each value with its origin as a comment.
void print_yaml(std::ostream& out, const effective_value& root);

// Values of `over` in place of those of `under`: a mapping's keys each by itself, all else as a whole.
void merge(yaml_node& under, const yaml_node& over);

}  // namespace pws::platform
