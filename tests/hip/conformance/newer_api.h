// SPDX-License-Identifier: Apache-2.0
// For programs over functions that HIP's headers of 5.2 lack: they say `// library: own`, since a library of 5.2 lacks
// them too.
#pragma once

#include "../../../hip_runtime/newer_api.h"
#include "conformance.h"

namespace conformance {

struct own_graph {
  hipGraph_t g = nullptr;
  own_graph() { OK(hipGraphCreate(&g, 0)); }
  ~own_graph() { static_cast<void>(hipGraphDestroy(g)); }
  own_graph(const own_graph&) = delete;
  own_graph& operator=(const own_graph&) = delete;
  operator hipGraph_t() const { return g; }
};
struct ready_graph {
  hipGraphExec_t e = nullptr;
  explicit ready_graph(hipGraph_t g, unsigned long long flags = 0) { OK(hipGraphInstantiateWithFlags(&e, g, flags)); }
  ~ready_graph() { static_cast<void>(hipGraphExecDestroy(e)); }
  ready_graph(const ready_graph&) = delete;
  ready_graph& operator=(const ready_graph&) = delete;
  operator hipGraphExec_t() const { return e; }
  void run() const {
    OK(hipGraphLaunch(e, nullptr));
    OK(hipDeviceSynchronize());
  }
};

// A node that adds a number to each of 64 integers.
constexpr int elements = 64;
static __global__ void add_number(int* data, int by) {
  data[threadIdx.x] += by;
}
inline hipGraphNode_t adding_node(hipGraph_t g, int* data, int by, const std::vector<hipGraphNode_t>& before = {}) {
  void* arguments[] = {&data, &by};
  hipKernelNodeParams p = {};
  p.func = pointer_of(add_number);
  p.gridDim = dim3(1);
  p.blockDim = dim3(elements);
  p.kernelParams = arguments;
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddKernelNode(&node, g, before.data(), before.size(), &p));
  return node;
}

}  // namespace conformance
