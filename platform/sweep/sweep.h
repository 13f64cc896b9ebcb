// Runs an experiment's points, several at a time, and keeps what is finished: a sweep that was stopped goes on where it
// was.
//
// DIR/points/N/   a point: result.json (finished: only this makes it so), report.json, log.txt
// DIR/programs/   HIP programs of command exec
// DIR/table.csv, sweep.json, experiment.yaml   the whole, when no point is left
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "platform/sweep/results.h"

namespace pws::platform::sweep {

struct sweep_options {
  std::filesystem::path folder;
  unsigned jobs = 0;    // at a time; 0: one per processor
  bool anew = false;    // forget what is finished
  std::string command;  // that started it, as a shell takes it
};

struct sweep_outcome {
  size_t points = 0, failed = 0, refused = 0;
  size_t kept = 0;  // finished by an earlier call
};

// A line on `out` per point. Every point's configuration is checked before the first one runs: throws input_error for
// bad ones, for a folder that another sweep is running in, and for files that cannot be written. A point that fails
// stops no other, is in the table, and runs again with the next call.
sweep_outcome run_sweep(const experiment& e, const sweep_options& options, std::ostream& out);

// Checks every point's configuration as run_sweep does, and says how many there are. Throws input_error.
size_t check_points(const experiment& e);

// What a finished sweep left in its folder. Throws input_error.
struct kept_sweep {
  experiment what;
  sweep_results results;
};
kept_sweep load_sweep(const std::filesystem::path& folder);

}  // namespace pws::platform::sweep
