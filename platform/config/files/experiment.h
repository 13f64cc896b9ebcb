// SPDX-License-Identifier: Apache-2.0
// An experiment: a grid of runs and what is taken from each. Read from experiments/*.yaml; docs/experiments.md has the
// keys. Its figures are checked here, and drawn by page/page.py, which reads them from the file itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "platform/config/field.h"
#include "platform/config/origin.h"

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
