// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "platform/config/files/params.h"
#include "platform/config/key_node.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

using nlohmann::ordered_json;

ordered_json any_of(std::vector<ordered_json> all) {
  if (all.size() == 1) return all.front();
  return {{"anyOf", std::move(all)}};
}

ordered_json integer_schema(const field& f) {
  if (!f.choices.empty()) {
    ordered_json all = ordered_json::array();
    for (const std::string& c : f.choices) all.push_back(std::strtoll(c.c_str(), nullptr, 10));
    return {{"enum", all}};
  }
  ordered_json plain = {{"type", "integer"}};
  if (!f.range_text().empty()) {
    plain["minimum"] = ordered_json::parse(to_text(f.min));
    plain["maximum"] = ordered_json::parse(to_text(f.max));
  }
  return any_of({plain, {{"type", "string"}, {"pattern", "^-?(0[xX][0-9a-fA-F]+|[0-9]+)([KMG]i)?$"}}});
}

ordered_json value_schema(const field& f, field_kind kind) {
  const ordered_json scalar = {{"type", {"string", "number", "boolean", "null"}}};
  switch (kind) {
    case field_kind::integer:
      return integer_schema(f);
    case field_kind::integer_list:
      return {{"type", "array"}, {"items", integer_schema(f)}};
    case field_kind::real:
      return {{"type", {"number", "string"}}};  // .inf, 1e400: for the reader to say
    case field_kind::boolean:
      return {{"type", "boolean"}};
    case field_kind::choice:
      return {{"enum", f.choices}};
    case field_kind::text_list:
      return {{"type", "array"}, {"items", scalar}};
    case field_kind::text:
    case field_kind::file:
      break;
    case field_kind::mapping:
      return {{"type", "object"}};
    case field_kind::list:
      return {{"type", "array"}};
  }
  return scalar;
}

ordered_json schema_of(const key_node& node);

ordered_json mapping_schema(const key_node& node) {
  ordered_json j = {{"type", "object"}};
  ordered_json required = ordered_json::array();
  for (const auto& [name, below] : node.below) {
    if (name == "*") {
      j["additionalProperties"] = schema_of(below);
      return j;
    }
    j["properties"][name] = schema_of(below);
    if (below.about != nullptr && below.about->required) required.push_back(name);
  }
  j["additionalProperties"] = false;
  if (!required.empty()) j["required"] = std::move(required);
  return j;
}

// "meaning (unit); default: x".
std::string description_of(const field& f) {
  std::string text = f.help;
  if (!f.unit.empty()) text += (text.empty() ? "unit: " : "; unit: ") + f.unit;
  if (!f.required && !f.default_text.empty()) text += (text.empty() ? "default: " : "; default: ") + f.default_text;
  return text;
}

ordered_json schema_of(const key_node& node) {
  const field* f = node.about;
  std::vector<ordered_json> forms;
  if (f != nullptr && f->kind == field_kind::list && !node.below.empty()) {
    forms.push_back({{"type", "array"}, {"items", schema_of(node.below.front().second)}});
  } else if (!node.below.empty()) {
    if (f != nullptr && f->kind != field_kind::mapping) forms.push_back(value_schema(*f, f->kind));
    forms.push_back(mapping_schema(node));
  } else if (f != nullptr) {  // a key is a field, or there are keys below it
    forms.push_back(value_schema(*f, f->kind));
  }
  if (f != nullptr && f->short_form)
    forms.push_back(f->short_form == field_kind::text ? ordered_json{{"type", "string"}}
                                                      : value_schema(*f, *f->short_form));
  if (f != nullptr && f->may_be_nothing) forms.push_back({{"type", "null"}});
  ordered_json j = any_of(std::move(forms));
  if (f != nullptr)
    if (const std::string text = description_of(*f); !text.empty()) j["description"] = text;
  return j;
}

}  // namespace

ordered_json json_schema(file_kind kind) {
  const std::vector<field> fields = file_fields(kind);
  key_node root;
  for (const field& f : fields) root.at(f.path).about = &f;
  ordered_json j = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", purpose_of(kind)}};
  j.update(mapping_schema(root));
  // What another experiment gives need not be here.
  if (kind == file_kind::experiment) {
    ordered_json all = std::move(j["required"]);
    j["required"] = {"title"};
    j["anyOf"] = {{{"required", {"like"}}}, {{"required", std::move(all)}}};
  }
  return j;
}

}  // namespace pws::platform
