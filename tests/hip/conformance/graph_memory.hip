// library: own
// queues: yes
// Nodes of graphs that allocate and free memory.
#include "newer_api.h"

namespace {

using ints = std::vector<int>;

hipMemAllocNodeParams wanted(size_t bytes) {
  hipMemAllocNodeParams p = {};
  p.poolProps.allocType = hipMemAllocationTypePinned;
  p.poolProps.location.type = hipMemLocationTypeDevice;
  p.bytesize = bytes;
  p.dptr = &p;
  return p;
}
int* allocating(hipGraph_t g, hipGraphNode_t* node, size_t bytes = elements * sizeof(int)) {
  hipMemAllocNodeParams p = wanted(bytes);
  OK(hipGraphAddMemAllocNode(node, g, nullptr, 0, &p));
  EXPECT(p.dptr != nullptr);
  return static_cast<int*>(p.dptr);
}
hipGraphNode_t zeroing(hipGraph_t g, int* data, const std::vector<hipGraphNode_t>& before) {
  hipMemsetParams p = {};
  p.dst = data;
  p.elementSize = 4;
  p.width = elements;
  p.height = 1;
  p.pitch = elements * sizeof(int);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemsetNode(&node, g, before.data(), before.size(), &p));
  return node;
}
hipGraphNode_t freeing(hipGraph_t g, int* data, const std::vector<hipGraphNode_t>& before) {
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemFreeNode(&node, g, before.data(), before.size(), data));
  return node;
}
uint64_t told(hipGraphMemAttributeType attribute) {
  uint64_t value = 99;
  OK(hipDeviceGetGraphMemAttribute(0, attribute, &value));
  return value;
}

// Allocates, counts to 5 in what it got, copies it out, and frees it.
struct whole_life {
  own_graph g;
  hipGraphNode_t alloc = nullptr, last = nullptr, free = nullptr;
  int* data;
  explicit whole_life(ints& to) : data(allocating(g, &alloc)) {
    const hipGraphNode_t add = adding_node(g, data, 5, {zeroing(g, data, {alloc})});
    OK(hipGraphAddMemcpyNode1D(&last, g, &add, 1, to.data(), data, elements * sizeof(int), hipMemcpyDeviceToHost));
    free = freeing(g, data, {last});
  }
};

CASE(allocated_used_and_freed) {
  ints result(elements, -1);
  const whole_life life(result);
  const ready_graph e(life.g);
  for (int k = 0; k < 3; ++k) {
    result.assign(elements, -1);
    e.run();
    EXPECT(result == ints(elements, 5));
    SAME(told(hipGraphMemAttrUsedMemCurrent), 0u);
  }
}
CASE(left_to_the_program) {
  int* data = nullptr;
  {
    own_graph g;
    hipGraphNode_t alloc = nullptr;
    data = allocating(g, &alloc);
    adding_node(g, data, 7, {zeroing(g, data, {alloc})});
    GIVES(hipErrorInvalidValue, hipFree(data));  // nobody has it yet
    ready_graph(g).run();
    SAME(told(hipGraphMemAttrUsedMemCurrent), elements * sizeof(int));
  }
  // It stays when the graph has gone.
  ints result(elements);
  OK(hipMemcpy(result.data(), data, elements * sizeof(int), hipMemcpyDeviceToHost));
  EXPECT(result == ints(elements, 7));
  OK(hipFree(data));
  GIVES(hipErrorInvalidValue, hipFree(data));
}
CASE(freed_between_launches) {
  own_graph g;
  hipGraphNode_t alloc = nullptr;
  int* const data = allocating(g, &alloc);
  adding_node(g, data, 1, {zeroing(g, data, {alloc})});
  const ready_graph e(g);
  e.run();
  GIVES(hipErrorInvalidValue, hipGraphLaunch(e, nullptr));  // the program still has it
  OK(hipFree(data));
  GIVES(hipErrorInvalidValue, hipFree(data));
  e.run();
  OK(hipFreeAsync(data, nullptr));
  e.run();
  SAME(told(hipGraphMemAttrUsedMemCurrent), elements * sizeof(int));
  OK(hipFree(data));
  SAME(told(hipGraphMemAttrUsedMemCurrent), 0u);
}
CASE(freed_by_the_next_launch) {
  own_graph g;
  hipGraphNode_t alloc = nullptr;
  int* const data = allocating(g, &alloc);
  adding_node(g, data, 1, {zeroing(g, data, {alloc})});
  const ready_graph e(g, hipGraphInstantiateFlagAutoFreeOnLaunch);
  for (int k = 0; k < 3; ++k) e.run();
  SAME(told(hipGraphMemAttrUsedMemCurrent), elements * sizeof(int));
  OK(hipFree(data));
}
CASE(freed_by_another_graph) {
  own_graph first, second;
  hipGraphNode_t alloc = nullptr;
  int* const data = allocating(first, &alloc);
  freeing(second, data, {});
  const ready_graph e(first), f(second);
  GIVES(hipErrorInvalidValue, hipGraphLaunch(f, nullptr));  // not allocated yet
  e.run();
  f.run();
  SAME(told(hipGraphMemAttrUsedMemCurrent), 0u);
  GIVES(hipErrorInvalidValue, hipGraphLaunch(f, nullptr));
  e.run();
  OK(hipFree(data));
}
CASE(two_instances) {
  own_graph g;
  hipGraphNode_t alloc = nullptr;
  int* const data = allocating(g, &alloc);
  const ready_graph e(g), f(g);
  e.run();
  GIVES(hipErrorInvalidValue, hipGraphLaunch(f, nullptr));
  OK(hipFree(data));
}
CASE(parameters) {
  own_graph g;
  hipGraphNode_t alloc = nullptr, free = nullptr;
  hipMemAccessDesc access = {};
  access.location.type = hipMemLocationTypeDevice;
  access.flags = hipMemAccessFlagsProtReadWrite;
  hipMemAllocNodeParams p = wanted(100), q = {};
  p.accessDescs = &access;
  p.accessDescCount = 1;
  OK(hipGraphAddMemAllocNode(&alloc, g, nullptr, 0, &p));
  access.flags = hipMemAccessFlagsProtNone;
  OK(hipGraphMemAllocNodeGetParams(alloc, &q));
  EXPECT(q.dptr == p.dptr && q.bytesize == 100 && q.accessDescCount == 1);
  EXPECT(q.accessDescs != &access && q.accessDescs->flags == hipMemAccessFlagsProtReadWrite);
  EXPECT(q.poolProps.location.id == 0 && q.poolProps.allocType == hipMemAllocationTypePinned);
  free = freeing(g, static_cast<int*>(p.dptr), {alloc});
  void* freed = nullptr;
  OK(hipGraphMemFreeNodeGetParams(free, &freed));
  EXPECT(freed == p.dptr);
  hipGraphNodeType type = hipGraphNodeTypeEmpty;
  OK(hipGraphNodeGetType(alloc, &type));
  EXPECT(type == hipGraphNodeTypeMemAlloc);
  OK(hipGraphNodeGetType(free, &type));
  EXPECT(type == hipGraphNodeTypeMemFree);
  GIVES(hipErrorInvalidValue, hipGraphMemAllocNodeGetParams(free, &q));
  GIVES(hipErrorInvalidValue, hipGraphMemAllocNodeGetParams(nullptr, &q));
  GIVES(hipErrorInvalidValue, hipGraphMemAllocNodeGetParams(alloc, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphMemFreeNodeGetParams(alloc, &freed));
  GIVES(hipErrorInvalidValue, hipGraphMemFreeNodeGetParams(free, nullptr));
}
void refused(hipMemAllocNodeParams p, hipError_t code = hipErrorInvalidValue) {
  own_graph g;
  hipGraphNode_t node = nullptr;
  const uint64_t before = told(hipGraphMemAttrReservedMemCurrent);
  GIVES(code, hipGraphAddMemAllocNode(&node, g, nullptr, 0, &p));
  EXPECT(node == nullptr && p.dptr == nullptr);
  SAME(told(hipGraphMemAttrReservedMemCurrent), before);
}
CASE(refused_parameters) {
  refused(wanted(0));
  refused(wanted(size_t{1} << 60), hipErrorOutOfMemory);
  hipMemAllocNodeParams p = wanted(4);
  p.poolProps.allocType = hipMemAllocationTypeInvalid;
  refused(p);
  p = wanted(4);
  p.poolProps.location.id = 99;
  refused(p);
  p.poolProps.location.id = -1;
  refused(p);
  p = wanted(4);
  p.poolProps.location.type = hipMemLocationTypeInvalid;
  refused(p);
  p = wanted(4);
  p.poolProps.handleTypes = hipMemHandleTypePosixFileDescriptor;
  refused(p, hipErrorNotSupported);
  p = wanted(4);
  p.accessDescCount = 1;
  refused(p);
}
CASE(nowhere) {
  own_graph g;
  hipGraphNode_t node = nullptr;
  hipMemAllocNodeParams p = wanted(4);
  GIVES(hipErrorInvalidValue, hipGraphAddMemAllocNode(nullptr, g, nullptr, 0, &p));
  GIVES(hipErrorInvalidValue, hipGraphAddMemAllocNode(&node, nullptr, nullptr, 0, &p));
  GIVES(hipErrorInvalidValue, hipGraphAddMemAllocNode(&node, g, nullptr, 1, &p));
  GIVES(hipErrorInvalidValue, hipGraphAddMemAllocNode(&node, g, nullptr, 0, nullptr));
  int* const data = allocating(g, &node);
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(nullptr, g, nullptr, 0, data));
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(&node, nullptr, nullptr, 0, data));
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(&node, g, nullptr, 0, nullptr));
}
CASE(free_node_of_other_memory) {
  own_graph g;
  hipGraphNode_t alloc = nullptr, node = nullptr;
  int* const data = allocating(g, &alloc);
  const device_block<int> other(elements);
  int on_host = 0;
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(&node, g, nullptr, 0, other.get()));
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(&node, g, nullptr, 0, &on_host));
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(&node, g, nullptr, 0, data + 1));
  freeing(g, data, {alloc});
  GIVES(hipErrorInvalidValue, hipGraphAddMemFreeNode(&node, g, nullptr, 0, data));
}
CASE(freed_before_it_is_allocated) {
  own_graph g;
  hipGraphNode_t first = nullptr, alloc = nullptr;
  OK(hipGraphAddEmptyNode(&first, g, nullptr, 0));
  int* const data = allocating(g, &alloc);
  const hipGraphNode_t free = freeing(g, data, {first});
  OK(hipGraphAddDependencies(g, &free, &alloc, 1));
  const ready_graph e(g);
  GIVES(hipErrorInvalidValue, hipGraphLaunch(e, nullptr));
  SAME(told(hipGraphMemAttrUsedMemCurrent), 0u);
}
CASE(copies_and_children) {
  own_graph g, other;
  hipGraphNode_t alloc = nullptr, node = nullptr;
  hipGraph_t copy = nullptr;
  int* const data = allocating(g, &alloc);
  GIVES(hipErrorNotSupported, hipGraphClone(&copy, g));
  GIVES(hipErrorNotSupported, hipGraphAddChildGraphNode(&node, other, nullptr, 0, g));
  GIVES(hipErrorNotSupported, hipGraphDestroyNode(alloc));
  GIVES(hipErrorNotSupported, hipGraphDestroyNode(freeing(g, data, {alloc})));
  // Nor in what is a child already.
  const own_graph empty;
  hipGraph_t child = nullptr;
  OK(hipGraphAddChildGraphNode(&node, other, nullptr, 0, empty));
  OK(hipGraphChildGraphNodeGetGraph(node, &child));
  hipMemAllocNodeParams p = wanted(4);
  GIVES(hipErrorNotSupported, hipGraphAddMemAllocNode(&node, child, nullptr, 0, &p));
}
CASE(not_in_a_capture) {
  own_graph g;
  hipGraphNode_t alloc = nullptr;
  freeing(g, allocating(g, &alloc), {alloc});
  const ready_graph e(g);
  const own_stream s;
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  GIVES(hipErrorNotSupported, hipGraphLaunch(e, s));
  hipGraph_t captured = nullptr;
  static_cast<void>(hipStreamEndCapture(s, &captured));
  static_cast<void>(hipGetLastError());
  if (captured != nullptr) OK(hipGraphDestroy(captured));
}
CASE(update) {
  ints result(elements);
  const whole_life life(result), other(result);
  const ready_graph e(life.g);
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult how;
  OK(hipGraphExecUpdate(e, life.g, &where, &how));
  GIVES(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(e, other.g, &where, &how));
  EXPECT(how == hipGraphExecUpdateErrorParametersChanged && where != nullptr);
  e.run();
  EXPECT(result == ints(elements, 5));
}
CASE(account) {
  uint64_t zero = 0, one = 1;
  OK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &zero));
  OK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrReservedMemHigh, &zero));
  const uint64_t used = told(hipGraphMemAttrUsedMemCurrent), reserved = told(hipGraphMemAttrReservedMemCurrent);
  SAME(told(hipGraphMemAttrUsedMemHigh), used);
  {
    own_graph g;
    hipGraphNode_t alloc = nullptr;
    freeing(g, allocating(g, &alloc, 1000), {alloc});
    SAME(told(hipGraphMemAttrReservedMemCurrent), reserved + 1000);
    SAME(told(hipGraphMemAttrUsedMemHigh), used);
    ready_graph(g).run();
    SAME(told(hipGraphMemAttrUsedMemHigh), used + 1000);
    SAME(told(hipGraphMemAttrUsedMemCurrent), used);
    OK(hipDeviceGraphMemTrim(0));
    SAME(told(hipGraphMemAttrReservedMemCurrent), reserved + 1000);
  }
  SAME(told(hipGraphMemAttrReservedMemCurrent), reserved);
  SAME(told(hipGraphMemAttrReservedMemHigh), reserved + 1000);
  OK(hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrReservedMemHigh, &zero));
  SAME(told(hipGraphMemAttrReservedMemHigh), reserved);
  GIVES(hipErrorInvalidValue, hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, &one));
  GIVES(hipErrorInvalidValue, hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, &zero));
  GIVES(hipErrorInvalidValue, hipDeviceSetGraphMemAttribute(0, hipGraphMemAttrUsedMemHigh, nullptr));
  GIVES(hipErrorInvalidDevice, hipDeviceSetGraphMemAttribute(9, hipGraphMemAttrUsedMemHigh, &zero));
  GIVES(hipErrorInvalidValue, hipDeviceGetGraphMemAttribute(0, hipGraphMemAttrUsedMemCurrent, nullptr));
  GIVES(hipErrorInvalidDevice, hipDeviceGetGraphMemAttribute(-1, hipGraphMemAttrUsedMemCurrent, &zero));
  GIVES(hipErrorInvalidDevice, hipDeviceGraphMemTrim(9));
}
// The memory is the machine's again when the graphs go, as often as they come.
CASE(nothing_is_lost) {
  size_t before = 0, after = 0, total = 0;
  OK(hipMemGetInfo(&before, &total));
  for (int k = 0; k < 50; ++k) {
    own_graph g;
    hipGraphNode_t alloc = nullptr;
    int* const data = allocating(g, &alloc, total / 4);
    if (k % 2 == 0) freeing(g, data, {alloc});
    ready_graph(g).run();
    if (k % 2 != 0) OK(hipFree(data));
  }
  OK(hipMemGetInfo(&after, &total));
  SAME(after, before);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
