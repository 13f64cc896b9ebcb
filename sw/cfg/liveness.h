// SPDX-License-Identifier: Apache-2.0
// Which scalar registers may still be read.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/scalar_set.h"

namespace pws::cfg {

class scalar_liveness {
 public:
  // `undefined`: per instruction, registers that have no value in front of it, whatever was written to them before.
  // Empty: none is known.
  explicit scalar_liveness(const flow_graph& graph, std::vector<scalar_set> undefined = {});

  // Registers whose value before (after) the instruction some path still reads. After a return (s_setpc_b64) and at a
  // call (s_swappc_b64) all are; instructions that choose registers by M0 read all.
  scalar_set before(size_t instruction) const;
  scalar_set after(size_t instruction) const;

 private:
  void step_back(size_t instruction, scalar_set& live) const;

  const flow_graph* graph_;
  std::vector<scalar_set> undefined_;
  std::vector<scalar_set> out_;  // per block
};

}  // namespace pws::cfg
