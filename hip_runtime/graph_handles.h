// SPDX-License-Identifier: Apache-2.0
// What the handles of graphs, nodes and instantiated graphs stand for. All throw failure (hipErrorInvalidValue) for
// what is none.
#pragma once

#include "hip_runtime/context.h"

namespace pws::hip {

inline hipGraph_t handle_of(graph& g) {
  return reinterpret_cast<hipGraph_t>(&g);
}
inline hipGraphNode_t handle_of(graph_node& n) {
  return reinterpret_cast<hipGraphNode_t>(&n);
}

inline graph& graph_of(context& c, hipGraph_t handle) {
  auto* g = reinterpret_cast<graph*>(handle);
  require(c.known_graphs.graphs.count(g) != 0, hipErrorInvalidValue, "the handle is of no graph");
  return *g;
}
inline graph_node& node_of(context& c, hipGraphNode_t handle) {
  auto* n = reinterpret_cast<graph_node*>(handle);
  require(c.known_graphs.nodes.count(n) != 0, hipErrorInvalidValue, "the handle is of no node");
  return *n;
}
inline std::vector<graph_node*> nodes_of(context& c, const hipGraphNode_t* handles, size_t count) {
  require(count == 0 || handles != nullptr, hipErrorInvalidValue, "the list of nodes is null");
  std::vector<graph_node*> nodes;
  for (size_t k = 0; k < count; ++k) nodes.push_back(&node_of(c, handles[k]));
  return nodes;
}
inline const std::shared_ptr<graph>& ready_graph_of(context& c, hipGraphExec_t handle) {
  const auto at = c.ready.find(handle);
  require(at != c.ready.end(), hipErrorInvalidValue, "the handle is of no instantiated graph");
  return at->second;
}

}  // namespace pws::hip
