// SPDX-License-Identifier: Apache-2.0
// Which branches of a kernel's machine code are uniform in every run: whenever a path executes one, all of its active
// work-items take the same side. From the lane analysis (sw/wcet/lanes), which knows for every register whether the
// active work-items hold the same value in it. (docs/uniformity.md)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "models/flow/flow_graph.h"
#include "sw/cfg/branch_sites.h"
#include "sw/wcet/lanes/lane_launch.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

// What a branch's condition comes from, followed back through the instructions that compute it.
enum class condition_origin : uint8_t {
  // Uniform
  scalar,      // a scalar register: arguments, workgroup ids, scalar loads, lanes read to scalars
  constant,    // nothing but constants
  equal_load,  // a load from an address that is the same for all active work-items
  unreached,   // no way leads to the branch
  // May be divergent
  work_item_id,
  load,           // addresses may differ, or memory may be the work-items' own
  atomic,         // what it gives back
  lane_exchange,  // work-items' numbers in the wavefront, values of other work-items
  other_lanes,    // its last instruction was executed by other work-items than are active at the branch
  call,           // a called function may have written it
  not_followed    // a register that the analysis does not follow there, or one that was never written
};
constexpr auto enumerators(condition_origin) {
  using e = condition_origin;
  return std::array{
      named{e::scalar, "scalar"},       named{e::constant, "constant"},           named{e::equal_load, "equal-load"},
      named{e::unreached, "unreached"}, named{e::work_item_id, "work-item-id"},   named{e::load, "load"},
      named{e::atomic, "atomic"},       named{e::lane_exchange, "lane-exchange"}, named{e::other_lanes, "other-lanes"},
      named{e::call, "call"},           named{e::not_followed, "not-followed"}};
}

struct branch_uniformity {
  cfg::branch_site site;
  bool uniform = false;  // in every run; else it may be divergent
  condition_origin origin = condition_origin::not_followed;
  // One way back from the condition: instructions, each of which computes what the one before reads. The last one is
  // the origin; for a work-item id, and a register that the wavefront starts with, it reads that.
  std::vector<size_t> chain;
  // The code serialises it as a divergent branch for nothing.
  bool serialised_for_nothing() const {
    return uniform && site.kind == cfg::branch_kind::narrowing && origin != condition_origin::unreached;
  }
};

// The uniformity of a kernel's branches, which holds with or without split and merge, in every launch and under every
// divergence scheme; in the order of cfg::find_branch_sites. The graph is that of one function; what it calls is not
// followed.
std::vector<branch_uniformity> analyse_uniformity(const cfg::flow_graph& graph,
                                                  const isa::kernel_descriptor& descriptor);
// In launches of which that much is known: arguments, extents.
std::vector<branch_uniformity> analyse_uniformity(const cfg::flow_graph& graph, const launch_facts& facts,
                                                  const std::vector<wave_kind>& kinds);

}  // namespace pws::wcet
