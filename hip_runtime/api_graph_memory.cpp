// SPDX-License-Identifier: Apache-2.0
// Nodes that allocate and free memory (graph_memory.h), and what a device's graphs have of it.
#include <fmt/format.h>

#include <algorithm>

#include "hip_runtime/graph_handles.h"

using namespace pws::hip;

namespace {

// Others are copies, whose nodes share the memory of these.
void require_own_graph(context& c, hipGraph_t g) {
  graph_of(c, g);
  require(c.graphs.count(g) != 0, hipErrorNotSupported, "a child graph allocates and frees no memory");
}

void check_parameters(const hipMemAllocNodeParams& p) {
  require(p.bytesize != 0, hipErrorInvalidValue, "nothing to allocate");
  require(p.poolProps.allocType == hipMemAllocationTypePinned, hipErrorInvalidValue,
          "a pool's allocations are of hipMemAllocationTypePinned");
  check_location(p.poolProps.location);
  require(p.poolProps.handleTypes == hipMemHandleTypeNone, hipErrorNotSupported,
          "memory that can be exported to other processes is not there");
  require(p.accessDescCount == 0 || p.accessDescs != nullptr, hipErrorInvalidValue, "the list of accesses is null");
  for (size_t k = 0; k < p.accessDescCount; ++k) {
    check_location(p.accessDescs[k].location);
    require(p.accessDescs[k].flags == hipMemAccessFlagsProtReadWrite, hipErrorInvalidValue,
            "a device reads and writes what graphs allocate");
  }
}

bool has_free_node(context& c, const graph_allocation& a) {
  const auto frees = [&](const graph_node* n) {
    const auto* w = std::get_if<free_work>(&n->work);
    return w != nullptr && w->memory.get() == &a;
  };
  return std::any_of(c.known_graphs.nodes.begin(), c.known_graphs.nodes.end(), frees);
}

uint64_t& amount(void* value) {
  return result(static_cast<uint64_t*>(value));
}
[[noreturn]] void refuse_memory_attribute(hipGraphMemAttributeType attribute, const char* why) {
  throw failure(hipErrorInvalidValue,
                fmt::format("attribute {} of the memory of graphs {}", static_cast<int>(attribute), why));
}

}  // namespace

extern "C" {

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                   hipMemAllocNodeParams* p) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the address for the node is null");
    require_own_graph(c, g);
    result(p).dptr = nullptr;
    check_parameters(*p);
    nodes_of(c, before, count);  // nothing is allocated where one is none
    const auto memory = std::make_shared<graph_allocation>(*p);
    add_node(c, to, g, before, count, allocate_work{memory});
    p->dptr = reinterpret_cast<void*>(memory->address());
  });
}
// The list of accesses is good as long as the node.
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t n, hipMemAllocNodeParams* p) {
  return call(__func__, [&](context& c) { result(p) = work_of<allocate_work>(node_of(c, n)).memory->parameters(); });
}

// The memory may be what a node of another graph allocates.
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                  void* pointer) {
  return call(__func__, [&](context& c) {
    require(to != nullptr && pointer != nullptr, hipErrorInvalidValue, "an address is null");
    require_own_graph(c, g);
    const graph_allocations& all = c.known_graphs.allocations;
    const auto at = all.find(reinterpret_cast<uint64_t>(pointer));
    if (at == all.end())
      throw failure(hipErrorInvalidValue, fmt::format("no node of a graph allocates what begins at {}", pointer));
    require(!has_free_node(c, *at->second), hipErrorInvalidValue, "another node frees that memory");
    add_node(c, to, g, before, count, free_work{at->second->shared_from_this()});
  });
}
// The address goes to what `pointer` points at.
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t n, void* pointer) {
  return call(__func__, [&](context& c) {
    const uint64_t address = work_of<free_work>(node_of(c, n)).memory->address();
    result(static_cast<void**>(pointer)) = reinterpret_cast<void*>(address);
  });
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  return call(__func__, [&](context& c) {
    check_device(device);
    const graph_memory_account& a = c.slot(device).graph_memory;
    switch (attribute) {
      case hipGraphMemAttrUsedMemCurrent:
        amount(value) = a.used;
        return;
      case hipGraphMemAttrUsedMemHigh:
        amount(value) = a.used_high;
        return;
      case hipGraphMemAttrReservedMemCurrent:
        amount(value) = a.reserved;
        return;
      case hipGraphMemAttrReservedMemHigh:
        amount(value) = a.reserved_high;
        return;
    }
    refuse_memory_attribute(attribute, "is not there");
  });
}
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
  return call(__func__, [&](context& c) {
    check_device(device);
    graph_memory_account& a = c.slot(device).graph_memory;
    if (attribute != hipGraphMemAttrUsedMemHigh && attribute != hipGraphMemAttrReservedMemHigh)
      refuse_memory_attribute(attribute, "cannot be set");
    if (amount(value) != 0) refuse_memory_attribute(attribute, "can be set to 0 alone");
    if (attribute == hipGraphMemAttrUsedMemHigh)
      a.used_high = a.used;
    else
      a.reserved_high = a.reserved;
  });
}
// Nodes keep their memory, and nothing else is in reserve.
hipError_t hipDeviceGraphMemTrim(int device) {
  return call(__func__, [&](context&) { check_device(device); });
}

}  // extern "C"
