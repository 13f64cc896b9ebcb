// Breadth-first search by queues: the vertices of a level are a queue, and what they find is appended to the next
// level's. One launch per level, a work-item per vertex of the queue. bfs.hip has the other way, a flag per vertex.
//
// Sizes:      10000, 60000, 400000 vertices; 1 to 32 edges a vertex, most of them few
// Kernel:     visit  offset u32[n + 1], target u32[edges]; depth u32[n], in and out, all bits set where not known;
//                    queue u32[count], the vertices of the level before; next u32[n], next_count u32[1], added to:
//                    the vertices found, each once; level: their depth. One work-item per vertex, blocks of 256
// Divergence: ifs without else only: work-items behind the queue's end leave, vertices have loops of different lengths,
//             in these a vertex may be unknown, and of the work-items that find it together one appends it. Nothing is
//             marked
// Rounding:   integers, equal bit for bit. The order in a queue is left to the atomics: a level's queue is compared as
//             a set
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t block = 256;
constexpr uint32_t max_degree = 32;
constexpr uint32_t unknown = 0xffffffff;

__global__ void visit(const uint32_t* offset, const uint32_t* target, uint32_t* depth, const uint32_t* queue,
                      uint32_t count, uint32_t* next, uint32_t* next_count, uint32_t level) {
  const uint32_t item = blockIdx.x * block + threadIdx.x;
  if (item < count) {
    const uint32_t vertex = queue[item];
    const uint32_t end = offset[vertex + 1];
#pragma unroll 1
    for (uint32_t edge = offset[vertex]; edge < end; ++edge) {
      PWS_LOOP_BOUND(max_degree);
      const uint32_t other = target[edge];
      // The load spares most edges the exchange, which decides. Others exchange meanwhile: it is atomic too.
      if (__hip_atomic_load(&depth[other], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == unknown) {
        if (atomicCAS(&depth[other], unknown, level) == unknown) next[atomicAdd(next_count, 1u)] = other;
      }
    }
  }
}

struct graph {
  uint32_t vertices;
  std::vector<uint32_t> offset, target;
};

// Half of the edges lead far, the others stay in the neighbourhood; one vertex in 64 is a hub.
graph random_graph(program::random_source& random, uint32_t vertices) {
  graph g{vertices, {0}, {}};
  for (uint32_t vertex = 0; vertex < vertices; ++vertex) {
    const uint32_t degree =
        random.below(64) == 0 ? max_degree - random.below(8) : 1 + random.below(1 + random.below(10));
    for (uint32_t k = 0; k < degree; ++k) {
      const bool far = random.below(2) != 0;
      g.target.push_back((far ? random.below(vertices) : vertex + 1 + random.below(100)) % vertices);
    }
    g.offset.push_back(static_cast<uint32_t>(g.target.size()));
  }
  return g;
}

struct search_result {
  std::vector<uint32_t> depth;
  std::vector<uint32_t> order;  // of the vertices found: by level, within a level by number
  std::vector<uint32_t> begin;  // of each level in the order, and its end
};

void sort_level(search_result& r, size_t level) {
  std::sort(r.order.begin() + r.begin[level], r.order.begin() + r.begin[level + 1]);
}

search_result reference(const graph& g, uint32_t source) {
  search_result r{std::vector<uint32_t>(g.vertices, unknown), {source}, {0}};
  r.depth[source] = 0;
  for (size_t k = 0; k < r.order.size(); ++k) {
    const uint32_t vertex = r.order[k];
    if (k > 0 && r.depth[vertex] != r.depth[r.order[k - 1]]) r.begin.push_back(static_cast<uint32_t>(k));
    for (uint32_t edge = g.offset[vertex]; edge < g.offset[vertex + 1]; ++edge) {
      const uint32_t other = g.target[edge];
      if (r.depth[other] != unknown) continue;
      r.depth[other] = r.depth[vertex] + 1;
      r.order.push_back(other);
    }
  }
  r.begin.push_back(static_cast<uint32_t>(r.order.size()));
  for (size_t level = 0; level + 1 < r.begin.size(); ++level) sort_level(r, level);
  return r;
}

search_result search(const graph& g, uint32_t source) {
  std::vector<uint32_t> depth(g.vertices, unknown), queue(g.vertices, source);
  depth[source] = 0;
  program::device_array<uint32_t> device_offset(g.offset), device_target(g.target), device_depth(depth);
  program::device_array<uint32_t> first(queue), second(g.vertices), device_count(1);
  program::device_array<uint32_t>*current = &first, *next = &second;
  search_result r{{}, {source}, {0, 1}};
  uint32_t count = 1;
  for (uint32_t level = 1; count > 0 && level < g.vertices; ++level) {
    device_count.clear();
    visit<<<program::blocks_of(count, block), block>>>(device_offset.get(), device_target.get(), device_depth.get(),
                                                       current->get(), count, next->get(), device_count.get(), level);
    PROGRAM_LAUNCHED();
    count = std::min(device_count.download()[0], g.vertices);
    std::swap(current, next);
    if (count == 0) break;
    queue = current->download(count);
    r.order.insert(r.order.end(), queue.begin(), queue.end());
    r.begin.push_back(static_cast<uint32_t>(r.order.size()));
    sort_level(r, level);
  }
  r.depth = device_depth.download();
  return r;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(10000u, 60000u, 400000u);
  program::random_source random(o.seed);
  const graph g = random_graph(random, n);
  const uint32_t source = random.below(n);
  std::printf("bfs_queue (%s): %u vertices, %zu edges, from vertex %u, seed %u\n", o.size_name(), n, g.target.size(),
              source, o.seed);

  const search_result got = search(g, source), expected = reference(g, source);
  program::verdict verdict;
  verdict.equal("depth", got.depth, expected.depth);
  verdict.equal("vertices of the queues", got.order, expected.order);
  verdict.equal("ends of the queues", got.begin, expected.begin);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
