// An experiment: a grid of runs, what is taken from each, and the tables and figures that come of it. Read from
// experiments/*.yaml; docs/experiments.md has the keys.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "platform/config/schema/field.h"
#include "platform/config/yaml/origin.h"

namespace pws::platform::sweep {

// A key of the configuration and its value as YAML in one line: what `--set KEY=VALUE` takes. KEY+ adds to a list that
// an earlier setting made.
struct setting {
  std::string key, value;
};

// A place on an axis.
struct axis_point {
  std::string label;
  std::vector<setting> set;
};

struct axis {
  std::string name;
  std::vector<axis_point> points;
};

enum class command : uint8_t { run, wcet, exec, graph, reconvergence };  // the pwsvp command that a point is
constexpr auto enumerators(command) {
  using e = command;
  return std::array{named{e::run, "run"}, named{e::wcet, "wcet"}, named{e::exec, "exec"}, named{e::graph, "graph"},
                    named{e::reconvergence, "reconvergence"}};
}

// A number of each point's report: by its path there ("bounds.pws.E_kernel"); of a quantity its value. exec: paths that
// begin with "compiler." are of pwscc's report of the program.
struct measure {
  std::string name, path;
  origin where;  // of the path
};
constexpr const char* compiler_prefix = "compiler.";
inline bool is_of_compiler(const measure& m) {
  return m.path.rfind(compiler_prefix, 0) == 0;
}

// Must hold at every point where both are known.
struct bound_rule {
  std::string smaller, larger;  // names of measures
};

// One curve or group of bars, or several, one for each point of figure::series.
struct figure_line {
  enum class form : uint8_t { plain, ratio, speedup, reduction };  // v, v / base, base / v, 100 (1 - v / base) %
  std::string label;
  std::string measure;
  form as = form::plain;
  std::string base;                                          // measure; empty: the same one
  std::vector<std::pair<std::string, std::string>> base_at;  // axis, label: the base is at the point with these instead
  std::vector<std::pair<std::string, std::string>> at;       // only points with these labels; not over figure::series
};

constexpr auto enumerators(figure_line::form) {
  using e = figure_line::form;
  return std::array{named{e::plain, "plain"}, named{e::ratio, "ratio"}, named{e::speedup, "speedup"},
                    named{e::reduction, "reduction"}};
}

// What a paper printed, or draws as a line across the figure.
struct paper_value {
  std::string x, line;  // labels of the axis and of the curve; x empty: a horizontal line called `line`
  double value = 0;
};

enum class mean : uint8_t { geometric, arithmetic, harmonic };
constexpr auto enumerators(mean) {
  using e = mean;
  return std::array{named{e::geometric, "geometric"}, named{e::arithmetic, "arithmetic"},
                    named{e::harmonic, "harmonic"}};
}

struct figure {
  enum class form : uint8_t { bars, stacked, lines };  // stacked: a place's bars on top of each other
  std::string title, of;                               // "Fig. 10a"
  form plot = form::bars;
  std::string x;                                        // axis
  std::vector<std::string> only;                        // labels of x that are shown; empty: all
  std::string series;                                   // axis whose points are curves of their own; may be empty
  std::vector<std::pair<std::string, std::string>> at;  // only points with these labels
  std::vector<figure_line> lines;
  std::string unit;
  bool logarithmic = false;
  bool sorted = false;      // x ascending by the first curve
  std::vector<mean> means;  // of each curve, as further x
  std::vector<paper_value> paper;
  std::string reading;  // what the full form shows; paragraphs are divided by empty lines
};

constexpr auto enumerators(figure::form) {
  using e = figure::form;
  return std::array{named{e::bars, "bars"}, named{e::stacked, "stacked"}, named{e::lines, "lines"}};
}

struct experiment {
  std::string file;
  std::string text;  // of the file
  std::string name;  // of the file, without folder and extension
  std::string title, of, about;
  sweep::command command = sweep::command::run;
  std::string refusal;  // a point that fails with a message with these words is refused, not failed; empty: none is
  std::string config;   // file
  std::vector<setting> set;
  std::string like;                // name of the experiment whose keys stand for those that are not given; empty: none
  std::vector<std::string> files;  // read beside this one, for `like` and axes; in its folder
  std::vector<axis> axes;          // the grid is every combination, the last axis fastest
  std::vector<std::vector<std::pair<std::string, std::string>>> left_out;  // points with all these labels do not run
  std::vector<measure> measures;
  std::vector<bound_rule> rules;
  std::vector<figure> figures;
  std::vector<std::string> reuse;  // names of experiments
  bool small = false;

  size_t n_points() const;
  // One index per axis.
  std::vector<size_t> point(size_t number) const;
  size_t number_of(const std::vector<size_t>& point) const;
  bool runs(const std::vector<size_t>& point) const;
  size_t measure_index(const std::string& name) const;  // of one that there is
  size_t axis_index(const std::string& name) const;     // axes.size(): none
};

// `small`: with the labels and settings of the file's key `small`. Throws config_error with every problem.
experiment load_experiment(const std::string& file, bool small);

// For `pwsvp params`.
const std::vector<field>& experiment_fields();

}  // namespace pws::platform::sweep
