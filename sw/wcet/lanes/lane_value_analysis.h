// What the registers of a kernel's wavefronts hold before each instruction, as far as code and launch say: a forward
// abstract interpretation of the machine code over its control flow graph. Iterations of loops can be told apart, so
// that what counts them is a number in each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/wcet/lanes/lane_launch.h"
#include "sw/wcet/lanes/lane_transfer.h"

namespace pws::wcet {

// A block, where the wavefront has come from and where it goes on. Compilers keep in a register by which way a block
// has been reached, and branch on it there: of two ways in and two ways out that may all be taken, not every one in
// goes on by every one out.
struct way_through {
  static constexpr size_t outside = static_cast<size_t>(-1);  // `from`: the kernel begins
  size_t from = 0, block = 0, to = 0;
  bool operator<(const way_through& o) const { return std::tie(block, to, from) < std::tie(o.block, o.to, o.from); }
};

// Which ways a wavefront may take. An execution of a block has as its name the block and, for each loop around it, the
// number of the iteration: in a reducible graph no two executions have the same one.
struct lane_paths {
  std::set<std::pair<size_t, size_t>> edges;        // blocks: all that may be taken
  std::set<way_through> ways;                       // all that may be taken, but of blocks with a merge
  std::vector<std::optional<uint64_t>> executions;  // by block, at most; nothing: iterations were not told apart
  std::vector<std::optional<uint64_t>> passes;      // by block: the header of a loop, at most each time it is entered
  size_t work = 0;                                  // what it took to find out
};

struct unrolling {
  uint32_t iterations = 0;  // of a loop that are told apart, from the first one on
  size_t work = 0;          // instructions to look at, weighted by what that takes; 0: any number
};

// Calls `visit` for every instruction that can be reached with what holds when a wavefront of that kind (or a part of a
// split one) executes it; as often as there are executions that are told apart, and more often. Whenever a wavefront
// executes the instruction one of the calls holds. Nothing: too much work; some calls have been made then.
using lane_visitor = std::function<void(size_t instruction, const lane_state& before)>;
std::optional<lane_paths> analyse_lane_values(const cfg::flow_graph& graph, const lane_transfer& transfer,
                                              const launch_facts& facts, const wave_kind& kind,
                                              const unrolling& unrolled, const lane_visitor& visit);

// Without telling iterations apart, in the order of the code's blocks: once for every instruction, or for each piece of
// a split wavefront that is told apart.
void analyse_lane_values(const cfg::flow_graph& graph, const launch_facts& facts, const wave_kind& kind,
                         const lane_visitor& visit);

}  // namespace pws::wcet
