// SPDX-License-Identifier: Apache-2.0
// The machine's counters as they grow: a row for every so many cycles of a launch, in a file of comma-separated values
// or of JSON Lines. A row has what was counted behind the one before it, up to and with the cycle `to` of its launch;
// the last of a launch has the rest, so that rows add up to the launch's counters.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "platform/report/machine_counters.h"

namespace pws::platform {

class virtual_platform;

class statistics_rows {
 public:
  // Before the machine runs. From here on its compute units do not run ahead of SystemC time, so that what is counted
  // belongs to the cycles that it is said of. `path` ends in .csv or .jsonl; `every`: cycles, not 0. Throws input_error
  // if the file cannot be written.
  statistics_rows(const virtual_platform& board, const std::string& path, uint64_t every);

  // Before the launch that is submitted next.
  void begin(uint64_t launch);
  // Runs the simulation in place of sc_start(), to where that would return.
  void simulate();
  // When it has ended after so many cycles, however it has.
  void end(models::cycle_t cycles);
  // Throws input_error if something could not be written.
  void close();

 private:
  struct row {
    models::cycle_t from = 0, to = 0;
    machine_counters counters;
  };
  row up_to(models::cycle_t to);
  void write(const row& r);

  const virtual_platform& board_;
  const std::string path_;
  const uint64_t every_;
  const bool json_lines_;
  std::ofstream out_;
  bool titled_ = false;  // the CSV has its first line
  uint64_t launch_ = 0;
  models::cycle_t began_ = 0, done_ = 0;  // of the launch; what rows have of it
  machine_counters counted_;              // until there
  std::optional<row> last_;               // held back: a row of no cycles would follow where a launch ends with it
};

}  // namespace pws::platform
