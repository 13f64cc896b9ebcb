// SPDX-License-Identifier: Apache-2.0
// Figures of the report, and rules that must hold at every point.
#include <algorithm>

#include "platform/config/files/experiment_reader.h"
#include "platform/config/values/text.h"

namespace pws::platform::sweep {

namespace {

struct paper_value {
  const figure* of = nullptr;
  std::string x, line;
  double value = 0;
};

enum class mean : uint8_t { geometric, arithmetic, harmonic };
constexpr auto enumerators(mean) {
  using e = mean;
  return std::array{named{e::geometric, "geometric"}, named{e::arithmetic, "arithmetic"},
                    named{e::harmonic, "harmonic"}};
}

void known_measure(const value_at& v, const experiment& all, const std::string& name) {
  std::vector<std::string> known;
  for (const measure& m : all.measures) known.push_back(m.name);
  if (std::find(known.begin(), known.end(), name) == known.end())
    v.issue(in_quotes(name) + " is no measure" + did_you_mean(name, known));
}

// Keys whose value is a measure's or an axis's name, or names places.
template <class T, class P>
auto& add_measure(schema<T>& s, const char* name, P place, const char* help) {
  return s.text(name, place, help).then([place](const value_at& v, T& to) {
    known_measure(v, *to.all, std::invoke(place, to));
  });
}
template <class T, class P>
auto& add_axis(schema<T>& s, const char* name, P place, const char* help) {
  return s.text(name, place, help).then([place](const value_at& v, T& to) {
    known_axis(*to.all, std::invoke(place, to), v.node.where, v.path, v.read);
  });
}
template <class T, class P>
auto& add_places(schema<T>& s, const char* name, P place, const char* help) {
  return s
      .custom(name, field_kind::mapping, help,
              [place](const value_at& v, T& to) { return read_places(v, *to.all, std::invoke(place, to)); })
      .by_default("{}");
}

const schema<figure_line>& line_schema() {
  static const schema<figure_line> s([](schema<figure_line>& made) {
    using l = figure_line;
    made.text("label", &l::label, "in the key").required();
    add_measure(made, "measure", &l::measure, "v").required();
    made.choice("as", &l::as, "v; v / base; base / v; 100 (1 - v / base)");
    add_measure(made, "base", &l::base, "measure").by_default("the same");
    add_places(made, "base_at", &l::base_at, "AXIS: LABEL, where the base is taken");
    add_places(made, "at", &l::at, "AXIS: LABEL, only these points");
  });
  return s;
}

const schema<paper_value>& paper_schema() {
  static const schema<paper_value> s([](schema<paper_value>& made) {
    using p = paper_value;
    made.text("x", &p::x, "label").by_default("a line across").then([](const value_at& v, p& to) {
      const experiment& all = *to.of->all;
      const size_t axis = all.axis_index(to.of->x);
      if (axis != all.axes.size()) known_label(v, all.axes[axis], to.x);
    });
    made.text("line", &p::line, "label of the line, or of the line across").required();
    made.real("value", &p::value, "").required();
  });
  return s;
}

// A value of a curve is of one point, so every other axis must be fixed.
void require_fixed(const figure& f, const figure_line& l, reader& read) {
  const auto names = [](const place_list& places, const axis& a) {
    return std::any_of(places.begin(), places.end(), [&](const auto& p) { return p.first == a.name; });
  };
  for (const axis& a : f.all->axes)
    if (a.name != f.x && a.name != f.series && a.points.size() > 1 && !names(f.at, a) && !names(l.at, a))
      read.issue(f.where, f.path,
                 in_quotes(l.label) + " needs a point of axis " + a.name + ": give it in at, or as series");
}

bool read_lines(const value_at& v, figure& to) {
  const bool good = v.each_mapping([&](const value_at& item) {
    figure_line l;
    l.all = to.all;
    const bool read = line_schema().read(item.node, item.path, l, item.read);
    to.lines.push_back(l);
    return read;
  });
  for (const figure_line& l : to.lines) require_fixed(to, l, v.read);
  return good;
}

bool read_paper(const value_at& v, figure& to) {
  return v.each_mapping([&](const value_at& item) {
    paper_value p;
    p.of = &to;
    return paper_schema().read(item.node, item.path, p, item.read);
  });
}

bool read_means(const value_at& v, figure&) {
  if (!v.read.list(v.node, v.path)) return false;
  field one = v.about;
  one.choices = names<mean>();
  for (const yaml_node& item : v.node.items) v.read.choice(item, v.path, one);
  return true;
}

void fill_figure(schema<figure>& s) {
  using f = figure;
  using k = field_kind;
  s.text("title", &f::title, "one line").required();
  s.text("of", &f::of, "what it reproduces");
  s.choice("plot", &f::plot, "");
  add_axis(s, "x", &f::x, "axis along the figure").required();
  s.texts("only", &f::only, "labels of x; [] is all").then([](const value_at& v, f& to) {
    const size_t axis = to.all->axis_index(to.x);
    for (const std::string& label : to.only)
      if (axis != to.all->axes.size()) known_label(v, to.all->axes[axis], label);
  });
  add_axis(s, "series", &f::series, "axis whose points are lines of their own").by_default("none");
  add_places(s, "at", &f::at, "AXIS: LABEL, only these points");
  s.custom("lines", k::list, "curves or bars", read_lines).required().lists("*.", line_schema());
  s.text("unit", &f::unit, "of the values");
  s.boolean("logarithmic", &f::logarithmic, "");
  s.boolean("sorted", &f::sorted, "along x by the first line's values");
  s.custom("means", k::text_list, "of each line, as further x: geometric, arithmetic, harmonic", read_means)
      .by_default("[]");
  s.custom("paper", k::list, "printed values", read_paper).by_default("[]").lists("*.", paper_schema());
  s.text("reading", &f::reading, "what the full form shows");
}

}  // namespace

const schema<figure>& figure_schema() {
  static const schema<figure> s(fill_figure);
  return s;
}

const schema<loading_rule>& rule_schema() {
  static const schema<loading_rule> s([](schema<loading_rule>& made) {
    add_measure(made, "measure", &loading_rule::smaller, "the smaller one").required();
    add_measure(made, "at_most", &loading_rule::larger, "the larger one").required();
  });
  return s;
}

bool read_figures(const value_at& v, experiment& to) {
  return v.each_mapping([&](const value_at& item) {
    figure f;
    f.all = &to;
    f.where = item.node.where;
    f.path = item.path;
    return figure_schema().read(item.node, item.path, f, item.read);
  });
}

bool read_rules(const value_at& v, experiment& to) {
  return v.each_mapping([&](const value_at& item) {
    loading_rule r;
    r.all = &to;
    const bool read = rule_schema().read(item.node, item.path, r, item.read);
    to.rules.push_back(static_cast<const bound_rule&>(r));
    return read;
  });
}

}  // namespace pws::platform::sweep
