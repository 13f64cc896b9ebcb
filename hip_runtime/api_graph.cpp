// SPDX-License-Identifier: Apache-2.0
// Graphs: their making, edges, copies, instantiation, update and launch. A launch does the operations one after the
// other, each behind those that it comes after, else in the order in which they were added.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hip_runtime/graph_handles.h"
#include "hip_runtime/stream_work.h"

using namespace pws::hip;

namespace {

// As many as the caller has room for, and how many that are; what is left of the room becomes null. Without a list: how
// many there are.
void answer_list(const std::vector<graph_node*>& nodes, hipGraphNode_t* to, size_t* count) {
  require(count != nullptr, hipErrorInvalidValue, "the address for the number is null");
  if (to != nullptr)
    for (size_t k = 0; k < *count; ++k) to[k] = k < nodes.size() ? handle_of(*nodes[k]) : nullptr;
  *count = to == nullptr ? nodes.size() : std::min(*count, nodes.size());
}

std::vector<graph_node*> all_nodes(const graph& g) {
  std::vector<graph_node*> all;
  for (const auto& n : g.nodes()) all.push_back(n.get());
  return all;
}

// A node in a cycle, of the graph or of a graph in it; nullptr: there is none.
graph_node* in_cycle(const graph& g) {
  std::vector<graph_node*> order = g.in_order();
  if (order.size() != g.nodes().size()) {
    std::sort(order.begin(), order.end());
    for (const auto& n : g.nodes())
      if (!std::binary_search(order.begin(), order.end(), n.get())) return n.get();
  }
  for (const auto& n : g.nodes())
    if (const auto* w = std::get_if<child_work>(&n->work))
      if (graph_node* found = in_cycle(*w->child)) return found;
  return nullptr;
}

// An operation of a launch, and those that it comes after.
struct step {
  const stream_work* work = nullptr;  // nothing, where the node is disabled
  std::vector<size_t> before;         // in the list of steps
};

const stream_work nothing;

// Behind the steps `entry` of the list. The steps that are behind all of it: what comes after the graph is after these.
std::vector<size_t> collect(const graph& g, const std::vector<size_t>& entry, std::vector<step>& todo) {
  std::map<const graph_node*, std::vector<size_t>> ends;
  std::vector<size_t> all = entry;
  for (const graph_node* n : g.in_order()) {
    std::vector<size_t> before = n->before.empty() ? entry : std::vector<size_t>{};
    for (const graph_node* b : n->before) before.insert(before.end(), ends[b].begin(), ends[b].end());
    if (const auto* w = std::get_if<child_work>(&n->work)) {
      ends[n] = collect(*w->child, before, todo);
    } else {
      ends[n] = {todo.size()};
      todo.push_back({n->enabled ? &n->work : &nothing, std::move(before)});
    }
    all.insert(all.end(), ends[n].begin(), ends[n].end());
  }
  return all;
}

// What the launch allocates and frees, in order: the program has it, and has it not, from now on.
void change_memory(const graph& g, const std::vector<step>& todo) {
  std::map<const graph_allocation*, bool> in_use;  // at that step
  const auto state = [&](const graph_allocation& a) -> bool& {
    return in_use.try_emplace(&a, a.in_use()).first->second;
  };
  for (const step& s : todo) {
    if (const auto* a = std::get_if<allocate_work>(s.work)) {
      bool& used = state(*a->memory);
      require(!used || g.frees_on_launch, hipErrorInvalidValue,
              "what an earlier launch of the graph has allocated has not been freed");
      used = true;
    } else if (const auto* f = std::get_if<free_work>(s.work)) {
      bool& used = state(*f->memory);
      require(used, hipErrorInvalidValue, "the graph frees memory that is not allocated");
      used = false;
    }
  }
  for (const step& s : todo) {
    if (const auto* a = std::get_if<allocate_work>(s.work)) {
      if (a->memory->in_use()) a->memory->take();
      a->memory->give();
    } else if (const auto* f = std::get_if<free_work>(s.work)) {
      f->memory->take();
    }
  }
}

void instantiate(context& c, hipGraphExec_t* to, hipGraph_t from, hipGraphNode_t* error_node = nullptr,
                 char* log = nullptr, size_t log_bytes = 0, bool frees_on_launch = false) {
  require(to != nullptr, hipErrorInvalidValue, "the address for the instantiated graph is null");
  *to = nullptr;
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes != 0) *log = '\0';
  const graph& g = graph_of(c, from);
  if (graph_node* n = in_cycle(g)) {
    const char* why = "the graph has a cycle";
    if (error_node != nullptr) *error_node = handle_of(*n);
    if (log != nullptr && log_bytes != 0) std::strncat(log, why, log_bytes - 1);
    throw failure(hipErrorInvalidValue, why);
  }
  std::shared_ptr<graph> copy = g.clone();
  copy->frees_on_launch = frees_on_launch;
  *to = reinterpret_cast<hipGraphExec_t>(copy.get());
  c.ready.emplace(*to, std::move(copy));
}

// The way of a copy; all else has one way.
hipMemcpyKind kind_of(const stream_work& w) {
  if (const auto* copy = std::get_if<copy_work>(&w)) return copy->kind;
  if (const auto* box = std::get_if<box_copy_work>(&w)) return box->parameters.kind;
  if (const auto* variable = std::get_if<variable_copy_work>(&w)) return variable->kind;
  return hipMemcpyDefault;
}

// What a node allocates or frees, which it cannot change.
const graph_allocation* memory_of(const stream_work& w) {
  if (const auto* a = std::get_if<allocate_work>(&w)) return a->memory.get();
  const auto* f = std::get_if<free_work>(&w);
  return f == nullptr ? nullptr : f->memory.get();
}

// What keeps `ready` from becoming what `g` is, and where.
hipGraphExecUpdateResult difference(const graph& ready, const graph& g, graph_node*& where) {
  const auto &a = ready.nodes(), &b = g.nodes();
  if (a.size() != b.size()) {
    where = b.size() > a.size() ? b[a.size()].get() : nullptr;
    return hipGraphExecUpdateErrorTopologyChanged;
  }
  std::map<const graph_node*, size_t> number;
  for (size_t k = 0; k < a.size(); ++k) number[a[k].get()] = number[b[k].get()] = k;
  const auto numbers = [&](const graph_node& n) {
    std::set<size_t> of;
    for (const graph_node* x : n.before) of.insert(number.at(x));
    return of;
  };
  for (size_t k = 0; k < a.size(); ++k) {
    where = b[k].get();
    if (type_of(a[k]->work) != type_of(b[k]->work)) return hipGraphExecUpdateErrorNodeTypeChanged;
    if (numbers(*a[k]) != numbers(*b[k])) return hipGraphExecUpdateErrorTopologyChanged;
    if (kind_of(a[k]->work) != kind_of(b[k]->work)) return hipGraphExecUpdateErrorParametersChanged;
    if (memory_of(a[k]->work) != memory_of(b[k]->work)) return hipGraphExecUpdateErrorParametersChanged;
    if (const auto* child = std::get_if<child_work>(&a[k]->work)) {
      const auto result = difference(*child->child, *std::get<child_work>(b[k]->work).child, where);
      if (result != hipGraphExecUpdateSuccess) return result;
    }
  }
  where = nullptr;
  return hipGraphExecUpdateSuccess;
}

void take_over(graph& ready, const graph& g) {
  ready.take_objects_of(g);
  for (size_t k = 0; k < g.nodes().size(); ++k) {
    stream_work& mine = ready.nodes()[k]->work;
    if (auto* child = std::get_if<child_work>(&mine))
      take_over(*child->child, *std::get<child_work>(g.nodes()[k]->work).child);
    else
      mine = g.nodes()[k]->work;
  }
}

}  // namespace

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* to, unsigned int flags) {
  return call(__func__, [&](context& c) {
    require(to != nullptr && flags == 0, hipErrorInvalidValue, "the address for the graph is null, or flags");
    auto g = std::make_shared<graph>(c.known_graphs);
    *to = handle_of(*g);
    c.graphs.emplace(*to, std::move(g));
  });
}
hipError_t hipGraphDestroy(hipGraph_t g) {
  return call(__func__, [&](context& c) {
    require(c.graphs.erase(g) != 0, hipErrorInvalidValue, "the handle is of no graph that the program has made");
  });
}
hipError_t hipGraphClone(hipGraph_t* to, hipGraph_t from) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the address for the graph is null");
    const graph& original = graph_of(c, from);
    require(!original.has_memory_nodes(), hipErrorNotSupported, "a graph that allocates or frees memory is not copied");
    std::shared_ptr<graph> copy = original.clone();
    *to = handle_of(*copy);
    c.graphs.emplace(*to, std::move(copy));
  });
}
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* to, hipGraphNode_t original, hipGraph_t clone) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the address for the node is null");
    graph_node* n = graph_of(c, clone).copy_of(node_of(c, original));
    require(n != nullptr, hipErrorInvalidValue, "the graph has no copy of the node");
    *to = handle_of(*n);
  });
}

// ---- nodes and edges

hipError_t hipGraphAddDependencies(hipGraph_t g, const hipGraphNode_t* from, const hipGraphNode_t* to, size_t count) {
  return call(__func__, [&](context& c) {
    graph& own = graph_of(c, g);
    const auto first = nodes_of(c, from, count), second = nodes_of(c, to, count);
    for (size_t k = 0; k < count; ++k) own.add_edge(*first[k], *second[k]);
  });
}
hipError_t hipGraphRemoveDependencies(hipGraph_t g, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t count) {
  return call(__func__, [&](context& c) {
    graph& own = graph_of(c, g);
    const auto first = nodes_of(c, from, count), second = nodes_of(c, to, count);
    for (size_t k = 0; k < count; ++k) own.remove_edge(*first[k], *second[k]);
  });
}
hipError_t hipGraphGetEdges(hipGraph_t g, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
  return call(__func__, [&](context& c) {
    require((from == nullptr) == (to == nullptr), hipErrorInvalidValue, "one list of two");
    std::vector<graph_node*> first, second;
    for (const auto& n : graph_of(c, g).nodes())
      for (graph_node* a : n->after) {
        first.push_back(n.get());
        second.push_back(a);
      }
    require(count != nullptr, hipErrorInvalidValue, "the address for the number is null");
    size_t room = *count;
    answer_list(first, from, &room);
    answer_list(second, to, count);
  });
}
hipError_t hipGraphGetNodes(hipGraph_t g, hipGraphNode_t* to, size_t* count) {
  return call(__func__, [&](context& c) { answer_list(all_nodes(graph_of(c, g)), to, count); });
}
hipError_t hipGraphGetRootNodes(hipGraph_t g, hipGraphNode_t* to, size_t* count) {
  return call(__func__, [&](context& c) {
    std::vector<graph_node*> roots = all_nodes(graph_of(c, g));
    roots.erase(std::remove_if(roots.begin(), roots.end(), [](const auto* n) { return !n->before.empty(); }),
                roots.end());
    answer_list(roots, to, count);
  });
}
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t n, hipGraphNode_t* to, size_t* count) {
  return call(__func__, [&](context& c) { answer_list(node_of(c, n).before, to, count); });
}
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t n, hipGraphNode_t* to, size_t* count) {
  return call(__func__, [&](context& c) { answer_list(node_of(c, n).after, to, count); });
}
hipError_t hipGraphNodeGetType(hipGraphNode_t n, hipGraphNodeType* type) {
  return call(__func__, [&](context& c) {
    require(type != nullptr, hipErrorInvalidValue, "the address for the type is null");
    *type = type_of(node_of(c, n).work);
  });
}
hipError_t hipGraphDestroyNode(hipGraphNode_t n) {
  return call(__func__, [&](context& c) {
    graph_node& node = node_of(c, n);
    require(!c.captures.is_making(*node.owner), hipErrorInvalidValue, "the node's graph is still being captured");
    require(memory_of(node.work) == nullptr, hipErrorNotSupported, "a node that allocates or frees memory stays");
    node.owner->remove(node);
  });
}

// ---- instantiated graphs

hipError_t hipGraphInstantiate(hipGraphExec_t* to, hipGraph_t g, hipGraphNode_t* error_node, char* log,
                               size_t log_bytes) {
  return call(__func__, [&](context& c) { instantiate(c, to, g, error_node, log, log_bytes); });
}
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* to, hipGraph_t g, unsigned long long flags) {
  return call(__func__, [&](context& c) {
    constexpr uint64_t frees = hipGraphInstantiateFlagAutoFreeOnLaunch, device = hipGraphInstantiateFlagDeviceLaunch;
    // There is nothing to upload, and nodes have no priorities.
    constexpr uint64_t known = frees | device | hipGraphInstantiateFlagUpload | hipGraphInstantiateFlagUseNodePriority;
    require((flags & ~known) == 0, hipErrorInvalidValue, "flags that an instantiation does not have");
    require((flags & device) == 0, hipErrorNotSupported, "the device launches no graphs");
    instantiate(c, to, g, nullptr, nullptr, 0, (flags & frees) != 0);
  });
}
hipError_t hipGraphExecDestroy(hipGraphExec_t e) {
  return call(__func__, [&](context& c) {
    ready_graph_of(c, e);
    c.ready.erase(e);
  });
}
hipError_t hipGraphExecUpdate(hipGraphExec_t e, hipGraph_t g, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
  return call(__func__, [&](context& c) {
    require(error_node != nullptr && result != nullptr, hipErrorInvalidValue, "an address for a result is null");
    *error_node = nullptr;
    *result = hipGraphExecUpdateError;
    const std::shared_ptr<graph>& ready = ready_graph_of(c, e);
    const graph& wanted = graph_of(c, g);
    graph_node* where = nullptr;
    *result = difference(*ready, wanted, where);
    if (*result != hipGraphExecUpdateSuccess) {
      if (where != nullptr) *error_node = handle_of(*where);
      throw failure(hipErrorGraphExecUpdateFailure,
                    fmt::format("the graph differs in more than parameters (reason {})", static_cast<int>(*result)));
    }
    take_over(*ready, wanted);
  });
}

// Host functions are called outside the lock, as those of streams.
hipError_t hipGraphLaunch(hipGraphExec_t e, hipStream_t stream) {
  std::shared_ptr<graph> held;  // a host function may destroy it
  std::vector<step> todo;
  const auto launch = std::make_shared<branch::launch>();
  hipError_t code = call(__func__, [&](context& c) {
    c.check_stream(stream);
    const std::shared_ptr<graph>& ready = ready_graph_of(c, e);
    if (capture* k = c.captures.takes(stream)) {
      require(!ready->has_memory_nodes(), hipErrorNotSupported, "a graph that allocates or frees memory is no child");
      return k->add(stream, child_work{ready->clone()});
    }
    c.check_alive();
    held = ready;
    collect(*held, {}, todo);
    change_memory(*held, todo);
  });
  for (size_t k = 0; k < todo.size() && code == hipSuccess; ++k) {
    const auto* host = std::get_if<host_work>(todo[k].work);
    code = call(__func__, [&](context& c) {
      branch in{launch, k, todo[k].before};
      if (host == nullptr) {
        const bool is_memory = memory_of(*todo[k].work) != nullptr;
        return enqueue(c, stream, is_memory ? nothing : *todo[k].work, std::move(in));
      }
      const hipHostNodeParams p = host->parameters;
      c.pending.put_call(
          c.stream_of(stream), [p](hipError_t) { p.fn(p.userData); }, false, std::move(in));
    });
  }
  if (held == nullptr) return code;
  // Nodes are known to all; and objects of the graph stay until what was put in is done.
  static_cast<void>(call(__func__, [&](context& c) {
    if (held->has_objects() && c.pending.has_work()) c.pending.put(c.stream_of(stream), nothing_work{held->clone()});
    held.reset();
  }));
  return code;
}
PWS_ALSO_SPT(hipGraphLaunch);

}  // extern "C"
