// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/results.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::platform::sweep {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// By keys and, in lists, indices, joined by dots.
const json* at_path(const json& report, const std::string& path) {
  const json* node = &report;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (node->is_object() && node->contains(key)) {
      node = &(*node)[key];
    } else if (node->is_array() && !key.empty() && key.size() < 10 &&
               key.find_first_not_of("0123456789") == std::string::npos && std::stoul(key) < node->size()) {
      node = &(*node)[std::stoul(key)];
    } else {
      return nullptr;
    }
    begin = end + 1;
  }
  return node;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string csv_value(const json& v) {
  if (v.is_null()) return "";
  return v.is_string() ? v.get<std::string>() : v.dump();
}

const char* status_of(const point_result& r) {
  if (r.stopped) return "stopped";
  return !r.finished ? "left out" : r.failed ? "failed" : r.refused ? "refused" : "done";
}

}  // namespace

void take_measures(const experiment& e, const json& report, point_result& to) {
  to.values.assign(e.measures.size(), nullptr);
  to.units.assign(e.measures.size(), "");
  for (size_t k = 0; k < e.measures.size(); ++k) {
    const json* found = at_path(report, e.measures[k].path);
    if (found == nullptr) continue;
    if (found->is_object() && found->contains("value")) {
      to.units[k] = found->value("unit", "");
      found = &(*found)["value"];
    }
    if (found->is_number() || found->is_string() || found->is_boolean()) to.values[k] = *found;
  }
  if (const json* const said = at_path(report, "warnings"); said != nullptr && said->is_array())
    to.warnings = said->get<std::vector<std::string>>();
  const json* const stopped = at_path(report, "result.stopped");
  to.stopped = stopped != nullptr && stopped->is_boolean() && stopped->get<bool>();
  for (const bound_rule& rule : e.rules) {
    const json &smaller = to.values[e.measure_index(rule.smaller)], &larger = to.values[e.measure_index(rule.larger)];
    if (!smaller.is_number() || !larger.is_number() || smaller.get<double>() <= larger.get<double>()) continue;
    to.failed = true;
    to.message = fmt::format("{} {} is above {} {}", rule.smaller, smaller.dump(), rule.larger, larger.dump());
  }
}

namespace {
void add_paths(const json& node, const std::string& path, std::vector<std::string>& all) {
  const bool quantity = node.is_object() && node.contains("value");
  if (quantity || node.is_primitive()) return all.push_back(path);
  for (const auto& [key, below] : node.items()) add_paths(below, path.empty() ? key : path + "." + key, all);
}
}  // namespace

std::vector<std::string> paths_in(const json& report) {
  std::vector<std::string> all;
  add_paths(report, "", all);
  return all;
}

ordered_json to_json(const point_result& r) {
  return {{"failed", r.failed}, {"refused", r.refused}, {"stopped", r.stopped},   {"message", r.message},
          {"values", r.values}, {"units", r.units},     {"warnings", r.warnings}, {"host_seconds", r.seconds}};
}

point_result point_from_json(const json& j, size_t n_measures) {
  point_result r;
  r.finished = true;
  j.at("failed").get_to(r.failed);
  j.at("refused").get_to(r.refused);
  r.stopped = j.value("stopped", false);
  j.at("message").get_to(r.message);
  r.values = j.at("values").get<std::vector<json>>();
  j.at("units").get_to(r.units);
  r.warnings = j.value("warnings", std::vector<std::string>());
  j.at("host_seconds").get_to(r.seconds);
  r.values.resize(n_measures);
  r.units.resize(n_measures);
  return r;
}

std::string to_csv(const experiment& e, const sweep_results& r) {
  std::string out;
  const auto row = [&](const std::vector<std::string>& cells) {
    for (size_t k = 0; k < cells.size(); ++k) out += (k == 0 ? "" : ",") + csv_cell(cells[k]);
    out += "\n";
  };
  std::vector<std::string> cells;
  for (const axis& a : e.axes) cells.push_back(a.name);
  cells.insert(cells.end(), {"status", "message"});
  for (const measure& m : e.measures) cells.push_back(m.name);
  row(cells);
  for (size_t n = 0; n < r.points.size(); ++n) {
    const std::vector<size_t> at = e.point(n);
    const point_result& p = r.points[n];
    cells.clear();
    for (size_t k = 0; k < at.size(); ++k) cells.push_back(e.axes[k].points[at[k]].label);
    cells.insert(cells.end(), {status_of(p), p.message});
    for (size_t k = 0; k < e.measures.size(); ++k) cells.push_back(k < p.values.size() ? csv_value(p.values[k]) : "");
    row(cells);
  }
  return out;
}

ordered_json to_json(const experiment& e, const sweep_results& r) {
  ordered_json j;
  j["experiment"] = e.name;
  j["title"] = e.title;
  j["of"] = e.of;
  j["form"] = e.small ? "small" : "full";
  j["axes"] = ordered_json::array();
  for (const axis& a : e.axes) {
    ordered_json labels = ordered_json::array();
    for (const axis_point& p : a.points) labels.push_back(p.label);
    j["axes"].push_back({{"name", a.name}, {"points", labels}});
  }
  j["measures"] = ordered_json::array();
  for (size_t k = 0; k < e.measures.size(); ++k) {
    std::string unit;
    for (const point_result& p : r.points)
      if (unit.empty() && k < p.units.size()) unit = p.units[k];
    j["measures"].push_back({{"name", e.measures[k].name}, {"path", e.measures[k].path}, {"unit", unit}});
  }
  j["points"] = ordered_json::array();
  for (size_t n = 0; n < r.points.size(); ++n) {
    const std::vector<size_t> at = e.point(n);
    const point_result& p = r.points[n];
    ordered_json one;
    for (size_t k = 0; k < at.size(); ++k) one["at"][e.axes[k].name] = e.axes[k].points[at[k]].label;
    one["status"] = status_of(p);
    if (p.failed || p.refused) one["message"] = p.message;
    for (size_t k = 0; k < e.measures.size(); ++k)
      one["values"][e.measures[k].name] = k < p.values.size() ? ordered_json(p.values[k]) : ordered_json();
    j["points"].push_back(one);
  }
  j["files"] = ordered_json::array();
  for (const auto& [name, text] : r.files) j["files"].push_back({{"name", name}, {"text", text}});
  double seconds = 0;
  for (const point_result& p : r.points) seconds += p.seconds;
  j["host"] = {{"command", r.command}, {"finished", r.finished}, {"seconds_of_all_points", seconds}};
  return j;
}

}  // namespace pws::platform::sweep
