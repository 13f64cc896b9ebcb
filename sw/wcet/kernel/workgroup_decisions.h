// SPDX-License-Identifier: Apache-2.0
// Which branches the wavefronts of one workgroup decide alike: those whose condition follows from what all of them have
// in common, which is the launch's arguments, the workgroup's ids and constants. What is loaded from memory does not,
// but for arguments and dispatch packet (nothing may write them): another wavefront can have written it in between.
//
// Alike means: the n-th time that each of them is there. So what they write while they go different ways is not alike
// behind the place where they meet again, even if each of them writes constants.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/scalar_set.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

class workgroup_decisions {
 public:
  // Keeps the graph.
  workgroup_decisions(const cfg::flow_graph& graph, const launch_facts& launch);

  // Wavefronts that part at the end of block `from` and surely meet again where one of the `meets` begins.
  struct parting {
    size_t from = 0;
    std::vector<size_t> between;  // blocks that they may go through in between
    std::vector<size_t> meets;
  };
  // Per block: whether the branch that ends it is decided alike (true too for blocks that end without one). `partings`:
  // one for each block at which wavefronts may part; they count where the block is not decided alike.
  std::vector<bool> decide(const std::vector<parting>& partings) const;

 private:
  struct state;
  state initial() const;
  void apply(state& s, size_t instruction) const;
  bool alike(const state& s, size_t instruction) const;  // the branch there
  bool reads_alike(const state& s, size_t instruction) const;

  const cfg::flow_graph& graph_;
  const isa::kernel_descriptor descriptor_;
  std::vector<cfg::scalar_set> constants_;  // per instruction: of what it reads, what is known as a number
  std::vector<bool> active_;                // per instruction: EXEC is surely not empty
  uint32_t mode_changes_ = 0;               // bits of MODE that the code may write
};

}  // namespace pws::wcet
