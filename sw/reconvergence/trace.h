// SPDX-License-Identifier: Apache-2.0
// What each work-item of a warp executes, and in which order the warp may issue it.
#pragma once

#include <cstddef>
#include <vector>

#include "sw/reconvergence/pass_table.h"

namespace pws::reconvergence {

constexpr uint32_t largest_warp = 64;  // work-items

// Which traces are recorded, and of what size the warps are that execute them.
struct study_options {
  uint64_t work_items = 128;     // a launch's first
  uint32_t warp_size = 16;       // a power of two, largest_warp at most
  uint64_t max_blocks = 20'000;  // passes of one trace
};
constexpr uint64_t most_blocks = uint64_t{1} << 28;  // in all traces; four bytes each

// One work-item's.
struct trace {
  std::vector<pass_id> passes;
  // How many passes come before each barrier. The wavefront's work-items all come to all of its barriers, as a GCN3
  // wavefront does whatever its EXEC says.
  std::vector<size_t> barriers;
};

using warp = std::vector<trace>;  // one at least, largest_warp at most

// A pass that some of the warp's work-items go through together.
struct slot {
  pass_id pass = 0;
  uint64_t members = 0;  // bit per work-item of the warp
};
using schedule = std::vector<slot>;  // one after the other

// Instructions that the warp issues.
inline uint64_t time_of(const schedule& s, const pass_table& passes) {
  uint64_t n = 0;
  for (const slot& one : s) n += passes.instructions(one.pass);
  return n;
}

}  // namespace pws::reconvergence
