// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/config/files/experiment_reader.h"
#include "platform/config/values/text.h"
#include "platform/config/yaml_text.h"

namespace pws::platform::sweep {

namespace {

bool read_points(const value_at& v, loading_axis& to) {
  if (!v.read.mapping(v.node, v.path)) return false;
  for (const yaml_entry& e : v.node.entries) {
    to.points.push_back({e.key, {}});
    read_settings({e.value, path_join(v.path, e.key), v.about, v.read}, to.points.back().set);
  }
  if (to.points.empty()) v.issue("there is none");
  return true;
}

bool read_values(const value_at& v, loading_axis& to) {
  if (!v.read.list(v.node, v.path)) return false;
  std::set<std::string> labels;
  for (const axis_point& p : to.points) labels.insert(p.label);
  for (const yaml_node& one : v.node.items) {
    std::string label = one.is_scalar() ? one.text : flow_text(one);
    if (!labels.insert(label).second) v.read.issue(one.where, v.path, in_quotes(label) + " is there twice");
    to.points.push_back({std::move(label), {{to.key, flow_text(one)}}});
  }
  if (to.points.empty()) v.issue("there is none");
  return true;
}

bool read_only(const value_at& v, loading_axis& to) {
  const auto labels = v.read.texts(v.node, v.path);
  if (!labels) return false;
  for (const std::string& l : *labels) known_label(v, to, l);
  keep(to, *labels);
  return true;
}

void read_name(const yaml_node& mapping, const std::string& path, loading_axis& to, reader& read) {
  const auto& name = axis_keys().name;
  if (name.needed_in(mapping, path, read) != nullptr) name.read_from(mapping, path, to, read);
}

void read_given(const value_at& v, loading_axis& to) {
  const axis_schema& keys = axis_keys();
  v.read.keys(v.node, v.path, keys.names());
  read_name(v.node, v.path, to, v.read);
  const bool key = keys.key.in(v.node) != nullptr, values = keys.values.in(v.node) != nullptr;
  const bool points = keys.points.in(v.node) != nullptr;
  if (points == key || key != values) return v.issue("give either key and values, or points");
  keys.points.read_from(v.node, v.path, to, v.read);
  keys.key.read_from(v.node, v.path, to, v.read);
  keys.values.read_from(v.node, v.path, to, v.read);
}

// Axes that several experiments share.
void read_shared(const value_at& v, loading_axis& to, std::vector<std::string>& files) {
  const axis_schema& keys = axis_keys();
  v.read.keys(v.node, v.path, {keys.file.name(), keys.only.name()});
  if (!keys.file.read_from(v.node, v.path, to, v.read)) return;
  const origin& where = keys.file.in(v.node)->where;
  yaml_node root;
  if (!read_beside(where, path_join(v.path, keys.file.name()), to.file, root, files, v.read)) return;
  v.read.keys(root, v.path, {keys.name.name(), keys.points.name()});
  read_name(root, v.path, to, v.read);
  if (keys.points.needed_in(root, v.path, v.read) != nullptr) keys.points.read_from(root, v.path, to, v.read);
  keys.only.read_from(v.node, v.path, to, v.read);
}

}  // namespace

axis_schema::axis_schema()
    : name(text("name", &axis::name, "column of the table; the file has it where there is one")),
      key(text("key", &loading_axis::key, "key that the axis sets; needs values")),
      values(custom("values", field_kind::list, "of that key, each its own label", read_values).by_default("[]")),
      points(custom("points", field_kind::mapping, "LABEL: {KEY: VALUE, ...}; in place of key and values", read_points)
                 .by_default("{}")),
      file(text("file", &loading_axis::file, "in place of these: a file of the same folder with name and points")),
      only(custom("only", field_kind::text_list, "labels of the file that are taken", read_only).by_default("all")) {}

const axis_schema& axis_keys() {
  static const axis_schema s;
  return s;
}

bool read_axes(const value_at& v, experiment& to) {
  if (v.node.is_list() && v.node.items.empty()) v.issue("there is none");
  return v.each_mapping([&](const value_at& item) {
    loading_axis a;
    if (axis_keys().file.in(item.node) != nullptr)
      read_shared(item, a, to.files);
    else
      read_given(item, a);
    if (to.axis_index(a.name) != to.axes.size()) item.issue("there is an axis " + in_quotes(a.name) + " already");
    to.axes.push_back(static_cast<const axis&>(a));
    return true;
  });
}

bool read_beside(const origin& where, const std::string& path, const std::string& name, yaml_node& root,
                 std::vector<std::string>& files, reader& read) {
  // A finished sweep keeps its experiment, as experiment.yaml, with such files beside it.
  if (name.find('/') != std::string::npos || name == "experiment.yaml") {
    read.issue(
        where, path,
        name == "experiment.yaml" ? "must have another name than " + name : "must be in the experiment's own folder");
    return false;
  }
  const std::string file = resolved_path(where, name);
  if (!parse_yaml_file(file, path, root, read.issues()) || !read.mapping(root, path)) return false;
  if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  return true;
}

bool read_settings(const value_at& v, std::vector<setting>& to) {
  if (!v.read.mapping(v.node, v.path)) return false;
  for (const yaml_entry& e : v.node.entries) {
    const bool names_file = e.key == "machine" || e.key == "machine.base" || e.key == "program.source";
    if (names_file && e.value.is_scalar())
      to.push_back({e.key, nlohmann::json(resolved_path(e.value.where, e.value.text)).dump()});
    else
      to.push_back({e.key, flow_text(e.value)});
  }
  return true;
}

bool read_places(const value_at& v, const experiment& all, place_list& to) {
  if (!v.read.mapping(v.node, v.path)) return false;
  for (const yaml_entry& e : v.node.entries) {
    const value_at one{e.value, path_join(v.path, e.key), v.about, v.read};
    const auto label = v.read.text(one.node, one.path);
    const axis* a = known_axis(all, e.key, e.where, v.path, v.read);
    if (label && a != nullptr) known_label(one, *a, *label);
    if (label) to.emplace_back(e.key, *label);
  }
  return true;
}

bool known_label(const value_at& v, const axis& a, const std::string& label) {
  std::vector<std::string> known;
  for (const axis_point& p : a.points) known.push_back(p.label);
  if (std::find(known.begin(), known.end(), label) != known.end()) return true;
  v.issue(in_quotes(label) + " is no point of axis " + a.name + did_you_mean(label, known));
  return false;
}

const axis* known_axis(const experiment& all, const std::string& name, const origin& where, const std::string& path,
                       reader& read) {
  const size_t k = all.axis_index(name);
  if (k != all.axes.size()) return &all.axes[k];
  std::vector<std::string> known;
  for (const axis& a : all.axes) known.push_back(a.name);
  read.issue(where, path, in_quotes(name) + " is no axis" + did_you_mean(name, known));
  return nullptr;
}

void keep(axis& a, const std::vector<std::string>& labels) {
  const std::set<std::string> kept(labels.begin(), labels.end());
  const auto gone = [&](const axis_point& p) { return kept.count(p.label) == 0; };
  a.points.erase(std::remove_if(a.points.begin(), a.points.end(), gone), a.points.end());
}

}  // namespace pws::platform::sweep
