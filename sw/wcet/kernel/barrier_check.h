// SPDX-License-Identifier: Apache-2.0
// Barriers and ends: whether the longest path of one wavefront bounds a workgroup of several.
//
// A workgroup's time is, from one release of its barrier to the next, that of the wavefront that takes longest, so it
// is a sum of pieces of different wavefronts' paths. That sum is at most the longest path if those pieces make a path.
// Let the *key blocks* be those with an s_barrier, those that a flow fact counts across a barrier (a loop with a
// barrier in it), and the branches that decide which key block is next, so that from every other block only one key
// block can be next. If all wavefronts decide alike in those branches (workgroup_decisions.h), and in those whose ways
// are counted, they go through the same key blocks in the same order; what differs lies between two of them, where
// every flow fact holds for each wavefront by itself. (Of ways through a key block nothing is taken: one wavefront's
// piece ends there and another one's begins.)
//
// A wavefront may leave: go where no key block can be reached. It delays the others once, by what is left of its path
// up to s_endpgm; that is added to the time of the block that it leaves from, which is a key block too, so that the
// others go through it. Where all leave together nothing is added.
//
// Where wavefronts may come to different barriers, E_WF counts several times: the pieces' sum is at most the sum of the
// wavefronts' paths, and at most as many paths as there are pieces.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/wcet/flow/ipet.h"
#include "sw/wcet/kernel/workgroup_decisions.h"

namespace pws::wcet {

// How wavefronts leave a workgroup whose others go on to a barrier.
struct early_end {
  size_t block = 0;     // from where
  uint64_t cycles = 0;  // to the end
};

struct barrier_effect {
  std::vector<early_end> ends;      // their cycles are in the problem now
  uint64_t factor = 1;              // E_WF is that many times the longest path
  std::optional<size_t> undecided;  // factor != 1: a block that wavefronts may leave for different barriers
};

class barrier_check {
 public:
  // Keeps the graph. `wavefronts`: of a workgroup, at most. Does nothing for a single one, or code without barriers.
  barrier_check(const cfg::flow_graph& graph, const launch_facts& launch);

  // Adds to the problem what early ends delay others. The problem's first nodes are the graph's blocks; others are on
  // an edge, with one edge in and one out. It has all its limits. `longest`: the worst case of the problem from another
  // entry on.
  using longest_function = std::function<uint64_t(const flow_problem&)>;
  barrier_effect apply(flow_problem& problem, const longest_function& longest) const;

 private:
  class key_blocks;
  struct counted_blocks {
    std::vector<bool> blocks, ways;  // by block; ways: those that leave it are counted
  };
  counted_blocks find_counted(const flow_problem& p) const;
  std::vector<bool> find_leaving(std::optional<key_blocks>& keys, std::vector<bool> first) const;
  uint64_t pieces_at_most(flow_problem count) const;
  std::vector<early_end> find_ends(const flow_problem& p, const key_blocks& keys, const std::vector<bool>& alike,
                                   const longest_function& longest) const;
  std::vector<workgroup_decisions::parting> partings_between(const key_blocks& keys) const;

  const cfg::flow_graph& graph_;
  uint64_t wavefronts_ = 1;
  std::vector<uint64_t> barriers_;  // by block
  std::optional<workgroup_decisions> decisions_;
};

}  // namespace pws::wcet
