// SPDX-License-Identifier: Apache-2.0
// Runs an experiment's points, several at a time, and keeps what is finished: a sweep that was stopped goes on where it
// was.
//
// DIR/points/N/, DIR/programs/   platform/sweep/point_runner.h
// DIR/table.csv, sweep.json, experiment.yaml   the whole, when no point is left
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "platform/sweep/point_runner.h"
#include "platform/sweep/results.h"

namespace pws::platform::sweep {

struct sweep_options {
  std::filesystem::path folder;
  unsigned jobs = 0;     // at a time; 0: one per processor
  bool anew = false;     // forget what is finished
  bool collect = false;  // run nothing: the table of what is there
  std::string command;   // that started it, as a shell takes it
};

struct sweep_outcome {
  size_t points = 0, failed = 0, refused = 0;
  size_t kept = 0;  // finished by an earlier call
};

// A line on `out` per point. Every point's configuration is checked before the first one runs: throws input_error for
// bad ones, for a folder that another sweep is running in, and for files that cannot be written. A point that fails
// stops no other, is in the table, and runs again with the next call.
sweep_outcome run_sweep(const experiment& e, const sweep_options& options, std::ostream& out);

// These points alone, from 0, and no table. Other processes may run other points in the same folder at the same time.
sweep_outcome run_points(const experiment& e, const sweep_options& options, const std::vector<size_t>& points,
                         std::ostream& out);

struct checked_points {
  size_t points = 0;
  std::vector<std::string> warnings;  // what of the configuration does nothing, and at how many points
};
// Checks every point's configuration as run_sweep does, and compiles where warnings depend on the code. Throws
// input_error.
checked_points check_points(const experiment& e);

// The points that run, and what the folder has of them.
struct listed_point {
  size_t number = 0;  // from 0
  point_runner::state state = point_runner::state::none;
  std::string message;  // why it failed
};
std::vector<listed_point> list_points(const experiment& e, const std::filesystem::path& folder);

}  // namespace pws::platform::sweep
