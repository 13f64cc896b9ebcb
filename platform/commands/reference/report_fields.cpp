// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/reference/report_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/config/files/file_kinds.h"
#include "platform/config/values/text.h"
#include "platform/report/cost_report.h"
#include "platform/report/run_report.h"
#include "platform/run/launches/launch_log.h"
#include "platform/run/reconvergence_report.h"
#include "platform/soc/soc_report.h"
#include "platform/wcet/graph_bound.h"
#include "platform/wcet/tasks/tasks_report.h"
#include "platform/wcet/wcet_report.h"
#include "sw/pwscc/report_text.h"

namespace pws::platform {

namespace {

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    parts.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// `pattern` has one * at most.
bool fits(const std::string& pattern, const std::string& part) {
  const size_t star = pattern.find('*');
  if (star == std::string::npos) return pattern == part;
  const size_t behind = pattern.size() - star - 1;
  return part.size() > star + behind && part.compare(0, star, pattern, 0, star) == 0 &&
         part.compare(part.size() - behind, behind, pattern, star + 1, behind) == 0;
}

// Whether the first parts of `parts` are those of the pattern, or all of them its first ones.
bool begins_alike(const std::vector<std::string>& pattern, const std::vector<std::string>& parts) {
  for (size_t k = 0; k < std::min(pattern.size(), parts.size()); ++k)
    if (!fits(pattern[k], parts[k])) return false;
  return true;
}

bool is_index(const std::string& part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
}

// Whether measures of this path find a single value in the field.
bool finds(const report_field& f, const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
  if (path.size() < pattern.size() || !begins_alike(pattern, path)) return false;
  size_t at = pattern.size();
  if (at < path.size() && !f.unit.empty() && path[at] == "unit") return at + 1 == path.size();
  const bool inside = at < path.size() && !f.unit.empty() && path[at] == "value";
  if (inside) ++at;
  if (f.kind != value_kind::list) return at == path.size();
  return (f.unit.empty() || inside) && at + 1 == path.size() && is_index(path[at]);
}

// The pattern as the user would write it: names that are free are those of the path.
std::string suggested(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
  std::string text;
  for (size_t k = 0; k < pattern.size(); ++k) {
    const bool free = pattern[k].find('*') != std::string::npos && pattern.size() == path.size();
    text += (k == 0 ? "" : ".") + (free && fits(pattern[k], path[k]) ? path[k] : pattern[k]);
  }
  return text;
}

// The kind of value that a key has. A mapping counts as a value where a word may stand in its place.
std::optional<value_kind> kind_of(const field& f) {
  switch (f.kind) {
    case field_kind::integer:
    case field_kind::real:
      return value_kind::number;
    case field_kind::boolean:
      return value_kind::truth;
    case field_kind::integer_list:
    case field_kind::text_list:
      return value_kind::list;
    case field_kind::list:  // a value only where it is empty
      return f.default_text.empty() ? std::nullopt : std::optional(value_kind::list);
    case field_kind::choice:
    case field_kind::file:
      return value_kind::text;
    case field_kind::text:
      return f.type_name.empty() ? value_kind::text : value_kind::number;
    case field_kind::mapping:
      if (f.short_form == field_kind::text) return value_kind::text;
      break;
  }
  if (f.default_text.empty() || f.default_text == "{}") return std::nullopt;
  return value_kind::text;
}

// With what the report says of the configuration: from the keys of its file themselves.
std::vector<report_field> with_keys(std::vector<report_field> all, file_kind of_file) {
  for (const field& f : file_fields(of_file)) {
    if (f.path == "machine" || f.path == "machine.base") continue;  // the machine's keys have what it says
    if (const auto kind = kind_of(f)) all.push_back({"configuration." + f.path, *kind, f.unit, f.help});
  }
  return all;
}

std::vector<report_field> made(report_kind kind) {
  switch (kind) {
    case report_kind::run:
      return with_keys(run_part().fields(), file_kind::run);
    case report_kind::wcet:
      return with_keys(wcet_part().fields(), file_kind::run);
    case report_kind::exec:
      return with_keys(launch_log::fields(), file_kind::exec);
    case report_kind::graph:
      return graph_part().fields();
    case report_kind::reconvergence:
      return reconvergence_part().fields();
    case report_kind::cost:
      return cost_part().fields();
    case report_kind::tasks:
      return tasks_part().fields();
    case report_kind::soc:
      return with_keys(soc_part().fields(), file_kind::soc);
    case report_kind::compiler:
      break;
  }
  return pwscc::pass_part().fields();
}

}  // namespace

const std::vector<report_field>& report_fields(report_kind kind) {
  static const std::vector<std::vector<report_field>> all = [] {
    std::vector<std::vector<report_field>> lists;
    for (const auto& k : enumerators(report_kind{})) lists.push_back(made(k.value));
    return lists;
  }();
  return all[static_cast<size_t>(kind)];
}

std::optional<std::string> no_report_has(report_kind kind, const std::string& path, const std::string& prefix) {
  const std::vector<std::string> parts = parts_of(path);
  std::vector<std::string> candidates, below, same_end;
  for (const report_field& f : report_fields(kind)) {
    const std::vector<std::string> pattern = parts_of(f.path);
    if (finds(f, pattern, parts)) return std::nullopt;
    std::string candidate = prefix + suggested(pattern, parts);
    if (begins_alike(pattern, parts) && parts.size() <= pattern.size()) {
      if (f.kind == value_kind::list && parts.size() == pattern.size())
        return fmt::format("is a list; one of its values: {}{}{}.0", prefix, path, f.unit.empty() ? "" : ".value");
      below.push_back(candidate);
    }
    if (pattern.back() == parts.back()) same_end.push_back(candidate);
    candidates.push_back(std::move(candidate));
  }
  constexpr size_t shown = 5;
  if (!below.empty()) {
    const bool all = below.size() <= shown;
    if (!all) below.resize(shown);
    return fmt::format("is no single value; below it are {}{}", joined(below), all ? "" : ", ...");
  }
  std::string near = did_you_mean(prefix + path, candidates);
  if (near.empty() && !same_end.empty()) near = "; did you mean " + same_end.front() + "?";
  return "is in no such report" + (near.empty() ? "; pwsvp reference lists what is" : near);
}

nlohmann::ordered_json reference_json(const std::vector<report_field>& fields) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const report_field& f : fields)
    all.push_back({{"path", f.path}, {"type", name_of(f.kind)}, {"unit", f.unit}, {"meaning", f.meaning}});
  return all;
}

}  // namespace pws::platform
