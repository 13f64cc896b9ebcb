// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/experiment.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "platform/config/files/experiment_reader.h"
#include "platform/config/values/text.h"

namespace pws::platform::sweep {

namespace {

constexpr size_t most_points = 100'000;

bool read_exceptions(const value_at& v, const experiment& all, std::vector<place_list>& to) {
  if (!v.read.list(v.node, v.path)) return false;
  for (size_t k = 0; k < v.node.items.size(); ++k)
    read_places({v.node.items[k], path_join(v.path, std::to_string(k)), v.about, v.read}, all, to.emplace_back());
  return true;
}

bool read_measure(const value_at& v, const yaml_entry& entry, experiment& to) {
  if (to.axis_index(entry.key) != to.axes.size()) v.read.issue(entry.where, v.path, "an axis has that name");
  const auto path = v.read.text(v.node, v.path);
  if (path) to.measures.push_back({entry.key, *path, v.node.where});
  return path.has_value();
}

bool read_small_settings(const value_at& v, experiment& to) {
  std::vector<setting> more;
  const bool good = read_settings(v, more);
  if (to.small) to.set.insert(to.set.end(), more.begin(), more.end());
  return good;
}

bool read_small_exceptions(const value_at& v, experiment& to) {
  std::vector<place_list> more;
  const bool good = read_exceptions(v, to, more);
  if (to.small) to.left_out.insert(to.left_out.end(), more.begin(), more.end());
  return good;
}

bool read_small_axis(const value_at& v, const yaml_entry& entry, experiment& to) {
  const axis* a = known_axis(to, entry.key, entry.where, v.path, v.read);
  const auto labels = v.read.texts(v.node, v.path);
  if (a == nullptr || !labels) return false;
  for (const std::string& l : *labels) known_label(v, *a, l);
  if (labels->empty()) v.issue("there is none");
  if (to.small) keep(to.axes[to.axis_index(entry.key)], *labels);
  return true;
}

const schema<experiment>& small_schema() {
  static const schema<experiment> s([](schema<experiment>& made) {
    made.custom("set", field_kind::mapping, "further settings", read_small_settings).by_default("{}");
    made.names_to("axes", "AXIS: [LABEL, ...], the points that remain", read_small_axis).by_default("{}");
    made.custom("except", field_kind::list, "AXIS: LABEL, ...: further points that do not run", read_small_exceptions)
        .by_default("[]");
  });
  return s;
}

// What an experiment says for itself.
bool is_own(const std::string& key) {
  return key == "title" || key == "of" || key == "reuse" || key == "holds" || key == "figures";
}

// Keys that are not given are those of the experiment that `like` names. They keep their places, for messages and
// paths.
bool add_what_is_like(yaml_node& root, experiment& to, reader& read) {
  const yaml_node* like = root.find("like");
  if (like == nullptr) return true;
  if (!like->is_scalar() || like->text.empty()) {
    read.issue(like->where, "like", "must be the name of an experiment, not " + like->describe());
    return false;
  }
  const origin where = like->where;
  yaml_node other;
  if (!read_beside(where, "like", like->text + ".yaml", other, to.files, read)) return false;
  if (other.find("like") != nullptr) {
    read.issue(where, "like", in_quotes(like->text) + " is like another one itself: name that");
    return false;
  }
  for (yaml_entry& e : other.entries)
    if (!is_own(e.key) && root.find(e.key) == nullptr) root.entries.push_back(std::move(e));
  return true;
}

void fill_experiment(schema<experiment>& s) {
  using e = experiment;
  using k = field_kind;
  s.text("title", &e::title, "one line").required();
  s.text("of", &e::of, "what it reproduces");
  s.text("like", &e::like,
         "name of an experiment in the same folder: keys that are not given here are its, but for title, of, reuse, "
         "holds and figures; its finished points are taken as with reuse")
      .by_default("none");
  s.text("about", &e::about, "what is run and why");
  s.choice("command", &e::command, "what a point is: pwsvp run, wcet --observe, exec, graph or reconvergence")
      .required();
  // Whoever runs it looks whether it is there: a finished sweep's copy of the experiment is in another folder.
  s.text("config", &e::config, "the command's CONFIG").type("file").required().then([](const value_at& v, e& to) {
    to.config = resolved_path(v.node.where, to.config);
  });
  s.custom("set", k::mapping,
           "KEY: VALUE as for --set, of every point (KEY+: adds to a list); exec also has program.source, .flags, "
           ".split and .arguments; `config` is another CONFIG in the folder of the experiment's",
           [](const value_at& v, e& to) { return read_settings(v, to.set); })
      .by_default("{}");
  s.custom("axes", k::list, "of the grid, which is every combination; the last is fastest", read_axes)
      .required()
      .lists("*.", axis_keys());
  s.custom("except", k::list, "AXIS: LABEL, ...: points with all these labels do not run",
           [](const value_at& v, experiment& to) { return read_exceptions(v, to, to.left_out); })
      .by_default("[]");
  s.texts("reuse", &e::reuse,
          "names of experiments with the same grid: their finished points, in the folders beside this one's, are taken "
          "where they are of the same configuration, program, settings and measures");
  // Behind figures, which name labels that the short form does not have.
  s.mapping(
       "small", [](auto& all) -> auto& { return all; }, small_schema(),
       "the short form: set, axes: {NAME: [LABEL, ...]}, and except")
      .by_default("{}")
      .step(1);
  s.names_to("measures", "NAME: path in the JSON report; exec: compiler.PATH is of pwscc's report", read_measure)
      .required();
  s.text(
      "refusal", &e::refusal,
      "words in the message of a point that the machine refuses to run: it is counted as refused, and not as failed");
  s.custom("holds", k::list, "what must hold at every point", read_rules).by_default("[]").lists("*.", rule_schema());
  s.custom("figures", k::list, "of the report", read_figures).by_default("[]").lists("*.", figure_schema());
}

const schema<experiment>& experiment_schema() {
  static const schema<experiment> s(fill_experiment);
  return s;
}

}  // namespace

size_t experiment::n_points() const {
  size_t n = 1;
  for (const axis& a : axes) n = std::min(n * a.points.size(), most_points + 1);
  return n;
}

std::vector<size_t> experiment::point(size_t number) const {
  std::vector<size_t> p(axes.size());
  for (size_t k = axes.size(); k-- > 0; number /= axes[k].points.size()) p[k] = number % axes[k].points.size();
  return p;
}

size_t experiment::number_of(const std::vector<size_t>& point) const {
  size_t n = 0;
  for (size_t k = 0; k < axes.size(); ++k) n = n * axes[k].points.size() + point[k];
  return n;
}

bool experiment::runs(const std::vector<size_t>& p) const {
  return std::none_of(left_out.begin(), left_out.end(), [&](const auto& labels) {
    return std::all_of(labels.begin(), labels.end(), [&](const auto& l) {
      const size_t k = axis_index(l.first);
      return axes[k].points[p[k]].label == l.second;
    });
  });
}

size_t experiment::measure_index(const std::string& wanted) const {
  size_t k = 0;
  while (measures.at(k).name != wanted) ++k;
  return k;
}

size_t experiment::axis_index(const std::string& wanted) const {
  size_t k = 0;
  while (k < axes.size() && axes[k].name != wanted) ++k;
  return k;
}

const std::vector<field>& experiment_fields() {
  static const std::vector<field> all = experiment_schema().fields();
  return all;
}

experiment load_experiment(const std::string& file, bool small) {
  experiment e;
  e.file = file;
  e.name = std::filesystem::path(file).stem().string();
  e.small = small;
  issue_list issues(file);
  reader read(issues);
  yaml_node root;
  if (!parse_yaml_file(file, "", root, issues) || !read.mapping(root, "") || !add_what_is_like(root, e, read))
    issues.throw_if_any();
  experiment_schema().read(root, "", e, read);
  if (!e.like.empty()) e.reuse.push_back(e.like);
  if (e.n_points() > most_points)
    read.issue(root.where, "axes",
               "the grid has " + std::to_string(e.n_points()) + " points, more than " + std::to_string(most_points));
  issues.throw_if_any();
  std::ifstream in(file, std::ios::binary);
  e.text.assign(std::istreambuf_iterator<char>(in), {});
  return e;
}

}  // namespace pws::platform::sweep
