// SPDX-License-Identifier: Apache-2.0
// Requests about breakpoints.
#include <fmt/format.h>

#include "base/error.h"
#include "platform/debug/asked_points.h"
#include "platform/debug/dap/session.h"

namespace pws::platform::debug::dap {

namespace {

point_wish wish_of(wish_kind kind, std::string what, const json& from) {
  point_wish w;
  w.kind = kind;
  w.what = std::move(what);
  w.condition = text_if_in(from, "condition").value_or("");
  w.hits = text_if_in(from, "hitCondition").value_or("");
  if (text_if_in(from, "logMessage")) w.refused = "there are no log points";
  return w;
}

}  // namespace

std::string session::recorded_file(const std::string& path) const {
  for (const std::string& f : core_.code().files())
    if (places::is_file(f, path)) return f;
  return path;
}

json session::breakpoint(const placed_wish& w) const {
  json b{{"id", w.id}, {"verified", w.number != 0}};
  if (w.number == 0) {
    b["message"] = w.problem;
    return b;
  }
  if (w.pc != 0) b["instructionReference"] = fmt::format("{:#x}", w.pc);
  if (w.line.line != 0) {
    b["line"] = line_to_client(w.line.line);
    b["source"] = source_json(w.line.file);
  }
  return b;
}

json session::answer_of(const std::vector<placed_wish>& all) const {
  json list = json::array();
  for (const placed_wish& w : all) list.push_back(breakpoint(w));
  return {{"breakpoints", list}};
}

session::reply session::set_breakpoints(const json& a) {
  const json source = object_in(a, "source");
  const auto listing = number_if_in(source, "sourceReference").value_or(0);
  std::vector<uint64_t> addresses;
  std::string file;
  if (listing != 0) {
    const auto known = listings_.find(listing);
    if (known == listings_.end()) throw input_error(fmt::format("there is no source {}", listing));
    const places::range f = core_.code().function_at(known->second);
    addresses = instructions_around(f.begin, 0, static_cast<int64_t>((f.end - f.begin) / 4));
    while (!addresses.empty() && (addresses.back() >= f.end || addresses.back() == 0)) addresses.pop_back();
  } else {
    file = recorded_file(text_in(source, "path"));
  }
  std::vector<point_wish> wanted;
  for (const json& b : list_in(a, "breakpoints")) {
    const int64_t line = number_in(b, "line") + (lines_from_1_ ? 0 : 1);
    if (listing == 0) {
      wanted.push_back(wish_of(wish_kind::line, fmt::format("{}:{}", file, line), b));
    } else {
      const bool is_there = line >= 1 && static_cast<uint64_t>(line) <= addresses.size();
      point_wish w = wish_of(wish_kind::listed, "", b);
      if (is_there)
        w.what = fmt::format("*{:#x}", addresses[static_cast<size_t>(line - 1)]);
      else
        w.refused = fmt::format("the function has {} instructions", addresses.size());
      wanted.push_back(std::move(w));
    }
  }
  return answer_of(wishes_.replace(fmt::format("source {} {}", listing, file), wanted));
}

session::reply session::set_function_breakpoints(const json& a) {
  std::vector<point_wish> wanted;
  for (const json& b : list_in(a, "breakpoints")) wanted.push_back(wish_of(wish_kind::function, text_in(b, "name"), b));
  return answer_of(wishes_.replace("functions", wanted));
}

session::reply session::set_instruction_breakpoints(const json& a) {
  std::vector<point_wish> wanted;
  for (const json& b : list_in(a, "breakpoints")) {
    const std::string reference = text_in(b, "instructionReference");
    const int64_t offset = number_if_in(b, "offset").value_or(0);
    wanted.push_back(wish_of(wish_kind::instruction, fmt::format("*({}) + {}", reference, offset), b));
  }
  return answer_of(wishes_.replace("instructions", wanted));
}

session::reply session::set_data_breakpoints(const json& a) {
  std::vector<point_wish> wanted;
  for (const json& b : list_in(a, "breakpoints")) {
    point_wish w = wish_of(wish_kind::data, text_in(b, "dataId"), b);
    const std::string access = text_if_in(b, "accessType").value_or("write");
    if (access == "read")
      w.access = point_kind::read;
    else if (access == "readWrite")
      w.access = point_kind::access;
    else if (access != "write")
      throw input_error(fmt::format("there is no accessType {}: there are read, write and readWrite", access));
    wanted.push_back(std::move(w));
  }
  return answer_of(wishes_.replace("data", wanted));
}

session::reply session::set_exception_breakpoints(const json& a) {
  std::vector<point_wish> wanted;
  const auto add = [&](const std::string& filter, const json& from) {
    const auto kind = value_named<point_kind>(filter);
    if (!kind || !is_event(*kind))
      throw input_error(fmt::format("there is no filter {}: there are {}", filter, fmt::join(names_of_events(), ", ")));
    wanted.push_back(wish_of(wish_kind::event, filter, from));
  };
  for (const std::string& filter : texts_in(a, "filters")) add(filter, json::object());
  for (const json& option : list_in(a, "filterOptions")) add(text_in(option, "filterId"), option);
  return answer_of(wishes_.replace("events", wanted));
}

session::reply session::data_breakpoint_info(const json& a) {
  std::string text = text_in(a, "name");
  const thread_row* of = nullptr;
  frame_choice names;
  if (const auto r = number_if_in(a, "variablesReference").value_or(0); r != 0) {
    const container& c = container_of(r);
    of = &thread(c.thread);
    if (c.kind == container_kind::elements) text = c.name + text;
    if (c.kind == container_kind::lanes) text = fmt::format("v{}{}", c.number, text);
    if (c.kind == container_kind::lds) text = "lds" + text;
    if (c.kind == container_kind::parts) text = c.name + (text[0] == '[' ? "" : ".") + text;
    names = c.names;
    if (c.kind == container_kind::scheme || c.kind == container_kind::counters)
      return json{{"dataId", nullptr}, {"description", text + " cannot be watched: it is no register and no memory"}};
  } else {
    of = &thread_of_frame(a);
    names = scene_of_frame(a).frame;
  }
  if (flag_in(a, "asAddress")) {
    const int64_t bytes = number_if_in(a, "bytes").value_or(4);
    if (bytes <= 0 || bytes % 4 != 0)
      return json{{"dataId", nullptr}, {"description", "memory is watched in words of four bytes"}};
    text = fmt::format("*({}){}", text, bytes == 4 ? "" : fmt::format("@{}", bytes / 4));
  }
  try {
    scene here = scene_of(*of);
    here.frame = names;
    const point p = watch_on(core_, text, point_kind::write, here);
    const bool is_of_all = is_memory(p.kind) && !p.memory.lds;
    data_id d{text, {}, -1};
    if (!is_of_all) {
      d.of = core_.machine().name_of(of->at.cu, *of->at.context);
      d.lane = here.lane;
    }
    json kinds = {"write"};
    if (is_memory(p.kind)) kinds = {"read", "write", "readWrite"};
    const std::string where = is_of_all ? "" : fmt::format(" in {}", core_.machine().place_of(of->at));
    return json{
        {"dataId", text_of(d)}, {"description", text + where}, {"accessTypes", kinds}, {"canPersist", is_of_all}};
  } catch (const input_error& e) {
    return json{{"dataId", nullptr}, {"description", e.what()}};
  }
}

void session::place_points_again() {
  wishes_.place_again();
  wishes_.for_each([&](const placed_wish& w) {
    client_.send_event("breakpoint", {{"reason", "changed"}, {"breakpoint", breakpoint(w)}});
  });
}

}  // namespace pws::platform::debug::dap
