// SPDX-License-Identifier: Apache-2.0
// What one run did, gathered from the machine after it: printed on one screen and written as JSON.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "platform/instruments/check/described_finding.h"
#include "platform/instruments/observers/branch_counter.h"
#include "platform/machine/cosimulation.h"
#include "platform/machine/virtual_platform.h"
#include "platform/report/inputs_report.h"
#include "platform/report/launch_report.h"
#include "platform/run/program/compiled_program.h"

namespace pws::platform {

struct run_report {
  // What ran
  std::string file, source;
  placed_splits split;
  models::machine_config machine;
  report_inputs inputs;
  std::vector<std::string> warnings;      // what of the configuration does nothing
  size_t counted_loops = 0;               // check.loop_bounds: loops with a mark
  std::vector<launch_report> launches;    // in order, as far as they began
  std::vector<kernel_branches> branches;  // trace.branch_uniformity
  // What happened
  std::string restored, saved;  // "FILE: before launch 2": the checkpoint that it began from, and that it has made
  bool built = true;            // there was a machine; else a signal has ended the building of it
  bool completed = false;
  std::string error;           // why not
  int signal = 0;              // SIGINT or SIGTERM came
  std::string unwritten;       // outputs that could not be written, a line for each
  models::cycle_t cycles = 0;  // of all launches; not completed: until it stopped, like everything that is counted
  machine_counters totals;
  std::vector<spsimd_use> spsimds;
  cosim::summary cosim;
  std::vector<check_outcome> checks;  // after the last launch
  check_results found;                // machine.check
  double host_seconds = 0;            // wall clock
  double host_cpu_seconds = 0;        // of this process

  bool pass() const;
  // All that were made, each with the launch that it is about before its name; its buffer alone after the last one.
  std::vector<check_outcome> all_checks() const;
  models::counted_on counted() const { return counted_by(machine, machine.fidelity, cycles); }
};

// Fills in what the machine counted.
void gather(run_report& r, const virtual_platform& board);

void print(std::ostream& out, const run_report& r);
// Only what has gone wrong; nothing of a run that has passed.
void print_problems(std::ostream& out, const run_report& r);
// Every quantity is an object of value and unit; what depends on the host is all under "host".
const report_part<run_report>& run_part();
// Throws input_error if the file cannot be written.
void write_json(const std::string& path, const run_report& r);

}  // namespace pws::platform
