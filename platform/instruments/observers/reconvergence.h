// SPDX-License-Identifier: Apache-2.0
// The limit study of reconvergence (sw/reconvergence/limit_study.h) of a launch whose traces have been recorded, and
// what is kept of several launches.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/output/report_part.h"
#include "platform/instruments/observers/trace_recorder.h"
#include "sw/reconvergence/limit_study.h"

namespace pws::platform {

struct launch_reconvergence {
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
  uint64_t not_studied = 0;  // warps

  // Warps for which a predicate of their result holds.
  template <class predicate>
  uint64_t warps_with(predicate p) const {
    uint64_t n = 0;
    for (const reconvergence::warp_result& w : study.warps) n += p(w);
    return n;
  }
};

// The study of the launch that was recorded last. Asks `stop` after each warp; once it is true, no further one is
// studied.
launch_reconvergence study_of(const trace_recorder& traces, const std::function<bool()>& stop);

// How many times as fast as on the stack.
double speedup(const reconvergence::warp_times& t);

// Sums over all launches of a kernel, or of a program.
struct reconvergence_totals {
  std::string kernel;  // demangled
  uint64_t launches = 0, work_items = 0, executed = 0, warps = 0, optimal_warps = 0;
  uint64_t not_studied = 0;  // warps that were left when a signal came
  reconvergence::warp_times times;

  reconvergence_totals& operator+=(const launch_reconvergence& one);
  reconvergence_totals& operator+=(const reconvergence_totals& o);
};
reconvergence_totals sum_of(const std::vector<reconvergence_totals>& kernels);

// On one line.
std::string text(const reconvergence_totals& t);
const report_part<reconvergence::warp_times>& warp_times_part();
// A row for each kernel, and one for all together.
const report_part<std::vector<reconvergence_totals>>& kernels_reconvergence_part();

}  // namespace pws::platform
