// SPDX-License-Identifier: Apache-2.0
#include "platform/config/overrides.h"

#include <algorithm>

#include "platform/config/reader.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts;
  size_t at = 0;
  for (size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', at)) {
    parts.push_back(path.substr(at, dot - at));
    at = dot + 1;
  }
  parts.push_back(path.substr(at));
  return parts;
}

void make_mapping(yaml_node& node) {
  node = yaml_node{};
  node.type = yaml_node::kind::mapping;
}

bool matches(const std::vector<std::string>& parts, size_t n, const std::string& place) {
  const std::vector<std::string> wanted = split_path(place);
  return wanted.size() == n &&
         std::equal(wanted.begin(), wanted.end(), parts.begin(),
                    [](const std::string& want, const std::string& part) { return want == "*" || want == part; });
}

// Removes what cannot stand beside `key` in the mapping that the first `n` parts lead to.
void drop_alternatives(yaml_node& node, const std::vector<std::string>& parts, size_t n, const override_rules& rules) {
  const std::string& key = parts[n];
  for (const override_rules::group& group : rules.alternatives) {
    const auto in_group = [&group](const std::string& k) {
      return std::find(group.keys.begin(), group.keys.end(), k) != group.keys.end();
    };
    if (!matches(parts, n, group.place) || !in_group(key)) continue;
    const auto other = [&](const yaml_entry& entry) { return entry.key != key && in_group(entry.key); };
    node.entries.erase(std::remove_if(node.entries.begin(), node.entries.end(), other), node.entries.end());
  }
}

yaml_node* list_element(yaml_node& list, const std::string& part, const std::string& path, issue_list& issues) {
  if (!part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == std::string::npos) {
    const size_t index = std::stoul(part);
    if (index < list.items.size()) return &list.items[index];
    issues.add(origin(), path, "the list has only " + std::to_string(list.items.size()) + " elements");
    return nullptr;
  }
  std::vector<std::string> names;
  for (yaml_node& item : list.items) {
    const yaml_node* name = item.find("name");
    if (name == nullptr || !name->is_scalar()) continue;
    if (name->text == part) return &item;
    names.push_back(name->text);
  }
  issues.add(origin(), path, "the list has no element of that name" + did_you_mean(part, names));
  return nullptr;
}

// An override that has been put into the tree.
struct applied {
  std::string path;  // elements of lists by their index, whatever they were named by
  std::string text;
};

bool is_below(const std::string& path, const std::string& other) {
  return path.size() > other.size() && path.compare(0, other.size(), other) == 0 && path[other.size()] == '.';
}

void apply(yaml_node& root, const std::string& override_text, issue_list& issues, const override_rules& rules,
           std::vector<applied>& earlier) {
  const size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    issues.add(origin(), "", "expected path=value, got " + in_quotes(override_text));
    return;
  }
  const std::string path = override_text.substr(0, equals);
  const std::string shown = printable(path);
  const std::vector<std::string> parts = split_path(path);
  if (parts.size() > yaml_max_depth || std::find(parts.begin(), parts.end(), "") != parts.end()) {
    issues.add(origin(), shown,
               "the path must be keys joined by single dots, at most " + std::to_string(yaml_max_depth));
    return;
  }
  yaml_node value;
  if (equals + 1 == override_text.size()) {
    issues.add(origin(), shown, "there is no value after the equals sign");
    return;
  }
  if (!parse_yaml_override(override_text.substr(equals + 1), shown, value, issues)) return;

  // Nothing that is set is dropped without a word.
  const auto would_drop = [&](const applied& a, const std::string& advice) {
    issues.add(
        origin(), shown,
        printable(override_text) + " would drop " + printable(a.text) + ", which is set in front of it: " + advice);
  };
  yaml_node* node = &root;
  std::string so_far, place;
  for (size_t k = 0; k < parts.size(); ++k) {
    so_far = path_join(so_far, parts[k]);
    if (node->is_list()) {
      const yaml_node* const first = node->items.data();
      node = list_element(*node, parts[k], so_far, issues);
      if (node == nullptr) return;
      place = path_join(place, std::to_string(node - first));
      continue;
    }
    if (k == 1 && parts[0] == rules.short_key && node->is_scalar()) {
      yaml_node scalar = *node;
      make_mapping(*node);
      node->where = scalar.where;
      node->entries.push_back({rules.short_for, scalar.where, std::move(scalar)});
    }
    if (node->is_scalar())
      for (const applied& a : earlier)
        if (a.path == place) return would_drop(a, "set one of them");
    if (!node->is_mapping()) make_mapping(*node);
    place = path_join(place, parts[k]);
    drop_alternatives(*node, parts, k, rules);
    if (yaml_node* found = node->find(parts[k])) {
      node = found;
    } else {
      node->entries.push_back({parts[k], origin(), yaml_node{}});
      node = &node->entries.back().value;
    }
  }
  for (const applied& a : earlier)
    if (is_below(a.path, place)) return would_drop(a, "set " + shown + " first");
  earlier.push_back({place, override_text});
  *node = std::move(value);
}

}  // namespace

void apply_overrides(yaml_node& root, const std::vector<std::string>& overrides, issue_list& issues,
                     const override_rules& rules) {
  std::vector<applied> earlier;
  for (const std::string& one : overrides) apply(root, one, issues, rules, earlier);
}

}  // namespace pws::platform
