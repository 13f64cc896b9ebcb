// The kernel `expand` of sw/kernels/programs/bfs.hip, in buffers of that program's size, with contents that take nearly
// as long as its marks allow: every vertex is in the frontier, none has been seen yet, 63 of a wavefront's 64 vertices
// have 24 edges each, and the edges that it looks at together lead to words in 64 different cache lines.
//
// With `--degree N` they have N edges, with `--seen` all vertices have been seen: the other side of the split.
#define main bfs_main
#include "bfs.hip"
#undef main

int main(int argc, char** argv) {
  constexpr uint32_t n = 4096, lane_count = 64;
  uint32_t degree = max_degree;
  bool seen = false;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--seen") == 0) seen = true;
    if (std::strcmp(argv[k], "--degree") == 0 && k + 1 < argc) degree = std::strtoul(argv[++k], nullptr, 10);
  }
  // The last vertex of a wavefront has no edges: they end where the next wavefront's begin, at the array's beginning.
  const program::options small;
  program::random_source random(small.seed);
  std::vector<uint32_t> offset(n + 1), target(random_graph(random, n).target.size());
  for (uint32_t vertex = 0; vertex <= n; ++vertex) offset[vertex] = vertex % lane_count * degree;
  for (uint32_t lane = 0; lane < lane_count; ++lane)
    for (uint32_t k = 0; k < degree; ++k) target[lane * degree + k] = (lane * (n / lane_count) + k) % n;
  program::device_array<uint32_t> device_offset(offset), device_target(target);
  program::device_array<uint8_t> frontier(std::vector<uint8_t>(n, 1)), next(n);
  program::device_array<uint8_t> visited(std::vector<uint8_t>(n, seen ? 1 : 0)), edge_class(target.size());
  program::device_array<uint32_t> depth(std::vector<uint32_t>(n, seen ? 0 : unknown)),
      parent(std::vector<uint32_t>(n, unknown)), paths(std::vector<uint32_t>(n, 1));
  program::device_array<uint32_t> same_level(n), reach(n), ahead(n);
  next.clear();
  edge_class.clear();
  expand<<<program::blocks_of(n, block), block>>>(device_offset.get(), device_target.get(), frontier.get(), next.get(),
                                                  visited.get(), depth.get(), parent.get(), paths.get(),
                                                  edge_class.get(), same_level.get(), reach.get(), ahead.get(), 1, n);
  PROGRAM_LAUNCHED();
  // Each vertex that an edge leads to is found from as many vertices as there are wavefronts.
  std::vector<uint8_t> found(n, 0);
  std::vector<uint32_t> count(n, 1), waiting(n, 0);
  for (uint32_t vertex = 0; vertex < n && !seen; ++vertex)
    for (uint32_t edge = offset[vertex]; edge < offset[vertex + 1]; ++edge) {
      const uint32_t other = target[edge];
      found[other] = 1;
      ++count[other];
      waiting[vertex] += offset[other + 1] - offset[other];
    }
  program::verdict verdict;
  verdict.equal("next", next.download(), found);
  verdict.equal("shortest paths", paths.download(), count);
  verdict.equal("edges ahead", ahead.download(), waiting);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
