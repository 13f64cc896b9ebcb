// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  for (const auto& [key, below] : node.items())
    add_paths(below, path.empty() ? key : fmt::format("{}.{}", path, key), all);
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

namespace {

// What is said of an axis, a measure or a point, by index.
struct element {
  const sweep_entry& sweep;
  size_t at;
  const point_result& result() const { return sweep.results.points[at]; }
};
std::vector<element> elements(const sweep_entry& of, size_t n) {
  std::vector<element> all;
  for (size_t k = 0; k < n; ++k) all.push_back({of, k});
  return all;
}

// The units that the points have for a measure: several where that depends on the machine.
std::vector<std::string> units_of(const sweep_results& r, size_t of_measure) {
  std::vector<std::string> all;
  for (const point_result& p : r.points)
    if (of_measure < p.units.size() && !p.units[of_measure].empty() &&
        std::find(all.begin(), all.end(), p.units[of_measure]) == all.end())
      all.push_back(p.units[of_measure]);
  return all;
}

report_part<axis> axis_part() {
  return report_part<axis>().value("name", "of the axis", &axis::name).value("points", "labels", [](auto& a) {
    std::vector<std::string> labels;
    for (const axis_point& p : a.points) labels.push_back(p.label);
    return labels;
  });
}

report_part<element> measure_part() {
  const auto measure_of = [](auto member) {
    return [member](const element& m) { return m.sweep.of.measures[m.at].*member; };
  };
  return report_part<element>()
      .value("name", "of the measure", measure_of(&measure::name))
      .value("path", "in the points' reports", measure_of(&measure::path))
      .value("unit", "of its values; of several, with | between them, points say theirs",
             [](auto& m) { return fmt::format("{}", fmt::join(units_of(m.sweep.results, m.at), " | ")); });
}

report_part<element> point_part() {
  const auto labels = [](const element& p) {
    std::vector<std::pair<std::string, std::string>> all;
    const std::vector<axis>& axes = p.sweep.of.axes;
    const std::vector<size_t> at = p.sweep.of.point(p.at);
    for (size_t k = 0; k < at.size(); ++k) all.emplace_back(axes[k].name, axes[k].points[at[k]].label);
    return all;
  };
  const auto values = [](const element& p) {
    std::vector<std::pair<std::string, ordered_json>> all;
    const std::vector<measure>& measures = p.sweep.of.measures;
    const std::vector<json>& found = p.result().values;
    for (size_t k = 0; k < measures.size(); ++k)
      all.emplace_back(measures[k].name, k < found.size() ? ordered_json(found[k]) : ordered_json());
    return all;
  };
  const auto units = [](const element& p) {
    std::vector<std::pair<std::string, std::string>> all;
    const std::vector<std::string>& of = p.result().units;
    for (size_t k = 0; k < of.size(); ++k)
      if (!of[k].empty() && units_of(p.sweep.results, k).size() > 1)
        all.emplace_back(p.sweep.of.measures[k].name, of[k]);
    return all;
  };
  return report_part<element>()
      .map("at", "", "label on the axis of this name", labels)
      .value("status", "done, failed, stopped, refused, left out", [](auto& p) { return status_of(p.result()); })
      .value("message", "why it failed or was refused", [](auto& p) { return p.result().message; })
      .where([](const element& p) { return p.result().failed || p.result().refused; })
      .map("values", "", "of the measure of this name; it may be a text or a truth value", values)
      .map("units", "", "of the value of this name, where points differ in it", units);
}

}  // namespace

const report_part<sweep_entry>& sweep_part() {
  using s = sweep_entry;
  using file = std::pair<std::string, std::string>;
  const auto of_experiment = [](auto member) {
    return [member](const s& of) -> const auto& {
      return of.of.*member;
    };
  };
  const auto found = [](auto member) {
    return [member](const s& of) -> const auto& {
      return of.results.*member;
    };
  };
  const auto seconds = [](const s& of) {
    double sum = 0;
    for (const point_result& p : of.results.points) sum += p.seconds;
    return sum;
  };
  static const report_part<s> all =
      report_part<s>()
          .value("experiment", "its name", of_experiment(&experiment::name))
          .value("title", "the experiment's", of_experiment(&experiment::title))
          .value("of", "what it reproduces", of_experiment(&experiment::of))
          .value("form", "full or small", [](auto& of) { return of.of.small ? "small" : "full"; })
          .list("axes", axis_part(), of_experiment(&experiment::axes))
          .list("measures", measure_part(), [](auto& of) { return elements(of, of.of.measures.size()); })
          .list("points", point_part(), [](auto& of) { return elements(of, of.results.points.size()); })
          .list("files",
                report_part<file>()
                    .value("name", "configuration that the points read", &file::first)
                    .value("text", "its contents", &file::second),
                found(&sweep_results::files))
          .group("host", report_part<s>()
                             .value("command", "that ran the sweep", found(&sweep_results::command))
                             .value("finished", "when", found(&sweep_results::finished))
                             .value("seconds_of_all_points", "wall clock", seconds));
  return all;
}

}  // namespace pws::platform::sweep
