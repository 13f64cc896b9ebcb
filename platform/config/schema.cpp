// SPDX-License-Identifier: Apache-2.0
#include "platform/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "platform/config/values/text.h"

namespace pws::platform {

namespace detail {

void require_fits(const std::string& name, const limits& range, const limits& type) {
  if (range.min >= type.min && range.max <= type.max && range.min <= range.max) return;
  std::fprintf(stderr, "schema: the range of %s is not one of its member's type\n", name.c_str());
  std::abort();
}

std::string list_text(const std::vector<std::string>& items) {
  return "[" + joined(items) + "]";
}

std::string hex_text(const std::string& decimal) {
  return fmt::format("{:#x}", std::stoull(decimal));
}

std::string real_text(double value) {
  return fmt::format("{}", value);
}

}  // namespace detail

bool schema_key::read_from(const yaml_node& mapping, const std::string& path, void* to, reader& read) const {
  const yaml_node* value = about_.required ? needed_in(mapping, path, read) : in(mapping);
  return value == nullptr ? !about_.required : read_value(*value, path_join(path, name()), to, read);
}

bool schema_key::read_value(const yaml_node& value, const std::string& path, void* to, reader& read) const {
  const value_at v{value, path, about_, read};
  bool good = read_(v, to);
  if (good && then_) {
    const size_t before = read.issues().size();
    then_(v, to);
    good = read.issues().size() == before;
  }
  if (read.watch && !is_group_) read.watch(path, value.where, good);
  return good;
}

void schema_base::add(std::unique_ptr<schema_key> key) {
  for (const auto& other : keys_) {
    if (other->name() != key->name()) continue;
    std::fprintf(stderr, "schema: key %s is there twice\n", key->name().c_str());
    std::abort();
  }
  keys_.push_back(std::move(key));
}

std::vector<std::string> schema_base::names() const {
  std::vector<std::string> all;
  for (const auto& key : keys_) all.push_back(key->name());
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

std::vector<std::string> schema_base::alternatives() const {
  std::vector<std::string> all;
  for (const schema_key* key : alternatives_) all.push_back(key->name());
  return all;
}

void schema_base::describe(const std::string& prefix, const void* object, std::vector<field>& out) const {
  for (const auto& key : keys_) {
    const std::string path = prefix + key->name();
    if (key->listed_) {
      out.push_back(key->about_);
      out.back().path = path;
      if (key->text_ && !key->about_.required && !key->about_.default_in_words)
        out.back().default_text = key->text_(object);
    }
    if (key->list_below_) key->list_below_(path + ".", object, out);
  }
}

std::vector<const schema_key*> schema_base::reading_order(const yaml_node& mapping, const reader& read) const {
  std::vector<const schema_key*> order;
  for (const auto& key : keys_) order.push_back(key.get());
  const auto place = [&mapping, &read](const schema_key* key) {
    if (!read.as_written) return static_cast<size_t>(key->step_);
    size_t k = 0;
    while (k < mapping.entries.size() && mapping.entries[k].key != key->name()) ++k;
    return k;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const schema_key* a, const schema_key* b) { return place(a) < place(b); });
  return order;
}

bool schema_base::read_alternatives(const yaml_node& mapping, const std::string& path, void* to, reader& read) const {
  const auto of = [this](const std::string& name) {
    return std::find_if(alternatives_.begin(), alternatives_.end(),
                        [&](const schema_key* key) { return key->name() == name; });
  };
  const yaml_entry* found = nullptr;
  for (const yaml_entry& entry : mapping.entries) {
    if (of(entry.key) == alternatives_.end()) continue;
    if (found != nullptr) {
      read.issue(entry.where, path_join(path, entry.key), "cannot stand beside " + found->key + "; give one of them");
      return false;
    }
    found = &entry;
  }
  if (found != nullptr) return (*of(found->key))->read_value(found->value, path_join(path, found->key), to, read);
  read.issue(mapping.where, path, "needs one of " + joined(alternatives()));
  return false;
}

bool schema_base::read(const yaml_node& mapping, const std::string& path, void* to, reader& read) const {
  if (!read.mapping(mapping, path)) return false;
  read.keys(mapping, path, names());
  bool good = true, chosen = false;
  for (const schema_key* key : reading_order(mapping, read)) {
    const bool alternative = std::find(alternatives_.begin(), alternatives_.end(), key) != alternatives_.end();
    if (!alternative) {
      good = key->read_from(mapping, path, to, read) && good;
    } else if (!chosen) {
      if (!read_alternatives(mapping, path, to, read)) return false;
      chosen = true;
    }
  }
  return good;
}

}  // namespace pws::platform
