// SPDX-License-Identifier: Apache-2.0
// What is in the containers of the source's variables.
#include <fmt/format.h>

#include "base/error.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

json session::object_json(const typed_object& o, const std::string& expression, const thread_row& t, const scene& s) {
  json v{{"value", debug::text_of(o, s)},
         {"type", o.type->name},
         {"variablesReference", 0},
         {"presentationHint", {{"attributes", {"readOnly"}}}}};
  if (!missing_text(o, s).empty()) return v;
  try {
    const typed_object whole = without_reference(o, s);
    if (const uint64_t count = count_of_parts(whole); count != 0) {
      v["variablesReference"] = reference({container_kind::parts, t.id, 0, expression, s.frame, whole});
      v[loader::has_elements(whole.type->kind) ? "indexedVariables" : "namedVariables"] = count;
    }
    if (const memory_place m = memory_of(o, s); m.bytes != 0)
      v["memoryReference"] = m.lds ? fmt::format("lds:{}:{:#x}", t.id, m.begin) : fmt::format("{:#x}", m.begin);
  } catch (const input_error&) {  // a reference that leads nowhere
  }
  return v;
}

json session::local_variables(const container& c, const thread_row& t) {
  scene s = scene_of(t);
  s.frame = c.names;
  json all = json::array();
  for (const visible_variable& v : variables_in(s)) {
    const std::string expression = expression_of(v, s);
    json row = object_json(object_of(s, *v.variable), expression, t, s);
    row["value"] = shown_value(v, s);
    row["name"] = v.variable->name + (v.is_hidden ? " (hidden)" : "");
    if (!expression.empty()) row["evaluateName"] = expression;
    all.push_back(std::move(row));
  }
  return all;
}

json session::part_variables(const container& c, const thread_row& t, const json& a) {
  scene s = scene_of(t);
  s.frame = c.names;
  const auto [begin, end] = wanted_part(a, count_of_parts(*c.object));
  json all = json::array();
  const std::string whole = c.name;
  for (const object_part& p : parts_of(*c.object, begin, end, s)) {
    json row = object_json(p.object, whole.empty() ? "" : whole + p.name, t, s);
    row["name"] = p.name[0] == '.' ? p.name.substr(1) : p.name;
    if (!whole.empty()) row["evaluateName"] = whole + p.name;
    all.push_back(std::move(row));
  }
  return all;
}

}  // namespace pws::platform::debug::dap
