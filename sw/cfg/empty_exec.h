// SPDX-License-Identifier: Apache-2.0
// What code does that runs with no work-item active: whether a branch that skips it then may be left out.
//
// The side of a branch is followed from its first instruction on with EXEC empty. What is known of scalar registers is
// that they are 0 or all ones, and which register's value of before they still have; compares write 0, conditions that
// are known choose the way. The side is harmless if it comes to where the skip leads with EXEC empty, whatever else is
// unknown, passes no block twice, has no instruction on its way that acts without work-items, and leaves each scalar
// register that is read later as it was, or with a value that it also has when some work-items take the side and others
// do not, which the code behind must allow: one that depends on scalars alone, or a lane mask, of which the bit of a
// work-item that does not take the side depends on that work-item alone. (The compiler keeps what two ways bring in one
// scalar register only if they bring the same, or one of them nothing that is used.) So this is for the code of a
// compiler that treats EXEC as clang does.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/liveness.h"

namespace pws::cfg {

struct empty_finding {
  size_t instruction = 0;  // that speaks against it; the skip itself if it is no single one
  std::string why;         // empty: harmless
  bool harmless() const { return why.empty(); }
};

class empty_exec {
 public:
  // `graph` is of a kernel, which starts at its first instruction, and outlives this, as `live` does.
  empty_exec(const flow_graph& graph, const scalar_liveness& live);

  // If the skip, a branch on EXEC, were not there. Skips for which `removed` says true are not there already.
  empty_finding without(size_t skip, const std::vector<bool>& removed) const;

  // What a skip leads over: from behind it (or, of s_cbranch_execnz, from its target) to where the skip leads.
  struct side {
    size_t first = 0, end = 0;  // instructions: its first, and the one where it is over
    bool single = false;        // one way in, and one out: to `end`
    size_t instructions = 0;    // without the skips in it
    size_t blocks = 0;
  };
  side side_of(size_t skip) const;

 private:
  bool base_is_argument(const isa::inst& load, size_t at) const;

  const flow_graph& graph_;
  const scalar_liveness& live_;
  std::vector<scalar_set> written_;  // per block: registers that some way from the kernel's entry has written before it
};

}  // namespace pws::cfg
