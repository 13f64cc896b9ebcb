// How many cache lines or LDS passes a memory instruction takes, at most.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/wcet/lanes/lane_value_analysis.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

struct access_bound {
  uint32_t lines = 0;          // global, scalar: cache lines of one execution, at most (0: no such access)
  uint32_t lds_passes = 0;     // LDS: passes, at most
  bool exact_pattern = false;  // false: the lanes' addresses are not known, each may be anywhere
  // The buffers (launch_facts::buffers) that every lane's bytes are taken to lie in, one of them each. 0: nothing is
  // taken, the bound holds for any address.
  buffer_set within = 0;
  std::string why;  // for reports
};

// Of all wavefronts of a launch (lane_paths, sw/wcet/lanes/lane_value_analysis.h): edges and ways through a block that
// any may take, and the most that one of them executes a block, or passes a loop's header each time it enters the loop.
struct launch_paths {
  std::set<std::pair<size_t, size_t>> edges;
  std::set<way_through> ways;
  std::vector<std::optional<uint64_t>> executions, passes;
};

struct memory_shape {
  uint32_t line_bytes = 64;  // a power of two
  uint32_t lds_banks = 32;
};

// One per instruction of graph.code(), in order; default-constructed for those that access no memory or cannot be
// reached. Addresses are followed from the kernel's arguments and the work-item ids
// (sw/wcet/lanes/lane_value_analysis.h). Throws std::invalid_argument for a shape that is none.
//
// Where the launch has few wavefronts, each of them is followed on its own as well, loops iteration by iteration; the
// smaller of the two results counts. `paths` gets what is then known of the ways through the code.
std::vector<access_bound> bound_accesses(const cfg::flow_graph& graph, const launch_facts& facts,
                                         const memory_shape& shape, std::optional<launch_paths>* paths = nullptr);

}  // namespace pws::wcet
