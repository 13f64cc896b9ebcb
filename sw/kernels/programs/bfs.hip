// Breadth-first search with the edge and path statistics of graph analytics, one level per pair of launches: depth of
// every vertex, the lowest-numbered parent, the number of shortest paths from the source, the class of every edge that
// leads to a vertex seen before, how far up each vertex's edges reach, and how many edges wait where they lead down (by
// which direction-optimising searches choose their direction).
//
// Sizes:      4096, 16384, 65536 vertices; 1 to 24 edges a vertex, half of the vertices have at most 3
// Kernels:    expand   a work-item per vertex, blocks of 256: offset u32[n + 1], target u32[edges]; frontier, next,
//                      visited u8[n]; depth, parent, paths (modulo 2^32) u32[n]; edge_class u8[edges]; same_level,
//                      reach, ahead u32[n]; level: edges from the source to the vertices that it finds
//             advance  a work-item per vertex, blocks of 256: the vertices found become the frontier; again u32[1]
// Divergence: expand: vertices outside the frontier leave; the loop over edges runs as often as the vertex has edges;
//             in it an edge either finds its vertex or goes to one seen before, which is the split: both sides have
//             loads, arithmetic and stores of their own. The second side's classes diverge once more.
// Options:    -DSIDE_WORK=R   each side mixes its edge's number in R more rounds of arithmetic (0: none), and adds it to
//                      what it counts
// Rounding:   integers, equal bit for bit. Work-items that find the same vertex store the same bytes or use atomics
//             whose order does not matter (minimum, sum modulo 2^32); visited changes between the launches only.
#include "program.h"

#ifndef SIDE_WORK
#define SIDE_WORK 0
#endif

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t max_degree = 24;
constexpr uint32_t unknown = 0xffffffff;

enum edge_kind : uint8_t { edge_unreached, edge_down, edge_loop, edge_level, edge_to_parent, edge_up };

// What a side adds for an edge, modulo 2^32.
template <uint32_t first>
__host__ __device__ __forceinline__ uint32_t side_work(uint32_t edge) {
  if (SIDE_WORK == 0) return 0;
  uint32_t x = edge * 2 + first;
#pragma unroll
  for (int round = 0; round < SIDE_WORK; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}
constexpr uint32_t down = 0x9e3779b9, back = 0x85ebca6b;

__global__ void expand(const uint32_t* offset, const uint32_t* target, uint8_t* frontier, uint8_t* next,
                       const uint8_t* visited, uint32_t* depth, uint32_t* parent, uint32_t* paths, uint8_t* edge_class,
                       uint32_t* same_level, uint32_t* reach, uint32_t* ahead, uint32_t level, uint32_t n) {
  const uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= n || frontier[vertex] == 0) return;
  frontier[vertex] = 0;
  const uint32_t end = offset[vertex + 1];
  const uint32_t own_paths = paths[vertex], own_parent = parent[vertex];
  uint32_t peers = 0, highest = 0, waiting = 0;
#pragma unroll 1
  for (uint32_t edge = offset[vertex]; edge < end; ++edge) {
    PWS_LOOP_BOUND(max_degree);
    const uint32_t other = target[edge];
    PWS_SPLIT();
    if (visited[other] == 0) {
      waiting += offset[other + 1] - offset[other] + side_work<down>(edge);
      depth[other] = level;
      next[other] = 1;
      atomicMin(&parent[other], vertex);
      atomicAdd(&paths[other], own_paths);
      edge_class[edge] = edge_down;
    } else {
      // level counts the vertices that this launch finds, so this vertex is one above.
      const uint32_t up = level - 1 - depth[other];
      edge_kind kind = edge_up;
      if (up == 0) {
        kind = other == vertex ? edge_loop : edge_level;
        peers += other != vertex;
      } else if (other == own_parent) {
        kind = edge_to_parent;
      }
      highest = up > highest ? up : highest;
      peers += side_work<back>(edge);
      edge_class[edge] = kind;
    }
  }
  same_level[vertex] = peers;
  reach[vertex] = highest;
  ahead[vertex] = waiting;
}

__global__ void advance(uint8_t* frontier, uint8_t* next, uint8_t* visited, uint32_t* again, uint32_t n) {
  const uint32_t vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= n || next[vertex] == 0) return;
  next[vertex] = 0;
  frontier[vertex] = 1;
  visited[vertex] = 1;
  *again = 1;
}

struct graph {
  uint32_t vertices;
  std::vector<uint32_t> offset, target;
};

// Few edges for most vertices and many for some, as in social and web graphs.
uint32_t random_degree(program::random_source& random) {
  const uint32_t kind = random.below(16);
  if (kind < 8) return 1 + random.below(3);
  if (kind < 14) return 4 + random.below(5);
  return 9 + random.below(max_degree - 8);
}

graph random_graph(program::random_source& random, uint32_t vertices) {
  graph g{vertices, {0}, {}};
  for (uint32_t vertex = 0; vertex < vertices; ++vertex) {
    const uint32_t degree = random_degree(random);
    for (uint32_t k = 0; k < degree; ++k) {
      // Half of the edges stay near their vertex: these are the ones that lead back.
      const uint32_t to = random.below(2) != 0 ? random.below(vertices) : vertex + vertices - 32 + random.below(64);
      g.target.push_back(to % vertices);
    }
    g.offset.push_back(static_cast<uint32_t>(g.target.size()));
  }
  return g;
}

struct search_result {
  std::vector<uint32_t> depth, parent, paths, same_level, reach, ahead;
  std::vector<uint8_t> edge_class;
};

// Depths by a queue; everything else by its definition in terms of the depths.
search_result reference(const graph& g, uint32_t source) {
  const uint32_t n = g.vertices;
  const std::vector<uint32_t> nothing(n, unknown), zero(n, 0);
  search_result r{nothing, nothing, zero, zero, zero, zero, std::vector<uint8_t>(g.target.size(), edge_unreached)};
  std::vector<uint32_t> order{source};
  r.depth[source] = 0;
  r.paths[source] = 1;
  for (size_t k = 0; k < order.size(); ++k)
    for (uint32_t edge = g.offset[order[k]]; edge < g.offset[order[k] + 1]; ++edge) {
      const uint32_t other = g.target[edge];
      if (r.depth[other] == unknown) {
        r.depth[other] = r.depth[order[k]] + 1;
        order.push_back(other);
      }
    }
  // In the queue's order, so that the paths and the parent of a vertex are complete before its edges are looked at.
  for (const uint32_t vertex : order)
    for (uint32_t edge = g.offset[vertex]; edge < g.offset[vertex + 1]; ++edge) {
      const uint32_t other = g.target[edge], here = r.depth[vertex], there = r.depth[other];
      if (there == here + 1) {
        r.edge_class[edge] = edge_down;
        r.paths[other] += r.paths[vertex];
        r.ahead[vertex] += g.offset[other + 1] - g.offset[other] + side_work<down>(edge);
        if (vertex < r.parent[other]) r.parent[other] = vertex;
        continue;
      }
      r.same_level[vertex] += side_work<back>(edge);
      if (here - there > r.reach[vertex]) r.reach[vertex] = here - there;
      if (there < here) {
        r.edge_class[edge] = r.parent[vertex] == other ? edge_to_parent : edge_up;
      } else if (other == vertex) {
        r.edge_class[edge] = edge_loop;
      } else {
        r.edge_class[edge] = edge_level;
        ++r.same_level[vertex];
      }
    }
  return r;
}

// The parents of a search form a tree: one level down each, along an edge that exists.
bool is_tree(const graph& g, const search_result& r, uint32_t source) {
  for (uint32_t vertex = 0; vertex < g.vertices; ++vertex) {
    if (vertex == source || r.depth[vertex] == unknown) {
      if (r.parent[vertex] != unknown) return false;
      continue;
    }
    const uint32_t parent = r.parent[vertex];
    if (parent >= g.vertices || r.depth[parent] + 1 != r.depth[vertex]) return false;
    bool found = false;
    for (uint32_t edge = g.offset[parent]; edge < g.offset[parent + 1]; ++edge)
      found = found || g.target[edge] == vertex;
    if (!found) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(4096u, 16384u, 65536u);
  program::random_source random(o.seed);
  const graph g = random_graph(random, n);
  const uint32_t source = random.below(n);
  std::printf("bfs (%s): %u vertices, %zu edges, from vertex %u, seed %u\n", o.size_name(), n, g.target.size(), source,
              o.seed);

  std::vector<uint8_t> only_source(n, 0);
  only_source[source] = 1;
  std::vector<uint32_t> depth(n, unknown), paths(n, 0);
  depth[source] = 0;
  paths[source] = 1;
  program::device_array<uint32_t> device_offset(g.offset), device_target(g.target);
  program::device_array<uint8_t> device_frontier(only_source), device_visited(only_source), device_next(n);
  program::device_array<uint32_t> device_depth(depth), device_paths(paths);
  program::device_array<uint32_t> device_parent(std::vector<uint32_t>(n, unknown));
  program::device_array<uint8_t> device_edge_class(g.target.size());
  program::device_array<uint32_t> device_same_level(n), device_reach(n), device_ahead(n), device_again(1);
  device_next.clear();
  device_edge_class.clear();
  device_same_level.clear();
  device_reach.clear();
  device_ahead.clear();

  uint32_t level = 0;
  do {
    ++level;
    device_again.clear();
    expand<<<program::blocks_of(n, block), block>>>(
        device_offset.get(), device_target.get(), device_frontier.get(), device_next.get(), device_visited.get(),
        device_depth.get(), device_parent.get(), device_paths.get(), device_edge_class.get(), device_same_level.get(),
        device_reach.get(), device_ahead.get(), level, n);
    PROGRAM_LAUNCHED();
    advance<<<program::blocks_of(n, block), block>>>(device_frontier.get(), device_next.get(), device_visited.get(),
                                                     device_again.get(), n);
    PROGRAM_LAUNCHED();
  } while (device_again.download()[0] != 0 && level < n);

  const search_result expected = reference(g, source);
  const search_result got{device_depth.download(),      device_parent.download(), device_paths.download(),
                          device_same_level.download(), device_reach.download(),  device_ahead.download(),
                          device_edge_class.download()};
  program::verdict verdict;
  verdict.equal("depth", got.depth, expected.depth);
  verdict.equal("parent", got.parent, expected.parent);
  verdict.equal("shortest paths", got.paths, expected.paths);
  verdict.equal("edge class", got.edge_class, expected.edge_class);
  verdict.equal("edges within a level", got.same_level, expected.same_level);
  verdict.equal("levels up", got.reach, expected.reach);
  verdict.equal("edges ahead", got.ahead, expected.ahead);
  verdict.that("parents form a tree one level apart", is_tree(g, got, source));
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
