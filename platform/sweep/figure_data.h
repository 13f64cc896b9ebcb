// The numbers of a figure: ours from the sweep's table, and the papers'.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/sweep/results.h"

namespace pws::platform::sweep {

struct curve {
  std::string label;
  std::vector<std::optional<double>> y;  // one per place on x; nothing: no such point, it failed, or has no such value
};

struct figure_data {
  std::vector<std::string> x;  // labels
  size_t means = 0;            // how many of them, at the end, are means over the others
  std::vector<curve> ours, paper;
  std::vector<std::pair<std::string, double>> across;  // horizontal lines of the paper
  std::vector<std::string> missing;                    // points of the figure without a value, and why
};

figure_data data_of(const experiment& e, const sweep_results& r, const figure& f);

}  // namespace pws::platform::sweep
