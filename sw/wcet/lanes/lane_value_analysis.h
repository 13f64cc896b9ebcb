// SPDX-License-Identifier: Apache-2.0
// What the registers of a kernel's wavefronts hold before each instruction, as far as code and launch say: a forward
// abstract interpretation of the machine code over its control flow graph. Iterations of loops can be told apart, so
// that what counts them is a number in each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "models/flow/flow_graph.h"
#include "sw/wcet/lanes/lane_launch.h"
#include "sw/wcet/lanes/lane_paths.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

struct unrolling {
  uint32_t iterations = 0;     // of a loop that are told apart, from the first one on
  size_t work = 0;             // instructions to look at, weighted by what that takes; 0: any number
  size_t levels = all_levels;  // of loops around one another, from the outermost on: iterations of others are not
  static constexpr size_t all_levels = static_cast<size_t>(-1);
};

// Calls `visit` for every instruction that can be reached with what holds when a wavefront of that kind (or a part of a
// split one) executes it; as often as there are executions that are told apart, and more often. Whenever a wavefront
// executes the instruction one of the calls holds. Nothing: too much work; some calls have been made then.
using lane_visitor = std::function<void(size_t instruction, const lane_state& before)>;
std::optional<lane_paths> analyse_lane_values(const cfg::flow_graph& graph, const lane_transfer& transfer,
                                              const launch_facts& facts, const wave_kind& kind,
                                              const unrolling& unrolled, const lane_visitor& visit);

// Calls it for every edge of the graph that can be taken, with what holds behind its block's last instruction.
using edge_visitor = std::function<void(size_t from, size_t to, const lane_state& after)>;

// Without telling iterations apart, in the order of the code's blocks: once for every instruction, or for each piece of
// a split wavefront that is told apart.
void analyse_lane_values(const cfg::flow_graph& graph, const launch_facts& facts, const wave_kind& kind,
                         const lane_visitor& visit, const edge_visitor& visit_edge = {});

}  // namespace pws::wcet
