// SPDX-License-Identifier: Apache-2.0
// Graphs: operations, and what each of them comes after. Nothing is done here; graph_work.h does it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "hip_runtime/graph_memory.h"
#include "hip_runtime/user_objects.h"
#include "platform/machine/kernel_launch.h"

namespace pws::hip {

class graph;

// ---- What an operation is, with all that it needs to be done later.

struct box_copy_work {
  hipMemcpy3DParms parameters{};
};
struct copy_work {
  void* to = nullptr;
  const void* from = nullptr;
  size_t bytes = 0;
  hipMemcpyKind kind = hipMemcpyDefault;
};
// To a part of a variable (`to` is nullptr), or from it.
struct variable_copy_work {
  const void* symbol = nullptr;
  size_t offset = 0;  // bytes
  void* to = nullptr;
  const void* from = nullptr;
  size_t bytes = 0;
  hipMemcpyKind kind = hipMemcpyDefault;
};
struct fill_work {
  hipMemsetParams parameters{};
};
struct host_work {
  hipHostNodeParams parameters{};
};
struct child_work {
  std::shared_ptr<graph> child;
};
struct nothing_work {
  std::shared_ptr<const graph> keeps;  // what is there until its turn has come; may be nullptr
};
struct record_work {
  hipEvent_t event = nullptr;
};
struct wait_work {
  hipEvent_t event = nullptr;
};
struct allocate_work {
  std::shared_ptr<graph_allocation> memory;
};
// What another node allocates, perhaps one of another graph.
struct free_work {
  std::shared_ptr<graph_allocation> memory;
};
using stream_work = std::variant<nothing_work, kernel_launch, box_copy_work, copy_work, variable_copy_work, fill_work,
                                 host_work, child_work, record_work, wait_work, allocate_work, free_work>;

hipGraphNodeType type_of(const stream_work& w);
// True if the operation copies memory to memory, whatever names the two.
bool is_copy(const stream_work& w);

// ---- Nodes and edges

struct graph_node {
  uint64_t id = 0;  // of no other node, ever
  graph* owner = nullptr;
  stream_work work;
  std::vector<graph_node*> before, after;  // what it comes after, and what comes after it; in order of being said so
  std::vector<void*> arguments;            // of a launch, where they are: for who asks for the node's parameters
  bool enabled = true;                     // in an instantiated graph: it is done
  hipAccessPolicyWindow window{};          // of a launch: a hint that changes nothing
};

// Graphs and nodes that there are, whoever owns them: handles of the program are looked up here.
struct graph_registry {
  std::set<const graph*> graphs;
  std::set<const graph_node*> nodes;
  uint64_t next_id = 1;
  graph_allocations allocations;
  user_objects objects;

  // The program frees what a node has allocated. False: no node has. Throws failure (hipErrorInvalidValue).
  bool free(uint64_t address);
};

class graph {
 public:
  explicit graph(graph_registry& known);
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  ~graph();

  // In order of their making.
  const std::vector<std::unique_ptr<graph_node>>& nodes() const { return nodes_; }

  // Throws failure (hipErrorInvalidValue) for a node of another graph.
  graph_node& add(stream_work work, const std::vector<graph_node*>& before);
  void remove(graph_node& n);
  // Throws failure (hipErrorInvalidValue) for an edge that is there already, to itself, or of another graph; and, to
  // take out, for one that is not there.
  void add_edge(graph_node& from, graph_node& to);
  void remove_edge(graph_node& from, graph_node& to);

  // Each node behind those that it comes after, else in order of their making. Fewer than there are: the others are in
  // a cycle.
  std::vector<graph_node*> in_order() const;

  // References to the program's objects, of this graph alone. Throw failure (hipErrorInvalidValue): there are not as
  // many.
  void retain(user_object& o, uint64_t count, bool moves);
  void release(user_object& o, uint64_t count);
  // As many as another graph, and no others.
  void take_objects_of(const graph& other);
  // True if it, or a child graph, refers to objects of the program.
  bool has_objects() const;
  // True if a node allocates or frees memory. Child graphs have no such nodes.
  bool has_memory_nodes() const;

  // Instantiated: what an earlier launch has allocated is freed by the next.
  bool frees_on_launch = false;

  // The same operations and edges, and as many references; child graphs are copied too.
  std::shared_ptr<graph> clone() const;
  // The node of this graph that is the copy of `original`; nullptr: there is none.
  graph_node* copy_of(const graph_node& original) const;

 private:
  template <class F>
  bool any_node(F f) const {
    for (const auto& n : nodes_)
      if (f(*n)) return true;
    return false;
  }

  graph_registry& known_;
  std::vector<std::unique_ptr<graph_node>> nodes_;
  std::map<uint64_t, graph_node*> copies_;  // of a clone, by the original's id
  std::map<user_object*, uint64_t> objects_;
};

}  // namespace pws::hip
