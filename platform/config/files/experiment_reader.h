// SPDX-License-Identifier: Apache-2.0
// The parts of an experiment file, each read in a file of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/config/files/experiment.h"
#include "platform/config/schema.h"

namespace pws::platform::sweep {

using place_list = std::vector<std::pair<std::string, std::string>>;  // axis, label

// What takes part in a figure knows the experiment, whose axes and measures it names.
struct loading_rule : bound_rule {
  const experiment* all = nullptr;
};
struct figure_line {
  enum class form : uint8_t { plain, ratio, speedup, reduction };
  const experiment* all = nullptr;
  std::string label, measure;
  form as = form::plain;
  std::string base;
  place_list base_at, at;
};
constexpr auto enumerators(figure_line::form) {
  using e = figure_line::form;
  return std::array{named{e::plain, "plain"}, named{e::ratio, "ratio"}, named{e::speedup, "speedup"},
                    named{e::reduction, "reduction"}};
}
struct figure {
  enum class form : uint8_t { bars, stacked, lines };
  const experiment* all = nullptr;
  origin where;
  std::string path;
  std::string title, of, unit, reading, x, series;
  form plot = form::bars;
  std::vector<std::string> only;
  place_list at;
  std::vector<figure_line> lines;
  bool logarithmic = false, sorted = false;
};
constexpr auto enumerators(figure::form) {
  using e = figure::form;
  return std::array{named{e::bars, "bars"}, named{e::stacked, "stacked"}, named{e::lines, "lines"}};
}
struct loading_axis : axis {
  const experiment* all = nullptr;
  std::string key, file;
  std::vector<std::string> only;
};
// Which keys there are says how an axis is given.
struct axis_schema : schema<loading_axis> {
  axis_schema();
  const schema<loading_axis>::key &name, &key, &values, &points, &file, &only;
};

// axis_reader.cpp
// The file `name` of the folder in which `where` is; adds it to `files`. False: an issue says why not.
bool read_beside(const origin& where, const std::string& path, const std::string& name, yaml_node& root,
                 std::vector<std::string>& files, reader& read);
const axis_schema& axis_keys();
bool read_axes(const value_at& v, experiment& to);
bool read_settings(const value_at& v, std::vector<setting>& to);             // KEY: VALUE
bool read_places(const value_at& v, const experiment& all, place_list& to);  // AXIS: LABEL
bool known_label(const value_at& v, const axis& a, const std::string& label);
const axis* known_axis(const experiment& all, const std::string& name, const origin& where, const std::string& path,
                       reader& read);
void keep(axis& a, const std::vector<std::string>& labels);

// figure_reader.cpp
const schema<figure>& figure_schema();
const schema<loading_rule>& rule_schema();
bool read_figures(const value_at& v, experiment& to);
bool read_rules(const value_at& v, experiment& to);

}  // namespace pws::platform::sweep
