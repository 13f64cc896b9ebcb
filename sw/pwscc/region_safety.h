// SPDX-License-Identifier: Apache-2.0
// Instructions that must not execute between a split and its merge.
#pragma once

#include <string>

#include "models/flow/flow_graph.h"
#include "sw/cfg/exec_tracking.h"
#include "sw/cfg/split_region.h"

namespace pws::pwscc {

struct unsafe_instruction {
  size_t instruction = 0;
  std::string why;
};

// The first instruction of the region that is unsafe there; `why` is empty if there is none. Unsafe is what
// - waits for the whole workgroup (s_barrier) or leaves the function (calls: what they do is not known);
// - reaches vector registers of work-items that may be on the other side: v_writelane_b32, DPP, ds_permute_b32,
//   ds_bpermute_b32, ds_swizzle_b32, v_readlane_b32 of a register that the region writes, v_readfirstlane_b32 where no
//   work-item may be active;
// - changes state of the wavefront in a way that the code does not tell: s_setreg_b32, s_movreld, the branch stack,
//   messages.
unsafe_instruction find_unsafe(const cfg::flow_graph& graph, const cfg::exec_tracking& exec,
                               const cfg::split_region& region);

}  // namespace pws::pwscc
