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

// For functions of the API that add a node: it does `work`.
inline void add_node(context& c, hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                     stream_work work) {
  require(to != nullptr, hipErrorInvalidValue, "the address for the node is null");
  *to = nullptr;
  graph& own = graph_of(c, g);
  *to = handle_of(own.add(std::move(work), nodes_of(c, before, count)));
}

// What the node does, if it is that.
template <class Work>
Work& work_of(graph_node& n) {
  auto* w = std::get_if<Work>(&n.work);
  require(w != nullptr, hipErrorInvalidValue, "the node does something else");
  return *w;
}

// The node of the instantiated graph that was made of this one.
inline graph_node& in_ready(context& c, hipGraphExec_t e, hipGraphNode_t n) {
  const std::shared_ptr<graph>& ready = ready_graph_of(c, e);
  graph_node* own = ready->copy_of(node_of(c, n));
  require(own != nullptr, hipErrorInvalidValue, "the instantiated graph has no such node");
  return *own;
}

}  // namespace pws::hip
