// SPDX-License-Identifier: Apache-2.0
// The example of the PWS paper, Fig. 8, with the costs that can be restored from its text.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sw/cfg/cost_graph.h"

namespace pws::wcet {

// Nodes count from 0 here, from 1 in the paper; branches have the paper's numbers as ids. e1 + e2 + e4 is 14 and e6 +
// e7 is 6, however divided.
inline cfg::cost_graph figure_8(uint64_t e1, uint64_t e2, uint64_t e6) {
  const uint64_t e[] = {e1, e2, 3, 14 - e1 - e2, 6, e6, 6 - e6, 5, 1, 4, 3, 3, 1, 1, 1, 2, 5, 4};
  const std::vector<std::vector<size_t>> edges = {{2, 12},  {3, 4}, {4},      {5, 6}, {6},  {7},
                                                  {8, 9},   {9},    {10, 11}, {11},   {12}, {13, 18},
                                                  {14, 15}, {15},   {16, 17}, {17},   {18}, {}};
  cfg::cost_graph g;
  for (size_t k = 0; k < edges.size(); ++k) {
    g.nodes.push_back({e[k], {}, cfg::cost_graph::none});
    for (const size_t to : edges[k]) g.nodes[k].successors.push_back(to - 1);
  }
  const auto branch = [&](size_t u, size_t succ, size_t bsb, size_t bsb_succ, size_t reconv) {
    g.branches.push_back({u, u - 1, succ - 1, bsb - 1, bsb_succ - 1, reconv - 1, true, true});
  };
  branch(1, 2, 12, 13, 18);
  branch(2, 3, 4, 5, 6);
  branch(7, 8, 9, 10, 11);
  branch(13, 14, 15, 16, 17);
  return g;
}

// Ways to divide the sums.
inline std::vector<std::array<uint64_t, 3>> figure_8_divisions() {
  return {{5, 4, 3}, {14, 0, 6}, {0, 0, 0}, {1, 12, 1}, {0, 14, 6}, {7, 7, 2}};
}

// F[u] as printed, by the paper's node numbers; 0 where the table's row is lost.
inline std::vector<uint64_t> printed_f() {
  return {0, 0, 0, 0, 0, 37, 0, 0, 24, 23, 23, 19, 16, 16, 12, 11, 11, 9, 4};
}

}  // namespace pws::wcet
