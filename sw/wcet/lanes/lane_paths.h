// SPDX-License-Identifier: Apache-2.0
// Which ways through the code wavefronts may take, and how often: what following their registers says of it
// (lane_value_analysis.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

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
  std::set<way_through> ways;                       // all that may be taken through blocks with their ways told
  std::vector<bool> ways_told;                      // by block: not of those with a merge
  std::vector<std::optional<uint64_t>> executions;  // by block, at most; nothing: iterations were not told apart
  std::vector<std::optional<uint64_t>> passes;      // by block: the header of a loop, at most each time it is entered
  size_t work = 0;                                  // what it took to find out

  // Another wavefront's: what either may do, and the most that one of them does.
  void take_in(const lane_paths& wave);
  // What else has been found out about the same wavefronts: both hold.
  void limit_by(const lane_paths& other);
};

}  // namespace pws::wcet
