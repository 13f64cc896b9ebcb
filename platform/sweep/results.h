// SPDX-License-Identifier: Apache-2.0
// What a sweep has found: a table with a row per point of the grid.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/output/report_part.h"
#include "platform/config/files/experiment.h"

namespace pws::platform::sweep {

struct point_result {
  bool finished = false;  // false: the experiment leaves it out
  bool failed = false;
  bool stopped = false;                // failed, and its values are those up to where the run stopped
  bool refused = false;                // and not failed: the experiment expects some to be
  std::string message;                 // why it failed or was refused, in a line
  std::vector<nlohmann::json> values;  // one per measure: number, text, truth value; null: not in the report
  std::vector<std::string> units;      // one per measure
  std::vector<std::string> warnings;   // of the report: what of the configuration does nothing
  double seconds = 0;                  // wall clock
};

struct sweep_results {
  std::vector<point_result> points;                        // in the order of the grid
  std::string command;                                     // that ran it, as a shell takes it
  std::string finished;                                    // date and time, UTC
  std::vector<std::pair<std::string, std::string>> files;  // configuration: name and text
};

// Fills in values from a point's report; it fails where the experiment's rules do not hold.
void take_measures(const experiment& e, const nlohmann::json& report, point_result& to);

// The paths that a measure could have in the report, for suggestions.
std::vector<std::string> paths_in(const nlohmann::json& report);

nlohmann::ordered_json to_json(const point_result& r);
point_result point_from_json(const nlohmann::json& j, size_t n_measures);  // throws nlohmann::json::exception

// A row per point: axes, status (done, failed, stopped, refused, left out), message, measures (RFC 4180).
std::string to_csv(const experiment& e, const sweep_results& r);
// The same with units, and what the report needs besides the experiment: sweep.json.
struct sweep_entry {
  const experiment& of;
  const sweep_results& results;
};
const report_part<sweep_entry>& sweep_part();

}  // namespace pws::platform::sweep
