// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/integration/reference/kernel_case.h"

namespace pws::reference {

// Compressed sparse rows: edges of node i are target[offset[i]] .. target[offset[i + 1] - 1].
struct graph {
  std::vector<uint32_t> offset;  // nodes + 1
  std::vector<uint32_t> target;
  uint32_t nodes() const { return static_cast<uint32_t>(offset.size() - 1); }
};
// Random targets, 0 to 6 edges per node and 40 for every hundredth; self loops and repeated edges occur. nodes > 0.
graph random_graph(uint64_t seed, uint32_t nodes);

// The search's state between launches; one element per node, `again` a single one.
struct bfs_state {
  std::vector<uint8_t> frontier, next, visited;
  std::vector<uint32_t> cost;
  std::vector<uint32_t> again;
};
constexpr uint32_t bfs_unreached = 0xffffffffu;
// Before the first launch: node `source` in the frontier with cost 0, all others unreached.
bfs_state bfs_start(uint32_t nodes, uint32_t source);

// The kernels of sw/kernels/bfs_step.hip.
void bfs_step(const graph& g, bfs_state& s, uint32_t level);
void bfs_update(bfs_state& s);
std::vector<case_entry> bfs_cases();

}  // namespace pws::reference
