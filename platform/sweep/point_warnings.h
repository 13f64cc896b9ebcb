// SPDX-License-Identifier: Apache-2.0
// What does nothing at the points of an experiment, which their reports list as `warnings`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/config/files/experiment.h"
#include "platform/sweep/point_command.h"

namespace pws::platform::sweep {

// By their text: the points, by number from 0, that have it.
using warned_points = std::map<std::string, std::vector<size_t>>;

// A line for each, which says at how many of `points` points it is so, and names the first.
std::vector<std::string> text_of(const warned_points& warned, const experiment& e, size_t points);

// Those of the point's report, without running it; device code is compiled where they depend on it. Throws input_error
// where it does not compile and that is not the refusal that the experiment expects.
std::vector<std::string> warnings_at(const experiment& e, const point_command& c);

}  // namespace pws::platform::sweep
