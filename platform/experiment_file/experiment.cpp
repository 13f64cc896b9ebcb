#include "platform/experiment_file/experiment.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "platform/config/field_table.h"
#include "platform/config/reader.h"
#include "platform/config/text.h"

namespace pws::platform::sweep {

namespace {

constexpr size_t most_points = 100'000;
const std::vector<std::string> command_names = {"run", "wcet", "exec", "graph"};
const std::vector<std::string> plot_names = {"bars", "lines"};
const std::vector<std::string> form_names = {"plain", "ratio", "speedup", "reduction"};
const std::vector<std::string> truth_names = {"false", "true"};

std::vector<field> make_fields() {
  field_table t;
  const auto add = [&](const char* path, field_kind kind, const char* help,
                       const char* default_text = nullptr) -> field& { return t.add(path, kind, help, default_text); };
  using k = field_kind;
  add("title", k::text, "one line");
  add("of", k::text, "what it reproduces", "");
  add("about", k::text, "what is run and why", "");
  add("command", k::choice, "what a point is: pwsvp run, wcet --observe, exec or graph").choices = command_names;
  add("config", k::file, "the command's CONFIG");
  add("set", k::mapping,
      "KEY: VALUE as for --set, of every point (KEY+: adds to a list); exec also has program.source, .flags, .split "
      "and .arguments",
      "{}");
  add("axes", k::list, "of the grid, which is every combination; the last is fastest");
  add("axes.*.name", k::text, "column of the table");
  add("axes.*.key", k::text, "key that the axis sets; needs values", "");
  add("axes.*.values", k::list, "of that key, each its own label", "[]");
  add("axes.*.points", k::mapping, "LABEL: {KEY: VALUE, ...}; in place of key and values", "{}");
  add("axes.*.file", k::text, "in place of these: a file of the same folder with name and points", "");
  add("axes.*.only", k::text_list, "labels of the file that are taken", "all");
  add("except", k::list, "AXIS: LABEL, ...: points with all these labels do not run", "[]");
  add("small", k::mapping, "the short form: set, and axes: {NAME: [LABEL, ...]}", "{}");
  add("small.set", k::mapping, "further settings", "{}");
  add("small.axes", k::mapping, "AXIS: [LABEL, ...], the points that remain", "{}");
  add("measures", k::mapping, "NAME: path in the JSON report");
  add("holds", k::list, "what must hold at every point", "[]");
  add("holds.*.measure", k::text, "the smaller one");
  add("holds.*.at_most", k::text, "the larger one");
  add("figures", k::list, "of the report", "[]");
  add("figures.*.title", k::text, "one line");
  add("figures.*.of", k::text, "what it reproduces", "");
  add("figures.*.plot", k::choice, "", "bars").choices = plot_names;
  add("figures.*.x", k::text, "axis along the figure");
  add("figures.*.series", k::text, "axis whose points are lines of their own", "none");
  add("figures.*.at", k::mapping, "AXIS: LABEL, only these points", "{}");
  add("figures.*.lines", k::list, "curves or bars");
  add("figures.*.lines.*.label", k::text, "in the key");
  add("figures.*.lines.*.measure", k::text, "v");
  add("figures.*.lines.*.as", k::choice, "v; v / base; base / v; 100 (1 - v / base)", "plain").choices = form_names;
  add("figures.*.lines.*.base", k::text, "measure", "the same");
  add("figures.*.lines.*.base_at", k::mapping, "AXIS: LABEL, where the base is taken", "{}");
  add("figures.*.lines.*.at", k::mapping, "AXIS: LABEL, only these points", "{}");
  add("figures.*.unit", k::text, "of the values", "");
  add("figures.*.logarithmic", k::choice, "", "false").choices = truth_names;
  add("figures.*.sorted", k::choice, "along x by the first line's values", "false").choices = truth_names;
  add("figures.*.means", k::choice, "geometric and arithmetic means as well", "false").choices = truth_names;
  add("figures.*.paper", k::list, "printed values", "[]");
  add("figures.*.paper.*.x", k::text, "label", "a line across");
  add("figures.*.paper.*.line", k::text, "label of the line, or of the line across");
  add("figures.*.paper.*.value", k::real, "");
  add("figures.*.reading", k::text, "what the full form shows", "");
  return t.rows;
}

std::vector<std::string> keys_of(const std::string& prefix) {
  return keys_below(experiment_fields(), prefix);
}

const field& field_of(const std::string& path) {
  return platform::field_of(experiment_fields(), path);
}

// YAML in one line. JSON is YAML, and a plain scalar stays as it is.
std::string flow_text(const yaml_node& node) {
  std::string out;
  switch (node.type) {
    case yaml_node::kind::null:
      return "~";
    case yaml_node::kind::scalar:
      return node.quoted || node.text.find_first_of(",[]{}#:&*!|>'\"%@`\n") != std::string::npos
                 ? nlohmann::json(node.text).dump()
                 : node.text;
    case yaml_node::kind::list:
      for (const yaml_node& item : node.items) out += (out.empty() ? "" : ", ") + flow_text(item);
      return "[" + out + "]";
    case yaml_node::kind::mapping:
      for (const yaml_entry& e : node.entries)
        out += (out.empty() ? "" : ", ") + nlohmann::json(e.key).dump() + ": " + flow_text(e.value);
      return "{" + out + "}";
  }
  return out;
}

class experiment_reader {
 public:
  experiment_reader(experiment& to, issue_list& issues) : to_(to), issues_(issues), read_(issues) {}

  void all(const yaml_node& root) {
    read_.keys(root, "", keys_of(""));
    to_.title = text(root, "", "title", true);
    to_.of = text(root, "", "of");
    to_.about = text(root, "", "about");
    if (const yaml_node* node = read_.required(root, "", "command"))
      if (const auto c = read_.choice(*node, "command", field_of("command"))) to_.command = static_cast<command>(*c);
    if (const yaml_node* node = read_.required(root, "", "config"))
      // Whoever runs it looks whether it is there: a finished sweep's copy of the experiment is in another folder.
      if (const auto f = read_.text(*node, "config")) to_.config = resolved_path(node->where, *f);
    if (const yaml_node* node = root.find("set")) settings(*node, "set", to_.set);
    if (const yaml_node* node = read_.required(root, "", "axes")) axes(*node);
    if (const yaml_node* node = root.find("except")) exceptions(*node);
    if (const yaml_node* node = read_.required(root, "", "measures")) measures(*node);
    if (const yaml_node* node = root.find("holds")) rules(*node);
    // Before figures lose the labels that the short form does not have.
    if (const yaml_node* node = root.find("figures")) figures(*node);
    if (const yaml_node* node = root.find("small")) small(*node);
    if (to_.n_points() > most_points)
      read_.issue(
          root.where, "axes",
          "the grid has " + std::to_string(to_.n_points()) + " points, more than " + std::to_string(most_points));
  }

 private:
  std::string text(const yaml_node& node, const std::string& path, const char* key, bool needed = false) {
    const yaml_node* value = needed ? read_.required(node, path, key) : node.find(key);
    if (value == nullptr) return "";
    return read_.text(*value, path_join(path, key)).value_or("");
  }

  void settings(const yaml_node& node, const std::string& path, std::vector<setting>& to) {
    if (!read_.mapping(node, path)) return;
    for (const yaml_entry& e : node.entries) {
      const bool names_file = e.key == "machine" || e.key == "machine.base" || e.key == "program.source";
      if (names_file && e.value.is_scalar()) {
        to.push_back({e.key, nlohmann::json(resolved_path(e.value.where, e.value.text)).dump()});
        continue;
      }
      to.push_back({e.key, flow_text(e.value)});
    }
  }

  void axes(const yaml_node& node) {
    if (!read_.list(node, "axes")) return;
    if (node.items.empty()) read_.issue(node.where, "axes", "there is none");
    for (size_t k = 0; k < node.items.size(); ++k) {
      const std::string path = path_join("axes", std::to_string(k));
      const yaml_node& one = node.items[k];
      if (!read_.mapping(one, path)) continue;
      axis a;
      if (one.find("file") != nullptr)
        of_file(one, path, a);
      else
        given(one, path, a);
      if (to_.axis_index(a.name) != to_.axes.size())
        read_.issue(one.where, path, "there is an axis " + in_quotes(a.name) + " already");
      to_.axes.push_back(std::move(a));
    }
  }
  void given(const yaml_node& one, const std::string& path, axis& a) {
    read_.keys(one, path, {"name", "key", "values", "points", "file", "only"});
    a.name = text(one, path, "name", true);
    const yaml_node *key = one.find("key"), *values = one.find("values"), *points = one.find("points");
    if ((points != nullptr) == (key != nullptr) || (key != nullptr) != (values != nullptr))
      read_.issue(one.where, path, "give either key and values, or points");
    else if (points != nullptr)
      labelled(*points, path_join(path, "points"), a);
    else
      of_key(text(one, path, "key"), *values, path_join(path, "values"), a);
  }
  // Axes that several experiments share.
  void of_file(const yaml_node& one, const std::string& path, axis& a) {
    read_.keys(one, path, {"file", "only"});
    const std::string name = text(one, path, "file", true);
    if (name.empty()) return;
    // A finished sweep keeps its experiment with such files beside it.
    if (name.find('/') != std::string::npos)
      return read_.issue(one.find("file")->where, path_join(path, "file"), "must be in the experiment's own folder");
    const std::string file = resolved_path(one.find("file")->where, name);
    yaml_node root;
    if (!parse_yaml_file(file, path, root, issues_) || !read_.mapping(root, path)) return;
    to_.axis_files.push_back(file);
    read_.keys(root, path, {"name", "points"});
    a.name = text(root, path, "name", true);
    if (const yaml_node* points = read_.required(root, path, "points")) labelled(*points, path_join(path, "points"), a);
    const yaml_node* only = one.find("only");
    if (only == nullptr) return;
    const std::string here = path_join(path, "only");
    const auto labels = read_.texts(*only, here);
    if (!labels) return;
    for (const std::string& l : *labels) known_label(a, l, only->where, here);
    keep(a, *labels);
  }
  void labelled(const yaml_node& node, const std::string& path, axis& a) {
    if (!read_.mapping(node, path)) return;
    for (const yaml_entry& e : node.entries) {
      a.points.push_back({e.key, {}});
      settings(e.value, path_join(path, e.key), a.points.back().set);
    }
    if (a.points.empty()) read_.issue(node.where, path, "there is none");
  }
  void of_key(const std::string& key, const yaml_node& node, const std::string& path, axis& a) {
    if (!read_.list(node, path)) return;
    for (const yaml_node& v : node.items) {
      std::string label = v.is_scalar() ? v.text : flow_text(v);
      for (const axis_point& p : a.points)
        if (p.label == label) read_.issue(v.where, path, in_quotes(label) + " is there twice");
      a.points.push_back({std::move(label), {{key, flow_text(v)}}});
    }
    if (a.points.empty()) read_.issue(node.where, path, "there is none");
  }

  void measures(const yaml_node& node) {
    if (!read_.mapping(node, "measures")) return;
    for (const yaml_entry& e : node.entries) {
      if (to_.axis_index(e.key) != to_.axes.size())
        read_.issue(e.where, path_join("measures", e.key), "an axis has that name");
      if (const auto path = read_.text(e.value, path_join("measures", e.key))) to_.measures.push_back({e.key, *path});
    }
  }
  std::string measure_name(const yaml_node& node, const std::string& path, const char* key, bool needed) {
    const std::string name = text(node, path, key, needed);
    std::vector<std::string> known;
    for (const measure& m : to_.measures) known.push_back(m.name);
    if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end())
      read_.issue(node.find(key)->where, path_join(path, key),
                  in_quotes(name) + " is no measure" + did_you_mean(name, known));
    return name;
  }
  std::string axis_name(const yaml_node& node, const std::string& path, const char* key, bool needed) {
    const std::string name = text(node, path, key, needed);
    if (!name.empty()) known_axis(name, node.find(key)->where, path_join(path, key));
    return name;
  }
  const axis* known_axis(const std::string& name, const origin& where, const std::string& path) {
    const size_t k = to_.axis_index(name);
    if (k != to_.axes.size()) return &to_.axes[k];
    std::vector<std::string> known;
    for (const axis& a : to_.axes) known.push_back(a.name);
    read_.issue(where, path, in_quotes(name) + " is no axis" + did_you_mean(name, known));
    return nullptr;
  }
  void known_label(const axis& a, const std::string& label, const origin& where, const std::string& path) {
    std::vector<std::string> known;
    for (const axis_point& p : a.points) known.push_back(p.label);
    if (std::find(known.begin(), known.end(), label) == known.end())
      read_.issue(where, path, in_quotes(label) + " is no point of axis " + a.name + did_you_mean(label, known));
  }
  using place_list = std::vector<std::pair<std::string, std::string>>;
  void places(const yaml_node& parent, const std::string& parent_path, const char* key, place_list& to) {
    if (const yaml_node* node = parent.find(key)) places(*node, path_join(parent_path, key), to);
  }
  // AXIS: LABEL
  void places(const yaml_node& node, const std::string& path, place_list& to) {
    if (!read_.mapping(node, path)) return;
    for (const yaml_entry& e : node.entries) {
      const auto label = read_.text(e.value, path_join(path, e.key));
      const axis* a = known_axis(e.key, e.where, path);
      if (label && a != nullptr) known_label(*a, *label, e.value.where, path_join(path, e.key));
      if (label) to.emplace_back(e.key, *label);
    }
  }

  void exceptions(const yaml_node& node) {
    if (!read_.list(node, "except")) return;
    for (size_t k = 0; k < node.items.size(); ++k)
      places(node.items[k], path_join("except", std::to_string(k)), to_.left_out.emplace_back());
  }

  void rules(const yaml_node& node) {
    if (!read_.list(node, "holds")) return;
    for (size_t k = 0; k < node.items.size(); ++k) {
      const std::string path = path_join("holds", std::to_string(k));
      if (!read_.mapping(node.items[k], path)) continue;
      read_.keys(node.items[k], path, keys_of("holds.*"));
      to_.rules.push_back(
          {measure_name(node.items[k], path, "measure", true), measure_name(node.items[k], path, "at_most", true)});
    }
  }

  bool truth(const yaml_node& node, const std::string& path, const char* key) {
    const yaml_node* value = node.find(key);
    if (value == nullptr) return false;
    return read_.choice(*value, path_join(path, key), field_of(std::string("figures.*.") + key)).value_or(0) == 1;
  }

  void figures(const yaml_node& node) {
    if (!read_.list(node, "figures")) return;
    for (size_t k = 0; k < node.items.size(); ++k) {
      const std::string path = path_join("figures", std::to_string(k));
      const yaml_node& one = node.items[k];
      if (!read_.mapping(one, path)) continue;
      read_.keys(one, path, keys_of("figures.*"));
      figure f;
      f.title = text(one, path, "title", true);
      f.of = text(one, path, "of");
      if (const yaml_node* plot = one.find("plot"))
        if (const auto c = read_.choice(*plot, path_join(path, "plot"), field_of("figures.*.plot")))
          f.plot = static_cast<figure::form>(*c);
      f.x = axis_name(one, path, "x", true);
      f.series = axis_name(one, path, "series", false);
      places(one, path, "at", f.at);
      f.unit = text(one, path, "unit");
      f.logarithmic = truth(one, path, "logarithmic");
      f.sorted = truth(one, path, "sorted");
      f.means = truth(one, path, "means");
      f.reading = text(one, path, "reading");
      if (const yaml_node* lines = read_.required(one, path, "lines"))
        figure_lines(*lines, path_join(path, "lines"), f);
      for (const figure_line& l : f.lines) require_fixed(f, l, one.where, path);
      if (const yaml_node* paper = one.find("paper")) paper_values(*paper, path_join(path, "paper"), f);
      to_.figures.push_back(std::move(f));
    }
  }
  void figure_lines(const yaml_node& node, const std::string& path, figure& f) {
    if (!read_.list(node, path)) return;
    for (size_t k = 0; k < node.items.size(); ++k) {
      const std::string here = path_join(path, std::to_string(k));
      const yaml_node& one = node.items[k];
      if (!read_.mapping(one, here)) continue;
      read_.keys(one, here, keys_of("figures.*.lines.*"));
      figure_line l;
      l.label = text(one, here, "label", true);
      l.measure = measure_name(one, here, "measure", true);
      l.base = measure_name(one, here, "base", false);
      if (const yaml_node* as = one.find("as"))
        if (const auto c = read_.choice(*as, path_join(here, "as"), field_of("figures.*.lines.*.as")))
          l.as = static_cast<figure_line::form>(*c);
      places(one, here, "base_at", l.base_at);
      places(one, here, "at", l.at);
      f.lines.push_back(std::move(l));
    }
  }
  // A value of a curve is of one point, so every other axis must be fixed.
  void require_fixed(const figure& f, const figure_line& l, const origin& where, const std::string& path) {
    const auto names = [](const auto& places, const axis& a) {
      return std::any_of(places.begin(), places.end(), [&](const auto& p) { return p.first == a.name; });
    };
    for (const axis& a : to_.axes)
      if (a.name != f.x && a.name != f.series && a.points.size() > 1 && !names(f.at, a) && !names(l.at, a))
        read_.issue(where, path,
                    in_quotes(l.label) + " needs a point of axis " + a.name + ": give it in at, or as series");
  }
  void paper_values(const yaml_node& node, const std::string& path, figure& f) {
    if (!read_.list(node, path)) return;
    for (size_t k = 0; k < node.items.size(); ++k) {
      const std::string here = path_join(path, std::to_string(k));
      const yaml_node& one = node.items[k];
      if (!read_.mapping(one, here)) continue;
      read_.keys(one, here, keys_of("figures.*.paper.*"));
      paper_value v;
      v.x = text(one, here, "x");
      v.line = text(one, here, "line", true);
      const size_t x = to_.axis_index(f.x);
      if (!v.x.empty() && x != to_.axes.size())
        known_label(to_.axes[x], v.x, one.find("x")->where, path_join(here, "x"));
      if (const yaml_node* value = read_.required(one, here, "value"))
        v.value = read_.real(*value, path_join(here, "value")).value_or(0);
      f.paper.push_back(std::move(v));
    }
  }

  void small(const yaml_node& node) {
    if (!read_.mapping(node, "small")) return;
    read_.keys(node, "small", keys_of("small"));
    std::vector<setting> more;
    if (const yaml_node* set = node.find("set")) settings(*set, "small.set", more);
    if (to_.small) to_.set.insert(to_.set.end(), more.begin(), more.end());
    const yaml_node* kept = node.find("axes");
    if (kept == nullptr || !read_.mapping(*kept, "small.axes")) return;
    for (const yaml_entry& e : kept->entries) {
      const std::string path = path_join("small.axes", e.key);
      const axis* a = known_axis(e.key, e.where, path);
      const auto labels = read_.texts(e.value, path);
      if (a == nullptr || !labels) continue;
      for (const std::string& l : *labels) known_label(*a, l, e.value.where, path);
      if (labels->empty()) read_.issue(e.value.where, path, "there is none");
      if (to_.small) keep(to_.axes[to_.axis_index(e.key)], *labels);
    }
  }
  static void keep(axis& a, const std::vector<std::string>& labels) {
    const auto gone = [&](const axis_point& p) {
      return std::find(labels.begin(), labels.end(), p.label) == labels.end();
    };
    a.points.erase(std::remove_if(a.points.begin(), a.points.end(), gone), a.points.end());
  }

  experiment& to_;
  issue_list& issues_;
  reader read_;
};

}  // namespace

const char* name_of(command c) {
  return command_names[static_cast<size_t>(c)].c_str();
}

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
  static const std::vector<field> fields = make_fields();
  return fields;
}

experiment load_experiment(const std::string& file, bool small) {
  experiment e;
  e.file = file;
  e.name = std::filesystem::path(file).stem().string();
  e.small = small;
  issue_list issues(file);
  yaml_node root;
  if (!parse_yaml_file(file, "", root, issues) || !reader(issues).mapping(root, "")) issues.throw_if_any();
  experiment_reader(e, issues).all(root);
  issues.throw_if_any();
  std::ifstream in(file, std::ios::binary);
  e.text.assign(std::istreambuf_iterator<char>(in), {});
  return e;
}

}  // namespace pws::platform::sweep
