// SPDX-License-Identifier: Apache-2.0
// What `pwsvp reconvergence` does: runs a run's kernel, unmodified, on a machine without splitting, records the traces
// of its first work-items, and aligns them (sw/reconvergence/limit_study.h).
#pragma once

#include <string>
#include <vector>

#include "platform/config/files/run_config.h"
#include "sw/reconvergence/limit_study.h"

namespace pws::platform {

struct reconvergence_options {
  uint64_t work_items = 128;     // whose traces are recorded: the launch's first
  uint32_t warp_size = 16;       // a power of two, largest_warp at most
  uint64_t max_blocks = 20'000;  // passes of blocks in one trace
};

struct reconvergence_result {
  std::string file, source, kernel;
  launch_config launch;
  reconvergence_options options;
  uint64_t work_items = 0;  // recorded
  uint64_t longest = 0;     // trace, in passes
  reconvergence::study study;
  reconvergence::warp_times times;  // summed over the warps
  uint64_t executed = 0;            // instructions, summed over the work-items
  // A branch at which work-items diverged. The list is sorted by address.
  struct branch {
    uint64_t offset = 0;                     // in bytes from the kernel's entry
    std::string text;                        // disassembled
    std::optional<uint64_t> post_dominator;  // offset; the immediate one
    reconvergence::branch_result result;
  };
  std::vector<branch> branches;
  int signal = 0;            // that stopped the study; everything here is of the warps studied until then
  uint64_t not_studied = 0;  // warps

  // Warps for which a predicate of their result holds.
  template <class predicate>
  uint64_t warps_with(predicate p) const {
    uint64_t n = 0;
    for (const reconvergence::warp_result& w : study.warps) n += p(w);
    return n;
  }
};

constexpr uint64_t most_blocks = uint64_t{1} << 28;  // in all traces; four bytes each

// One call per process, because SystemC is. Throws input_error for bad input, among it options that allow more than
// most_blocks, and a trace longer than max_blocks; program_error if the program fails or its results are not as the
// file expects; interrupted_error if a signal came before traces were there.
reconvergence_result study_reconvergence(const run_config& config, const reconvergence_options& options);

}  // namespace pws::platform
