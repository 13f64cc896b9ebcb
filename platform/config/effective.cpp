// SPDX-License-Identifier: Apache-2.0
#include "platform/config/effective.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>

#include "platform/config/key_node.h"
#include "platform/config/reader.h"
#include "platform/config/values/text.h"
#include "platform/config/yaml_text.h"

namespace pws::platform {

namespace {

using nlohmann::ordered_json;

bool is_number(const std::string& text) {
  double value = 0;
  return parse_real(text, value) == number_status::ok;
}

// Nothing where the default is not a value that could stand there.
std::optional<yaml_node> default_of(const field& f) {
  yaml_node node;
  if (f.default_text.empty()) {
    if (f.may_be_nothing && !f.required) return node;
    return std::nullopt;
  }
  if (f.required) return std::nullopt;
  const bool list = f.default_text.front() == '[';
  if (f.default_in_words && !list && !is_number(f.default_text)) return std::nullopt;
  issue_list issues("");
  if (!parse_yaml_override(f.default_text, f.path, node, issues) || !issues.empty()) return std::nullopt;
  return node;
}

effective_value leaf(std::string key, yaml_node value, const field& about, std::string from) {
  effective_value v;
  v.key = std::move(key);
  v.what = effective_value::form::leaf;
  v.value = std::move(value);
  v.about = about;
  v.from = std::move(from);
  return v;
}

class builder {
 public:
  // `node`: nullptr where the mapping is not given; its values are moved.
  static void mapping(yaml_node* node, const key_node& keys, std::vector<effective_value>& out) {
    for (const auto& [name, key] : keys.below) {
      if (name == "*") {
        if (node == nullptr) continue;
        for (yaml_entry& e : node->entries) given(e.key, e.value, key, out);
        continue;
      }
      yaml_node* value = node == nullptr ? nullptr : node->find(name);
      if (value != nullptr)
        given(name, *value, key, out);
      else
        absent(name, key, out);
    }
  }

 private:
  static void given(const std::string& name, yaml_node& value, const key_node& key, std::vector<effective_value>& out) {
    static const field unknown;
    if (key.below.empty() || value.is_scalar() || (value.is_list() && key.below.front().first != "*") ||
        (value.is_list() && value.items.empty())) {
      std::string from = value.where.text();
      out.push_back(leaf(name, std::move(value), key.about == nullptr ? unknown : *key.about, std::move(from)));
      return;
    }
    effective_value v;
    v.key = name;
    if (value.is_list()) {
      v.what = effective_value::form::list;
      for (yaml_node& item : value.items) given("", item, key.below.front().second, v.below);
    } else {
      mapping(&value, key, v.below);
    }
    if (!v.below.empty()) out.push_back(std::move(v));
  }

  static void absent(const std::string& name, const key_node& key, std::vector<effective_value>& out) {
    const bool group = key.about == nullptr || key.about->default_text == "{}";
    if (!key.below.empty() && group) {
      effective_value v;
      v.key = name;
      mapping(nullptr, key, v.below);
      if (!v.below.empty()) out.push_back(std::move(v));
      return;
    }
    if (key.about == nullptr) return;
    if (auto value = default_of(*key.about)) out.push_back(leaf(name, std::move(*value), *key.about, "default"));
  }
};

// By what the key is: a number as a number, a list as a list.
ordered_json value_json(const yaml_node& node, const field& f) {
  const bool list = f.kind == field_kind::integer_list || f.kind == field_kind::text_list;
  if (node.is_list() || (list && node.is_scalar())) {
    field one = f;
    if (f.kind == field_kind::integer_list) one.kind = field_kind::integer;
    if (f.kind == field_kind::text_list) one.kind = field_kind::text;
    ordered_json all = ordered_json::array();
    if (node.is_scalar()) all.push_back(value_json(node, one));
    for (const yaml_node& item : node.items) all.push_back(value_json(item, one));
    return all;
  }
  if (node.type == yaml_node::kind::null) return nullptr;
  if (!node.is_scalar()) return flow_text(node);
  if (node.quoted) return node.text;
  const bool number = f.kind == field_kind::integer || f.kind == field_kind::real || !f.type_name.empty();
  int128 integer = 0;
  double real = 0;
  if (number && parse_integer(node.text, integer) == number_status::ok) return ordered_json::parse(to_text(integer));
  if (number && parse_real(node.text, real) == number_status::ok && std::isfinite(real)) return real;
  if (f.kind == field_kind::boolean) return node.text == "true";
  if (f.kind == field_kind::file && !node.text.empty()) return resolved_path(node.where, node.text);
  return node.text;
}

std::string yaml_value(const effective_value& v) {
  if ((v.about.kind == field_kind::file || v.about.is_written) && v.value.is_scalar())
    return nlohmann::json(std::filesystem::absolute(resolved_path(v.value.where, v.value.text)).string()).dump();
  return flow_text(v.value);
}

void print_below(std::ostream& out, const effective_value& v, size_t depth) {
  const std::string indent(2 * depth, ' ');
  for (const effective_value& b : v.below) {
    out << indent << (b.key.empty() ? "-" : scalar_text(b.key) + ":");
    if (b.what == effective_value::form::leaf) {
      out << ' ' << yaml_value(b) << "  # " << printable(b.from) << '\n';
    } else {
      out << '\n';
      print_below(out, b, depth + 1);
    }
  }
}

}  // namespace

void effective_value::files(std::vector<std::string>& out) const {
  if (what == form::leaf && about.kind == field_kind::file && value.is_scalar() && !value.text.empty())
    out.push_back(resolved_path(value.where, value.text));
  for (const effective_value& b : below) b.files(out);
}

effective_value effective(yaml_node root, const std::vector<field>& fields) {
  key_node keys;
  for (const field& f : fields) keys.at(f.path).about = &f;
  effective_value v;
  builder::mapping(&root, keys, v.below);
  return v;
}

ordered_json to_json(const effective_value& v) {
  if (v.what == effective_value::form::leaf) {
    ordered_json j = {{"value", value_json(v.value, v.about)}};
    if (!v.about.unit.empty()) j["unit"] = v.about.unit;
    j["origin"] = v.from;
    return j;
  }
  const bool list = v.what == effective_value::form::list;
  ordered_json j = list ? ordered_json::array() : ordered_json::object();
  for (const effective_value& b : v.below)
    if (list)
      j.push_back(to_json(b));
    else
      j[b.key] = to_json(b);
  return j;
}

void print_yaml(std::ostream& out, const effective_value& root) {
  print_below(out, root, 0);
}

void merge(yaml_node& under, const yaml_node& over) {
  if (!under.is_mapping() || !over.is_mapping()) {
    under = over;
    return;
  }
  for (const yaml_entry& e : over.entries)
    if (yaml_node* found = under.find(e.key))
      merge(*found, e.value);
    else
      under.entries.push_back(e);
}

}  // namespace pws::platform
