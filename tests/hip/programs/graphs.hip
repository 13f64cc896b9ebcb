// queues: yes
// misuses: memory
// Graphs built by hand: every kind of node, dependencies, copies, instantiation, update, launches again and again, and
// wrong use.
#include <algorithm>

#include "check.h"

__device__ int factor = 1;

__global__ void multiply(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factor;
}
__global__ void add(int* data, int n, int by, char wide) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by * wide;
}

constexpr int n = 1000;
constexpr size_t bytes = n * sizeof(int);

struct add_arguments {
  int* data;
  int count = n;
  int by;
  char wide = 1;
  void* list[4] = {&data, &count, &by, &wide};
  add_arguments(int* d, int b) : data(d), by(b) {}
};
static hipKernelNodeParams add_node(add_arguments& a) {
  hipKernelNodeParams p{};
  p.func = reinterpret_cast<void*>(add);
  p.gridDim = dim3(check::blocks_for(n, 128));
  p.blockDim = dim3(128);
  p.kernelParams = a.list;
  return p;
}

static std::vector<int> contents(const int* data) {
  std::vector<int> host(n);
  HIP_CHECK(hipMemcpy(host.data(), data, bytes, hipMemcpyDeviceToHost));
  return host;
}
static std::vector<int> all(int value) {
  return std::vector<int>(n, value);
}
static size_t count_of(hipGraph_t g) {
  size_t count = 0;
  HIP_CHECK(hipGraphGetNodes(g, nullptr, &count));
  return count;
}

struct diary {
  std::vector<int> entries;
};
struct entry {
  diary* to;
  int number;
};
static void note(void* data) {
  const auto* e = static_cast<entry*>(data);
  e->to->entries.push_back(e->number);
}

// memset -> add 5 -> (multiply by the variable, which a copy sets) -> copy to the host -> host function.
static void every_kind_of_node() {
  check::device_array<int> data(n);
  hipGraph_t g;
  HIP_CHECK(hipGraphCreate(&g, 0));
  hipGraphNode_t fill, plus, set, times, back, host, joint, twice;
  hipMemsetParams memset{};
  memset.dst = data.get();
  memset.elementSize = 4;
  memset.value = 2;
  memset.width = n;
  memset.height = 1;
  HIP_CHECK(hipGraphAddMemsetNode(&fill, g, nullptr, 0, &memset));
  add_arguments five(data.get(), 5);
  hipKernelNodeParams kernel = add_node(five);
  HIP_CHECK(hipGraphAddKernelNode(&plus, g, &fill, 1, &kernel));
  five.by = 1000;  // the arguments have been copied
  int three = 3;
  HIP_CHECK(
      hipGraphAddMemcpyNodeToSymbol(&set, g, nullptr, 0, &factor, &three, sizeof three, 0, hipMemcpyHostToDevice));
  const hipGraphNode_t both[2] = {plus, set};
  HIP_CHECK(hipGraphAddEmptyNode(&joint, g, both, 2));
  int* pointer = data.get();
  int count = n;
  void* list[2] = {&pointer, &count};
  kernel = {};
  kernel.func = reinterpret_cast<void*>(multiply);
  kernel.gridDim = dim3(check::blocks_for(n, 64));
  kernel.blockDim = dim3(64);
  kernel.kernelParams = list;
  HIP_CHECK(hipGraphAddKernelNode(&times, g, &joint, 1, &kernel));
  std::vector<int> got(n), got_part(n, -1);
  HIP_CHECK(hipGraphAddMemcpyNode1D(&back, g, &times, 1, got.data(), data.get(), bytes, hipMemcpyDeviceToHost));
  hipMemcpy3DParms box{};
  box.srcPtr = make_hipPitchedPtr(data.get(), 40, 40, 25);
  box.dstPtr = make_hipPitchedPtr(got_part.data(), 80, 80, 12);
  box.extent = make_hipExtent(40, 10, 1);
  box.kind = hipMemcpyDeviceToHost;
  HIP_CHECK(hipGraphAddMemcpyNode(&twice, g, &times, 1, &box));
  diary seen;
  entry one{&seen, 1};
  hipHostNodeParams function{note, &one};
  const hipGraphNode_t copies[2] = {back, twice};
  HIP_CHECK(hipGraphAddHostNode(&host, g, copies, 2, &function));
  int read_back = 0;
  hipGraphNode_t from_variable;
  HIP_CHECK(hipGraphAddMemcpyNodeFromSymbol(&from_variable, g, &host, 1, &read_back, &factor, sizeof read_back, 0,
                                            hipMemcpyDeviceToHost));

#if HIP_VERSION >= 50700000
  const hipGraphNodeType of_addresses = hipGraphNodeTypeMemcpy;  // all copies between addresses are of one type
#else
  const hipGraphNodeType of_addresses = hipGraphNodeTypeMemcpy1D;
#endif
  const std::vector<std::pair<hipGraphNode_t, hipGraphNodeType>> types = {
      {fill, hipGraphNodeTypeMemset},
      {plus, hipGraphNodeTypeKernel},
      {set, hipGraphNodeTypeMemcpyToSymbol},
      {joint, hipGraphNodeTypeEmpty},
      {back, of_addresses},
      {twice, hipGraphNodeTypeMemcpy},
      {host, hipGraphNodeTypeHost},
      {from_variable, hipGraphNodeTypeMemcpyFromSymbol}};
  for (const auto& x : types) {
    hipGraphNodeType type;
    HIP_CHECK(hipGraphNodeGetType(x.first, &type));
    CHECK(type == x.second, "a node of type %d has type %d", static_cast<int>(x.second), static_cast<int>(type));
  }
  CHECK(count_of(g) == 9, "%zu nodes", count_of(g));
  hipGraphNode_t roots[3] = {};
  size_t room = 3;
  HIP_CHECK(hipGraphGetRootNodes(g, roots, &room));
  CHECK(room == 2 && roots[0] == fill && roots[1] == set && roots[2] == nullptr, "%zu roots", room);

  hipGraphExec_t ready;
  HIP_CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphDestroy(g));  // what was instantiated stays
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  for (int k = 1; k <= 3; ++k) {
    std::fill(got.begin(), got.end(), 0);
    HIP_CHECK(hipGraphLaunch(ready, k == 2 ? nullptr : stream));
    HIP_CHECK(hipStreamSynchronize(stream));
    CHECK_SAME("(2 + 5) * 3", got, all(21));
    CHECK(seen.entries.size() == static_cast<size_t>(k) && read_back == 3, "host function or variable");
  }
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x)
      CHECK(got_part[y * 20 + x] == (x < 10 ? 21 : -1), "the rectangle at row %d, column %d", y, x);
  HIP_CHECK(hipGraphExecDestroy(ready));
  HIP_CHECK(hipStreamDestroy(stream));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphLaunch(ready, nullptr));
}

// Whatever the order of adding, edges decide.
static void edges() {
  hipGraph_t g;
  HIP_CHECK(hipGraphCreate(&g, 0));
  diary seen;
  entry e[5] = {{&seen, 0}, {&seen, 1}, {&seen, 2}, {&seen, 3}, {&seen, 4}};
  hipGraphNode_t node[5];
  for (int k = 0; k < 5; ++k) {
    hipHostNodeParams p{note, &e[k]};
    HIP_CHECK(hipGraphAddHostNode(&node[k], g, nullptr, 0, &p));
  }
  // 4 -> 2 -> 0, 4 -> 3 -> 0, 1 alone
  const hipGraphNode_t from[4] = {node[4], node[2], node[4], node[3]}, to[4] = {node[2], node[0], node[3], node[0]};
  HIP_CHECK(hipGraphAddDependencies(g, from, to, 4));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddDependencies(g, from, to, 1));         // there already
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddDependencies(g, from, from, 1));       // to itself
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphRemoveDependencies(g, &node[0], to, 1));  // not there
  hipGraphNode_t first[6], second[6];
  size_t count = 6;
  HIP_CHECK(hipGraphGetEdges(g, first, second, &count));
  CHECK(count == 4 && first[4] == nullptr && second[5] == nullptr, "%zu edges", count);
  count = 0;
  HIP_CHECK(hipGraphNodeGetDependencies(node[0], nullptr, &count));
  CHECK(count == 2, "node 0 comes after %zu", count);
  count = 1;
  HIP_CHECK(hipGraphNodeGetDependentNodes(node[4], first, &count));
  CHECK(count == 1 && first[0] == node[2], "room for one of two");
  hipGraphExec_t ready;
  HIP_CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  const auto at = [&](int k) { return std::find(seen.entries.begin(), seen.entries.end(), k) - seen.entries.begin(); };
  CHECK(seen.entries.size() == 5 && at(4) < at(2) && at(4) < at(3) && at(2) < at(0) && at(3) < at(0), "the order");

  // A cycle, which a further edge makes and an instantiation finds.
  HIP_CHECK(hipGraphAddDependencies(g, &node[0], &node[4], 1));
  hipGraphExec_t never = nullptr;
  hipGraphNode_t wrong = nullptr;
  char text[30] = "";
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphInstantiate(&never, g, &wrong, text, sizeof text));
  CHECK(never == nullptr && wrong != nullptr && wrong != node[1] && text[0] != 0, "the cycle is not named");
  HIP_CHECK(hipGraphRemoveDependencies(g, &node[0], &node[4], 1));

  // A copy has nodes of its own; a node that is gone takes its edges along.
  hipGraph_t clone;
  HIP_CHECK(hipGraphClone(&clone, g));
  hipGraphNode_t twin = nullptr;
  HIP_CHECK(hipGraphNodeFindInClone(&twin, node[2], clone));
  CHECK(twin != nullptr && twin != node[2], "a copy's node");
  HIP_CHECK(hipGraphDestroyNode(twin));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphNodeFindInClone(&twin, node[2], clone));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphNodeFindInClone(&twin, node[2], g));
  CHECK(count_of(clone) == 4 && count_of(g) == 5, "a node of the copy alone is gone");
  count = 0;
  HIP_CHECK(hipGraphGetEdges(clone, nullptr, nullptr, &count));
  CHECK(count == 2, "%zu edges are left", count);
  HIP_CHECK(hipGraphDestroy(clone));
  HIP_CHECK(hipGraphDestroy(g));
  HIP_CHECK(hipGraphExecDestroy(ready));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphDestroy(g));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphDestroyNode(node[0]));
}

// Parameters are read, and changed in the graph and in what was instantiated; an update takes all of another graph's.
static void parameters() {
  check::device_array<int> data(n), other(n);
  data.fill(0);
  other.fill(0);
  hipGraph_t g;
  HIP_CHECK(hipGraphCreate(&g, 0));
  hipGraphNode_t first, second, last;
  add_arguments one(data.get(), 1), ten(data.get(), 10);
  hipKernelNodeParams p = add_node(one), q = add_node(ten);
  HIP_CHECK(hipGraphAddKernelNode(&first, g, nullptr, 0, &p));
  HIP_CHECK(hipGraphAddKernelNode(&second, g, &first, 1, &q));
  std::vector<int> got(n);
  HIP_CHECK(hipGraphAddMemcpyNode1D(&last, g, &second, 1, got.data(), data.get(), bytes, hipMemcpyDeviceToHost));
  hipKernelNodeParams read{};
  HIP_CHECK(hipGraphKernelNodeGetParams(second, &read));
  CHECK(read.func == q.func && read.gridDim.x == q.gridDim.x && read.blockDim.x == 128 &&
            *static_cast<int*>(read.kernelParams[2]) == 10 && *static_cast<int**>(read.kernelParams[0]) == data.get(),
        "the kernel's parameters");
  hipMemcpy3DParms box{};
  HIP_CHECK(hipGraphMemcpyNodeGetParams(last, &box));
  CHECK(box.extent.width == bytes && box.srcPtr.ptr == data.get(), "the copy's parameters");
  hipGraphExec_t ready;
  HIP_CHECK(hipGraphInstantiateWithFlags(&ready, g, 0));
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("1 + 10", got, all(11));

  ten.by = 100;
  HIP_CHECK(hipGraphKernelNodeSetParams(second, &q));  // not in what was instantiated before
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("11 + 1 + 10", got, all(22));
  HIP_CHECK(hipGraphExecKernelNodeSetParams(ready, second, &q));
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("22 + 1 + 100", got, all(123));
  add_arguments thousand(data.get(), 1000);
  q = add_node(thousand);
  HIP_CHECK(hipGraphKernelNodeSetParams(second, &q));
  hipGraphNode_t differs = nullptr;
  hipGraphExecUpdateResult result;
  HIP_CHECK(hipGraphExecUpdate(ready, g, &differs, &result));
  CHECK(result == hipGraphExecUpdateSuccess && differs == nullptr, "the update");
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("123 + 1 + 1000", got, all(1124));
  HIP_CHECK(hipGraphExecMemcpyNodeSetParams1D(ready, last, other.get(), data.get(), bytes, hipMemcpyDeviceToDevice));
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("another target", contents(other.get()), all(2125));

  // An update does not change which way a copy goes; it may call another function.
  EXPECT_ERROR(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(ready, g, &differs, &result));
  CHECK(result == hipGraphExecUpdateErrorParametersChanged && differs == last, "another way of the copy");
  HIP_CHECK(hipGraphExecMemcpyNodeSetParams1D(ready, last, got.data(), data.get(), bytes, hipMemcpyDeviceToHost));
  hipKernelNodeParams other_function = q;
  other_function.func = reinterpret_cast<void*>(multiply);
  HIP_CHECK(hipGraphKernelNodeSetParams(second, &other_function));
  HIP_CHECK(hipGraphExecUpdate(ready, g, &differs, &result));
  CHECK(result == hipGraphExecUpdateSuccess && differs == nullptr, "another function");
  HIP_CHECK(hipGraphKernelNodeSetParams(second, &q));
  HIP_CHECK(hipGraphRemoveDependencies(g, &first, &second, 1));
  EXPECT_ERROR(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(ready, g, &differs, &result));
  CHECK(result == hipGraphExecUpdateErrorTopologyChanged, "other edges");
  HIP_CHECK(hipGraphAddDependencies(g, &first, &second, 1));
  hipGraphNode_t more;
  HIP_CHECK(hipGraphAddEmptyNode(&more, g, nullptr, 0));
  EXPECT_ERROR(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(ready, g, &differs, &result));
  CHECK(result == hipGraphExecUpdateErrorTopologyChanged, "one more node");

  // Wrong nodes and parameters.
  hipMemsetParams fill{};
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphMemsetNodeGetParams(first, &fill));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddMemsetNode(&more, g, nullptr, 0, &fill));
  fill = {data.get(), 3, 1, 0, 0, 8};
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddMemsetNode(&more, g, nullptr, 0, &fill));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphExecKernelNodeSetParams(ready, last, &q));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddKernelNode(&more, g, nullptr, 1, &q));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddKernelNode(&more, nullptr, nullptr, 0, &q));
  q.kernelParams = nullptr;
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphAddKernelNode(&more, g, nullptr, 0, &q));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphCreate(&g, 1));
  HIP_CHECK(hipGraphExecDestroy(ready));
  HIP_CHECK(hipGraphDestroy(g));
}

// A graph in a graph, events in between, and an operation that fails in the middle.
static void children_and_events() {
  check::device_array<int> data(n);
  data.fill(0);
  hipGraph_t child, g;
  HIP_CHECK(hipGraphCreate(&child, 0));
  HIP_CHECK(hipGraphCreate(&g, 0));
  add_arguments one(data.get(), 1), seven(data.get(), 7);
  hipKernelNodeParams p = add_node(one), q = add_node(seven);
  hipGraphNode_t inner, before, in_between, after;
  HIP_CHECK(hipGraphAddKernelNode(&inner, child, nullptr, 0, &p));
  hipEvent_t start, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  HIP_CHECK(hipGraphAddEventRecordNode(&before, g, nullptr, 0, start));
  HIP_CHECK(hipGraphAddChildGraphNode(&in_between, g, &before, 1, child));
  HIP_CHECK(hipGraphAddEventRecordNode(&after, g, &in_between, 1, stop));
  hipGraphNode_t wait;
  HIP_CHECK(hipGraphAddEventWaitNode(&wait, g, &after, 1, stop));
  HIP_CHECK(hipGraphKernelNodeSetParams(inner, &q));  // the node has a copy of its own
  hipGraph_t own = nullptr;
  HIP_CHECK(hipGraphChildGraphNodeGetGraph(in_between, &own));
  CHECK(own != child && count_of(own) == 1, "the node's graph");
  hipGraphExec_t ready;
  HIP_CHECK(hipGraphInstantiate(&ready, g, nullptr, nullptr, 0));
  EXPECT_ERROR(hipErrorInvalidHandle, [&] {
    float t;
    return hipEventElapsedTime(&t, start, stop);
  }());
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("the child's kernel", contents(data.get()), all(1));
  float milliseconds = -1;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  CHECK(milliseconds >= 0, "%g ms between the events", milliseconds);
  HIP_CHECK(hipGraphExecChildGraphNodeSetParams(ready, in_between, child));
  HIP_CHECK(hipGraphLaunch(ready, nullptr));
  CHECK_SAME("the other child's kernel", contents(data.get()), all(8));
  hipEvent_t found = nullptr;
  HIP_CHECK(hipGraphEventRecordNodeGetEvent(after, &found));
  CHECK(found == stop, "the event");

  // What comes after an operation that fails is not done.
  hipGraph_t fails;
  HIP_CHECK(hipGraphCreate(&fails, 0));
  diary seen;
  entry one_entry{&seen, 1}, two_entry{&seen, 2};
  hipHostNodeParams first{note, &one_entry}, last{note, &two_entry};
  hipGraphNode_t a, b, c;
  HIP_CHECK(hipGraphAddHostNode(&a, fails, nullptr, 0, &first));
  int* gone;
  const int four = 4;
  HIP_CHECK(hipMalloc(&gone, sizeof four));
  HIP_CHECK(hipGraphAddMemcpyNode1D(&b, fails, &a, 1, gone, &four, sizeof four, hipMemcpyHostToDevice));
  HIP_CHECK(hipGraphAddHostNode(&c, fails, &b, 1, &last));
  hipGraphExec_t failing;
  HIP_CHECK(hipGraphInstantiate(&failing, fails, nullptr, nullptr, 0));
  HIP_CHECK(hipFree(gone));
  EXPECT_ERROR(hipErrorInvalidValue, hipGraphLaunch(failing, nullptr));
  CHECK(seen.entries == std::vector<int>{1}, "%zu host functions", seen.entries.size());
  for (const hipGraphExec_t e : {ready, failing}) HIP_CHECK(hipGraphExecDestroy(e));
  for (const hipGraph_t x : {child, g, fails}) HIP_CHECK(hipGraphDestroy(x));
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
}

int main() {
  every_kind_of_node();
  edges();
  parameters();
  children_and_events();
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
