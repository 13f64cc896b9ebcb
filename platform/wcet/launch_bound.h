// SPDX-License-Identifier: Apache-2.0
// From one wavefront's bound to the kernel's: the PWS paper's section 5 for a launch on a machine.
#pragma once

#include <cstdint>
#include <optional>

#include "base/output/report_part.h"
#include "models/machine/machine_config.h"
#include "models/machine/occupancy.h"
#include "sw/wcet/instructions/machine_timing.h"
#include "sw/wcet/kernel/kernel_bound.h"
#include "sw/wcet/kernel/wavefront_bound.h"

namespace pws::platform {

// What a bound rests on: the machine's constants, or a run that block times were measured in.
struct static_basis {
  wcet::machine_timing timing;
};
struct measured_basis {
  // The thesis's forms with the delays of each wavefront and SWF of the first batch, and the longest path of each (Eq.
  // 5.4: splits in parallel; 5.5: one after the other).
  uint64_t l_kernel = 0, l_kernel_serialised = 0;
};

// A scheme's bound: the symbols of the PWS paper's section 5, in cycles where they are times.
struct scheme_bound {
  wcet::wavefront_bound wavefront;  // E_WF is wavefront.cycles
  uint64_t d = 0;                   // initialisation delay
  uint64_t n_simd = 0;              // SIMD units per CU, re-provisioned ones included
  uint64_t g_parallel_printed = 0;  // Eq. 4, which takes the GPU as one pool of contexts
  uint64_t g_parallel = 0;          // workgroups that always fit at a time: whole in a CU, with registers and LDS
  uint64_t d_s = 0;                 // Eq. 5 with g_parallel
  uint64_t e_kernel = 0;            // Eq. 6 or 8
};

// How reports have them.
constexpr report_row e_wf_row{"E_WF", "cycles", "of a wavefront at most"};
constexpr report_row d_row{"d", "cycles", "initialisation delay"};
constexpr report_row g_parallel_row{"G_parallel", "workgroups", "at a time"};
constexpr report_row d_s_row{"D_S", "dispatches", "one after the other"};
constexpr report_row e_kernel_row{"E_kernel", "cycles", "of the launch at most"};
const report_part<measured_basis>& thesis_part();

// The scheme whose bound a machine's runs must keep; nothing: it has none. pws-mode has one where block times are
// measured, that of no splitting: SWFs never merge, and each part executes a path of the unsplit graph, whose block
// times include those of all parts.
std::optional<wcet::scheme> analysed_scheme(models::divergence_kind d, bool measured);

struct launch_extent {
  uint64_t workgroups = 1;  // G
  models::workgroup_resources group;
};

// The longest from a workgroup's start on its CU to a wavefront's first issue, static: a first fetch in the context's
// next fetch slot, and the issue slot after it.
inline uint64_t first_issue_at_most(const wcet::machine_timing& t) {
  return 2 * t.round;
}

// Fills in what comes after bound.wavefront. `machine`: as provisioned.
//
// Sound for none and pws: a workgroup that waits is placed as soon as G_parallel are not resident, so the n-th begins
// when at most ceil(n / G_parallel) - 1 times d + E_WF have passed. That wavefronts of a workgroup wait for one another
// at barriers is in E_WF (sw/wcet/kernel/barrier_check.h). For dws, SWFs hold contexts that workgroups wait for: with S
// SWFs each, at least G_parallel / (S + 1) workgroups run at any time, which is Eq. 8's factor; the last one to start
// adds its own E_WF if there is more than one dispatch. S is what the code's splits can have open at the same time, if
// that is less than the machine's: code without splits is bounded as without splitting.
void bound_launch(const models::machine_config& machine, const launch_extent& launch, uint64_t first_issue,
                  scheme_bound& bound);

}  // namespace pws::platform
