// Breadth-first search over a graph in compressed sparse rows: one level per pair of launches.
//
// bfs_step expands the frontier: every edge from a frontier node to an unvisited node gives that node its cost and puts
// it into the next frontier. bfs_update makes the next frontier the current one. The host repeats both until *again
// stays 0.
//
// Arguments: offset    u32[n + 1], edges of node i are target[offset[i]] .. target[offset[i + 1] - 1]
//            target    u32[offset[n]], node numbers < n
//            frontier  u8[n], 1 = node is in the current frontier; bfs_step clears it, bfs_update sets it
//            next      u8[n], 1 = node was reached in this step; bfs_step sets it, bfs_update clears it
//            visited   u8[n], written by bfs_update only
//            cost      u32[n], edges from the source; written for reached nodes
//            level     cost of the nodes that this step reaches
//            again     u32, set to 1 by bfs_update if any node was reached
//            n         nodes
// Shapes:    1-D, any workgroup size, one work-item per node.
// Determinism: work-items that reach the same node all store the same bytes, so their order does not matter.
// Exercises: nested divergence (bounds, frontier, loop trip counts by lane, visited), byte loads and stores, several
//            lanes storing to one address, gathers and scatters.
#include <hip/hip_runtime.h>

#include <cstdint>

extern "C" __global__ void bfs_step(const uint32_t* offset, const uint32_t* target, uint8_t* frontier, uint8_t* next,
                                    const uint8_t* visited, uint32_t* cost, uint32_t level, uint32_t n) {
  const uint32_t node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || frontier[node] == 0) return;
  frontier[node] = 0;
  const uint32_t end = offset[node + 1];
  for (uint32_t edge = offset[node]; edge < end; ++edge) {
    const uint32_t other = target[edge];
    if (visited[other] == 0) {
      cost[other] = level;
      next[other] = 1;
    }
  }
}

extern "C" __global__ void bfs_update(uint8_t* frontier, uint8_t* next, uint8_t* visited, uint32_t* again, uint32_t n) {
  const uint32_t node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node < n && next[node] != 0) {
    frontier[node] = 1;
    visited[node] = 1;
    next[node] = 0;
    *again = 1;
  }
}
// SPDX-License-Identifier: Apache-2.0
