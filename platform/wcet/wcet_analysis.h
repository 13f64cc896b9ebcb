// SPDX-License-Identifier: Apache-2.0
// The worst-case execution times of a run's kernels on its machine: what `pwsvp wcet` does.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/report/inputs_report.h"
#include "platform/run/program/compiled_program.h"
#include "platform/wcet/launch_analysis.h"
#include "platform/wcet/sensitivity.h"

namespace pws::platform {

struct wcet_program {
  std::string file, source;
  std::optional<launch_choice> by_launch;  // of the program
  std::vector<std::string> warnings;       // what of the configuration does nothing
  report_inputs inputs;
  std::vector<std::unique_ptr<wcet_result>> launches;  // in order, at least one
  std::optional<bound_sensitivity> sensitivity;        // where it is asked for
  int signal = 0;                                      // that stopped the runs; the bounds are there all the same
};

// Lays out the launches on the machine and analyses each; `program` is that of the configuration, with its assembly.
// `observe`: then runs them too, once, in order. One call per process, because SystemC is. Throws input_error for what
// cannot be analysed, naming loops without bounds by source line; interrupted_error where a signal leaves no bounds.
wcet_program analyse_wcet(const run_config& config, const compiled_program& program, bool observe);

// Runs the launches once, in order, and counts the loops that have no bound: each once, with the most of all launches.
// Throws as above, but not for loops; program_error where a launch fails.
std::vector<unbounded_loop> suggest_bounds(const run_config& config, const compiled_program& program);
// As lines of a run file, to be added to it; or that there is nothing to add.
std::string suggestion_text(const std::vector<unbounded_loop>& loops);

}  // namespace pws::platform
