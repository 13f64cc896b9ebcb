// SPDX-License-Identifier: Apache-2.0
// The ways that one work-item can take through a loop of the machine code.
//
// The compiler joins divergent ways in blocks that all work-items pass, and has each one's way on in a bit of a lane
// mask. The plain control flow graph lets every way into such a block go on as any other; a work-item cannot. So its
// own bit is followed: in EXEC, and in the scalar registers (and lanes of vector registers that scalars are spilled to)
// that EXEC is computed from. A bit that is not known has a name, so that two that are the same stay the same; where
// EXEC depends on it, both values are tried. The wavefront's branches are the work-item's too where its bits decide
// them: while it is active, EXEC is not zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/natural_loops.h"

namespace pws::wcet {

// Nodes are executions of blocks, those that go on alike as one; walks begin at one of `begins`. A walk ends at the
// header when the work-item is no longer active there: it has left the loop.
struct lane_walks {
  struct execution {
    size_t block = 0;
    bool everywhere = false;       // the work-item may be active everywhere in it
    std::set<size_t> active = {};  // else: the instructions asked for at which it is
    bool active_at(size_t instruction) const { return everywhere || active.count(instruction) != 0; }
  };
  std::vector<execution> nodes;
  std::vector<std::pair<size_t, size_t>> edges;
  std::vector<size_t> begins;
};

// Every block is one node, every edge one of the graph's: more than there are.
lane_walks all_walks(const cfg::flow_graph& graph, const cfg::natural_loop& loop);

struct walk_limits {
  size_t nodes = 100000;  // more are too many
  // In which a block is entered; where there are more, states say what several have in common, so that there are more
  // walks than a work-item can take.
  size_t states = nodes;
};

// `asked`: instructions at which it is to be known whether the work-item is active. Nothing: too many nodes.
std::optional<lane_walks> possible_walks(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                         const cfg::scalar_liveness& live, const std::set<size_t>& asked,
                                         walk_limits limits);

// What is supposed of a compare wherever the work-item is active at it (or of one for all work-items, into SCC).
struct supposed_compare {
  enum class outcome : uint8_t {
    none_comes,  // no walk comes to it
    clear,       // it says no: 0
    set,         // it says yes: 1
  };
  size_t instruction = 0;
  outcome comes_out = outcome::none_comes;
  bool alike = false;  // all active work-items have the same result
};
struct supposed_walks {
  std::set<size_t> blocks;  // that they come to, the header as the first among them
  bool goes_on = false;     // the work-item may be active at the header again
  bool leaves = false;      // a walk may end otherwise: the work-item has left the loop, or the wavefront has
};
// The walks of a work-item that is active at the header, up to where it comes there again. Nothing: too many nodes.
std::optional<supposed_walks> walks_supposing(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                                              const cfg::scalar_liveness& live, const supposed_compare& compare,
                                              walk_limits limits);

// Whether a work-item that is not active at the header may be active there later, before the wavefront leaves the loop.
// True as well if that cannot be seen.
bool work_items_may_return(const cfg::flow_graph& graph, const cfg::natural_loop& loop,
                           const cfg::scalar_liveness& live);

// Whether a work-item that is not active at the header may be active somewhere in that pass. True as well if that
// cannot be seen.
bool work_items_may_join(const cfg::flow_graph& graph, const cfg::natural_loop& loop, const cfg::scalar_liveness& live);

}  // namespace pws::wcet
