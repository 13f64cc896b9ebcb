// SPDX-License-Identifier: Apache-2.0
// Which scalar registers may still be read.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/scalar_set.h"

namespace pws::cfg {

class scalar_liveness {
 public:
  explicit scalar_liveness(const flow_graph& graph);

  // Registers whose value before (after) the instruction some path still reads. After a return (s_setpc_b64) and at a
  // call (s_swappc_b64) all are; instructions that choose registers by M0 read all.
  scalar_set before(size_t instruction) const;
  scalar_set after(size_t instruction) const;

 private:
  const flow_graph* graph_;
  std::vector<scalar_set> out_;  // per block
};

}  // namespace pws::cfg
