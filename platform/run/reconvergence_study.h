// SPDX-License-Identifier: Apache-2.0
// What `pwsvp reconvergence` does: runs a run's kernel, unmodified, on a machine without splitting, records the traces
// of its first work-items, and aligns them (sw/reconvergence/limit_study.h).
#pragma once

#include <string>

#include "platform/config/files/run_config.h"
#include "platform/instruments/observers/reconvergence.h"

namespace pws::platform {

struct reconvergence_result : launch_reconvergence {
  std::string file, source, kernel;
  launch_config launch;
  reconvergence::study_options options;
  int signal = 0;  // that stopped the study; everything here is of the warps studied until then
};

// One call per process, because SystemC is. Throws input_error for bad input, among it options that allow more than
// reconvergence::most_blocks, and a trace longer than max_blocks; program_error if the program fails or its results are
// not as the file expects; interrupted_error if a signal came before traces were there.
reconvergence_result study_reconvergence(const run_config& config, const reconvergence::study_options& options);

}  // namespace pws::platform
