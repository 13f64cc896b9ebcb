// SPDX-License-Identifier: Apache-2.0
// Requests about variables: which containers of them a path has, and the lane that is looked at.
#include <fmt/format.h>

#include "base/error.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

int64_t session::reference(container c) {
  containers_[++latest_number_] = std::move(c);
  return latest_number_;
}

const session::container& session::container_of(int64_t reference) const {
  const auto known = containers_.find(reference);
  if (known == containers_.end()) throw input_error(fmt::format("there are no variables {} now", reference));
  return known->second;
}

session::reply session::scopes(const json& a) {
  number_in(a, "frameId");
  const thread_row& t = thread_of_frame(a);
  json all = json::array();
  const auto add = [&](const char* name, container_kind kind, bool is_expensive = false) -> json& {
    all.push_back(
        {{"name", name}, {"variablesReference", reference({kind, t.id, 0, "", {}, {}})}, {"expensive", is_expensive}});
    return all.back();
  };
  if (t.at) {
    const isa::wave_state& s = t.at.context->state;
    scene here = scene_of_frame(a);
    if (!t.is_stacked && !variables_in(here).empty()) {
      add("Locals", container_kind::locals)["presentationHint"] = "locals";
      containers_[latest_number_].names = here.frame;
    }
    add("Path", container_kind::path);
    json& vectors = add("Vector registers", container_kind::vectors);
    vectors["presentationHint"] = "registers";
    vectors["namedVariables"] = s.n_vgprs;
    add("Scalar registers", container_kind::scalars)["presentationHint"] = "registers";
    if (s.lds_bytes >= sizeof(uint32_t))
      add("LDS", container_kind::lds)["indexedVariables"] = s.lds_bytes / sizeof(uint32_t);
    add("Divergence scheme", container_kind::scheme);
  }
  add("Buffers", container_kind::buffers);
  add("Counters", container_kind::counters, true);
  return json{{"scopes", all}};
}

session::reply session::variables(const json& a) {
  return json{{"variables", variables_of(container_of(number_in(a, "variablesReference")), a)}};
}

json session::variables_of(const container& c, const json& a) {
  const std::string filter = text_if_in(a, "filter").value_or("");
  if (!filter.empty() && filter != "indexed" && filter != "named")
    throw input_error(fmt::format("there is no filter {}", filter));
  const bool is_array = c.object && loader::has_elements(c.object->type->kind);
  const bool is_indexed = c.kind == container_kind::lanes || c.kind == container_kind::elements ||
                          c.kind == container_kind::lds || is_array;
  if (!filter.empty() && is_indexed != (filter == "indexed")) return json::array();
  const thread_row& t = thread(c.thread);
  switch (c.kind) {
    case container_kind::path:
      return path_variables(t);
    case container_kind::locals:
      return local_variables(c, t);
    case container_kind::parts:
      return part_variables(c, t, a);
    case container_kind::scalars:
      return scalar_variables(t);
    case container_kind::vectors:
      return vector_variables(t);
    case container_kind::lanes:
      return lane_variables(c, t, a);
    case container_kind::buffers:
      return buffer_variables(t);
    case container_kind::elements:
      return element_variables(c, a);
    case container_kind::lds:
      return lds_variables(t, a);
    case container_kind::scheme:
      return scheme_variables(t);
    case container_kind::counters:
      return counter_variables();
  }
  return json::array();
}

void session::choose_lane(const thread_row& t, const std::string& text) {
  const value v = expression::parse(text).evaluate(scene_of(t));
  if (v.real || v.integer < 0 || v.integer >= isa::wave_size)
    throw input_error(fmt::format("there is no lane {}: a wavefront has lanes 0 to {}", text, isa::wave_size - 1));
  chosen_lanes_[t.id] = static_cast<int>(v.integer);
  if (console_.selection() == t.at && !t.is_stacked) console_.select(t.at, lane_of(t));
  if (can_invalidate_) after("invalidated", {{"areas", {"variables"}}, {"threadId", t.id}});
}

session::reply session::set_variable(const json& a) {
  const container c = container_of(number_in(a, "variablesReference"));
  const std::string name = text_in(a, "name"), text = text_in(a, "value");
  if (c.kind != container_kind::path || name != "lane")
    throw input_error(fmt::format("{} cannot be changed: lane can, which is the one that is looked at", name));
  const thread_row& t = thread(c.thread);
  choose_lane(t, text);
  return json{{"value", fmt::format("{}", lane_of(t))}};
}

}  // namespace pws::platform::debug::dap
