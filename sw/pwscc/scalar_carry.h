// SPDX-License-Identifier: Apache-2.0
// Scalar registers that are written between a split and its merge and read after it. The machine keeps the parent's, so
// each must either have the same value on both sides or go through the vector registers that the sides share.
#pragma once

#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/split_region.h"

namespace pws::pwscc {

// First register of an aligned pair with a bit per work-item: what vector compares write, and what is computed from
// that bit by bit.
using lane_mask = unsigned;

struct carried_scalars {
  std::vector<lane_mask> masks;  // ascending
  bool vcc_free = false;         // VCC may be overwritten at the merge
  std::string refusal;           // a register that is neither a lane mask nor the same on both sides; empty: none
};

// Only writes that reach the merge count: registers serve several purposes between. A register's value is the same on
// both sides if the same instruction, or equal ones, write it on every path, and the scalar unit computes it from
// constants, from what was there before the region, and from such values. A lane mask is a pair that the region writes
// by whole-mask operations only and that, from the merge on, only whole-mask operations read (copies followed).
carried_scalars find_carried(const cfg::flow_graph& graph, const cfg::scalar_liveness& live,
                             const cfg::split_region& region);

// "s[4:5]", "vcc", "s7".
std::string scalar_name(unsigned first, unsigned count);

}  // namespace pws::pwscc
