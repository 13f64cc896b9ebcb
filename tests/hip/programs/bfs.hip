// timing: yes
// Breadth-first search, a launch per level: the host reads a device flag after each to see whether to go on; a graph
// with unreachable nodes and one that is a chain.
#include <deque>

#include "check.h"

__device__ int changed;

// A node's distance is read while others write it: an old value is as good, but the compiler must not think that there
// is only one.
__device__ int distance_of(const int* distance, int node) {
  return __hip_atomic_load(&distance[node], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

__global__ void level_step(const int* begin, const int* target, int* distance, int level, int n) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || distance_of(distance, node) != level) return;
  for (int e = begin[node]; e < begin[node + 1]; ++e) {
    if (distance_of(distance, target[e]) < 0) {
      distance[target[e]] = level + 1;  // all writers of a node write the same
      changed = 1;
    }
  }
}

static void run(const std::vector<std::vector<int>>& graph, int source) {
  const int n = static_cast<int>(graph.size());
  std::vector<int> begin = {0}, target, want(n, -1);
  for (const auto& neighbours : graph) {
    target.insert(target.end(), neighbours.begin(), neighbours.end());
    begin.push_back(static_cast<int>(target.size()));
  }
  std::vector<int> distance(n, -1);
  distance[source] = want[source] = 0;
  std::deque<int> queue = {source};
  while (!queue.empty()) {
    const int node = queue.front();
    queue.pop_front();
    for (const int other : graph[node]) {
      if (want[other] >= 0) continue;
      want[other] = want[node] + 1;
      queue.push_back(other);
    }
  }
  check::device_array<int> device_begin(begin), device_target(target), device_distance(distance);
  for (int level = 0, again = 1; again != 0; ++level) {
    CHECK(level <= n, "more levels than nodes");
    again = 0;
    HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(changed), &again, sizeof again));
    level_step<<<check::blocks_for(n, 128), 128>>>(device_begin.get(), device_target.get(), device_distance.get(),
                                                   level, n);
    CHECK_LAUNCH();
    HIP_CHECK(hipMemcpyFromSymbol(&again, HIP_SYMBOL(changed), sizeof again));
  }
  CHECK_SAME("distances", device_distance.download(), want);
}

int main() {
  check::random_source random(42);
  std::vector<std::vector<int>> graph(700);
  for (int node = 0; node < 690; ++node) {  // the last ten have no edge to them from the others
    const int edges = static_cast<int>(random.below(5));
    for (int e = 0; e < edges; ++e) graph[node].push_back(static_cast<int>(random.below(690)));
  }
  graph[0] = {5, 17, 300};
  run(graph, 0);
  std::vector<std::vector<int>> chain(25);
  for (int node = 0; node + 1 < 25; ++node) chain[node] = {node + 1};
  run(chain, 0);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
