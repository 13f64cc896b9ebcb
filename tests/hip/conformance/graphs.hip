// Graphs: making them, each kind of node, edges, copies, instantiation, launches and updates.
#include "conformance.h"

__device__ int factor[2] = {1, 1};

namespace {

__global__ void add(int* data, int by) {
  data[threadIdx.x] += by;
}
__global__ void multiply(int* data, int by) {
  data[threadIdx.x] *= by;
}
constexpr int n = 64;
using ints = std::vector<int>;

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
  explicit ready_graph(hipGraph_t g) { OK(hipGraphInstantiate(&e, g, nullptr, nullptr, 0)); }
  ~ready_graph() { static_cast<void>(hipGraphExecDestroy(e)); }
  ready_graph(const ready_graph&) = delete;
  ready_graph& operator=(const ready_graph&) = delete;
  operator hipGraphExec_t() const { return e; }
  void run() const {
    const own_stream s;
    OK(hipGraphLaunch(e, s));
    OK(hipStreamSynchronize(s));
  }
};
void run(hipGraph_t g) {
  ready_graph(g).run();
}
// A launch of a kernel of two arguments.
struct launch {
  int* data;
  int by;
  void* arguments[2];
  hipKernelNodeParams p = {};
  launch(void (*kernel)(int*, int), int* to, int value) : data(to), by(value), arguments{&data, &by} {
    p.func = pointer_of(kernel);
    p.gridDim = dim3(1);
    p.blockDim = dim3(n);
    p.kernelParams = arguments;
  }
  launch(const launch&) = delete;
  launch& operator=(const launch&) = delete;
};
hipGraphNode_t kernel_node(hipGraph_t g, const launch& l, const std::vector<hipGraphNode_t>& before = {}) {
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddKernelNode(&node, g, before.data(), before.size(), &l.p));
  return node;
}
hipGraphNode_t empty_node(hipGraph_t g, const std::vector<hipGraphNode_t>& before = {}) {
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddEmptyNode(&node, g, before.data(), before.size()));
  return node;
}
size_t nodes_of(hipGraph_t g) {
  size_t count = 99;
  OK(hipGraphGetNodes(g, nullptr, &count));
  return count;
}
size_t edges_of(hipGraph_t g) {
  size_t count = 99;
  OK(hipGraphGetEdges(g, nullptr, nullptr, &count));
  return count;
}
void has_type(hipGraphNode_t node, hipGraphNodeType want) {
  hipGraphNodeType type = hipGraphNodeTypeCount;
  OK(hipGraphNodeGetType(node, &type));
  SAME(static_cast<int>(type), static_cast<int>(want));
}
hipMemsetParams filling(void* to, unsigned value, size_t count) {
  hipMemsetParams p = {};
  p.dst = to;
  p.elementSize = 4;
  p.value = value;
  p.width = count;
  p.height = 1;
  return p;
}
hipMemcpy3DParms copying(void* to, const void* from, size_t bytes) {
  hipMemcpy3DParms p = {};
  p.srcPtr = make_hipPitchedPtr(const_cast<void*>(from), bytes, bytes, 1);
  p.dstPtr = make_hipPitchedPtr(to, bytes, bytes, 1);
  p.extent = make_hipExtent(bytes, 1, 1);
  p.kind = hipMemcpyDefault;
  return p;
}

// ---- graphs

CASE(create) {
  hipGraph_t g = nullptr;
  OK(hipGraphCreate(&g, 0));
  EXPECT(g != nullptr);
  SAME(nodes_of(g), size_t{0});
  OK(hipGraphDestroy(g));
}
CASE(create_nowhere) {
  GIVES(hipErrorInvalidValue, hipGraphCreate(nullptr, 0));
}
CASE(create_with_flags) {
  hipGraph_t g = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphCreate(&g, 1));
}
CASE(destroy_null) {
  GIVES(hipErrorInvalidValue, hipGraphDestroy(nullptr));
}
CASE(destroy_twice) {
  hipGraph_t g = nullptr;
  OK(hipGraphCreate(&g, 0));
  OK(hipGraphDestroy(g));
  GIVES(hipErrorInvalidValue, hipGraphDestroy(g));
}
CASE(launch_nothing) {
  const own_graph g;
  run(g);
}
CASE(instantiate_null) {
  hipGraphExec_t e = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphInstantiate(&e, nullptr, nullptr, nullptr, 0));
}
CASE(instantiate_nowhere) {
  const own_graph g;
  GIVES(hipErrorInvalidValue, hipGraphInstantiate(nullptr, g, nullptr, nullptr, 0));
}
CASE(instantiate_with_flags) {
  const own_graph g;
  hipGraphExec_t e = nullptr;
  OK(hipGraphInstantiateWithFlags(&e, g, 0));
  OK(hipGraphLaunch(e, nullptr));
  OK(hipGraphExecDestroy(e));
}
CASE(instantiate_with_unknown_flags) {
  const own_graph g;
  hipGraphExec_t e = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphInstantiateWithFlags(&e, g, 0x80));
}
CASE(instantiate_twice) {
  const own_graph g;
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 2);
  kernel_node(g, l);
  const ready_graph a(g), b(g);
  EXPECT(a.e != b.e);
  a.run();
  b.run();
  EXPECT(d.read() == ints(n, 5));
}
CASE(instantiated_outlives_the_graph) {
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 2);
  hipGraph_t g = nullptr;
  OK(hipGraphCreate(&g, 0));
  kernel_node(g, l);
  const ready_graph e(g);
  OK(hipGraphDestroy(g));
  e.run();
  EXPECT(d.read() == ints(n, 3));
}
CASE(launch_null) {
  GIVES(hipErrorInvalidValue, hipGraphLaunch(nullptr, nullptr));
}
CASE(launch_in_no_stream) {
  const own_graph g;
  const ready_graph e(g);
  hipStream_t s = nullptr;
  OK(hipStreamCreate(&s));
  OK(hipStreamDestroy(s));
  GIVES(hipErrorInvalidHandle, hipGraphLaunch(e, s));
}
CASE(exec_destroy_null) {
  GIVES(hipErrorInvalidValue, hipGraphExecDestroy(nullptr));
}
CASE(launch_many_times) {
  const own_graph g;
  const device_block<int> d(ints(n, 0));
  const launch l(add, d.get(), 1);
  kernel_node(g, l);
  const ready_graph e(g);
  for (int k = 0; k < 20; ++k) OK(hipGraphLaunch(e, nullptr));
  OK(hipDeviceSynchronize());
  EXPECT(d.read() == ints(n, 20));
}
CASE(clone) {
  const own_graph g;
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 2);
  const hipGraphNode_t node = kernel_node(g, l);
  hipGraph_t copy = nullptr;
  hipGraphNode_t found = nullptr;
  OK(hipGraphClone(&copy, g));
  OK(hipGraphNodeFindInClone(&found, node, copy));
  EXPECT(found != nullptr && found != node);
  OK(hipGraphDestroyNode(node));  // the copy has its own
  run(copy);
  OK(hipGraphDestroy(copy));
  EXPECT(d.read() == ints(n, 3));
}
CASE(clone_null) {
  hipGraph_t copy = nullptr;
  const own_graph g;
  GIVES(hipErrorInvalidValue, hipGraphClone(&copy, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphClone(nullptr, g));
}
CASE(find_in_what_is_no_clone) {
  const own_graph g, other;
  const hipGraphNode_t node = empty_node(g);
  hipGraphNode_t found = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphNodeFindInClone(&found, node, other));
}

// ---- nodes and edges

CASE(lists) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g, {a}), c = empty_node(g, {a, b});
  SAME(nodes_of(g), size_t{3});
  SAME(edges_of(g), size_t{3});
  hipGraphNode_t list[5];
  size_t room = 5;
  OK(hipGraphGetNodes(g, list, &room));
  SAME(room, size_t{3});
  EXPECT(list[3] == nullptr && list[4] == nullptr);
  room = 5;
  OK(hipGraphGetRootNodes(g, list, &room));
  SAME(room, size_t{1});
  EXPECT(list[0] == a);
  room = 5;
  OK(hipGraphNodeGetDependencies(c, list, &room));
  SAME(room, size_t{2});
  room = 5;
  OK(hipGraphNodeGetDependentNodes(a, list, &room));
  SAME(room, size_t{2});
  room = 5;
  OK(hipGraphNodeGetDependentNodes(c, list, &room));
  SAME(room, size_t{0});
}
// A list that is too short has as many as were asked for, and the number stays.
CASE(lists_in_less_room) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g), c = empty_node(g, {a, b});
  const hipGraphNode_t d = empty_node(g, {a, b, c});
  hipGraphNode_t list[5] = {};
  size_t room = 2;
  OK(hipGraphGetNodes(g, list, &room));
  SAME(room, size_t{2});
  EXPECT(list[0] == a && list[1] == b && list[2] == nullptr);
  room = 1;
  OK(hipGraphGetRootNodes(g, list, &room));
  SAME(room, size_t{1});
  EXPECT(list[0] == a);
  room = 1;
  OK(hipGraphNodeGetDependencies(d, list, &room));
  SAME(room, size_t{1});
  room = 1;
  OK(hipGraphNodeGetDependentNodes(a, list, &room));
  SAME(room, size_t{1});
  EXPECT(list[0] == c);
  hipGraphNode_t to[5] = {};
  room = 4;
  OK(hipGraphGetEdges(g, list, to, &room));
  SAME(room, size_t{4});
  EXPECT(to[3] != nullptr && to[4] == nullptr);
  room = 0;
  OK(hipGraphGetNodes(g, list, &room));
  SAME(room, size_t{0});
}
CASE(lists_nowhere) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g);
  hipGraphNode_t list[2];
  GIVES(hipErrorInvalidValue, hipGraphGetNodes(g, list, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphGetRootNodes(g, list, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphNodeGetDependencies(a, list, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphNodeGetDependentNodes(a, list, nullptr));
}
CASE(lists_of_null) {
  size_t count = 0;
  GIVES(hipErrorInvalidValue, hipGraphGetNodes(nullptr, nullptr, &count));
  GIVES(hipErrorInvalidValue, hipGraphGetEdges(nullptr, nullptr, nullptr, &count));
  GIVES(hipErrorInvalidValue, hipGraphNodeGetDependencies(nullptr, nullptr, &count));
}
CASE(add_and_remove_edges) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g);
  OK(hipGraphAddDependencies(g, &a, &b, 1));
  SAME(edges_of(g), size_t{1});
  hipGraphNode_t from = nullptr, to = nullptr;
  size_t room = 1;
  OK(hipGraphGetEdges(g, &from, &to, &room));
  EXPECT(from == a && to == b);
  OK(hipGraphRemoveDependencies(g, &a, &b, 1));
  SAME(edges_of(g), size_t{0});
}
CASE(no_edges) {
  const own_graph g;
  OK(hipGraphAddDependencies(g, nullptr, nullptr, 0));
  OK(hipGraphRemoveDependencies(g, nullptr, nullptr, 0));
}
CASE(edge_to_itself) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g);
  GIVES(hipErrorInvalidValue, hipGraphAddDependencies(g, &a, &a, 1));
}
CASE(edge_between_graphs) {
  const own_graph g, other;
  const hipGraphNode_t a = empty_node(g), b = empty_node(other);
  GIVES(hipErrorInvalidValue, hipGraphAddDependencies(g, &a, &b, 1));
}
CASE(edge_that_is_there) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g, {a});
  GIVES(hipErrorInvalidValue, hipGraphAddDependencies(g, &a, &b, 1));
}
CASE(edge_that_is_not_there) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g);
  GIVES(hipErrorInvalidValue, hipGraphRemoveDependencies(g, &a, &b, 1));
}
CASE(cycle) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g, {a});
  OK(hipGraphAddDependencies(g, &b, &a, 1));
  hipGraphExec_t e = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphInstantiate(&e, g, nullptr, nullptr, 0));
}
CASE(destroy_a_node) {
  const own_graph g;
  const hipGraphNode_t a = empty_node(g), b = empty_node(g, {a});
  OK(hipGraphDestroyNode(a));
  SAME(nodes_of(g), size_t{1});
  SAME(edges_of(g), size_t{0});
  has_type(b, hipGraphNodeTypeEmpty);
  GIVES(hipErrorInvalidValue, hipGraphDestroyNode(a));
}
CASE(node_before_itself_is_none) {
  const own_graph g;
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddEmptyNode(&node, g, nullptr, 1));
}
CASE(node_nowhere) {
  const own_graph g;
  GIVES(hipErrorInvalidValue, hipGraphAddEmptyNode(nullptr, g, nullptr, 0));
}
CASE(node_of_no_graph) {
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddEmptyNode(&node, nullptr, nullptr, 0));
}
CASE(type_nowhere) {
  const own_graph g;
  GIVES(hipErrorInvalidValue, hipGraphNodeGetType(empty_node(g), nullptr));
}
CASE(order_by_edges) {
  const own_graph g;
  const device_block<int> d(ints(n, 1));
  const launch first(add, d.get(), 4), second(multiply, d.get(), 10);
  const hipGraphNode_t b = kernel_node(g, second), a = kernel_node(g, first);
  OK(hipGraphAddDependencies(g, &a, &b, 1));
  run(g);
  EXPECT(d.read() == ints(n, 50));
}

// ---- kernels

CASE(kernel) {
  const own_graph g;
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 4);
  has_type(kernel_node(g, l), hipGraphNodeTypeKernel);
  run(g);
  EXPECT(d.read() == ints(n, 5));
}
CASE(kernel_parameters) {
  const own_graph g;
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 4), other(multiply, d.get(), 7);
  const hipGraphNode_t node = kernel_node(g, l);
  hipKernelNodeParams p = {};
  OK(hipGraphKernelNodeGetParams(node, &p));
  EXPECT(p.func == l.p.func && p.blockDim.x == n && p.gridDim.x == 1);
  SAME(*static_cast<int*>(p.kernelParams[1]), 4);
  OK(hipGraphKernelNodeSetParams(node, &other.p));
  run(g);
  EXPECT(d.read() == ints(n, 7));
}
CASE(kernel_parameters_of_the_instantiated) {
  const own_graph g;
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 4), other(add, d.get(), 100);
  const hipGraphNode_t node = kernel_node(g, l);
  const ready_graph e(g);
  OK(hipGraphExecKernelNodeSetParams(e, node, &other.p));
  e.run();
  run(g);
  EXPECT(d.read() == ints(n, 105));
}
CASE(kernel_nowhere) {
  const own_graph g;
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddKernelNode(&node, g, nullptr, 0, nullptr));
}
CASE(kernel_that_is_none) {
  const own_graph g;
  const device_block<int> d(n);
  launch l(add, d.get(), 4);
  l.p.func = &l;
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidDeviceFunction, hipGraphAddKernelNode(&node, g, nullptr, 0, &l.p));
}
CASE(kernel_parameters_of_another_node) {
  const own_graph g;
  hipKernelNodeParams p = {};
  GIVES(hipErrorInvalidValue, hipGraphKernelNodeGetParams(empty_node(g), &p));
}

// ---- copies

CASE(copy_1d) {
  const own_graph g;
  const device_block<int> d(ints(n, 3));
  ints got(n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, got.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
  run(g);
  EXPECT(got == ints(n, 3));
}
CASE(copy_1d_set) {
  const own_graph g;
  const device_block<int> d(ints(n, 3)), other(ints(n, 8));
  ints got(n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, got.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
  OK(hipGraphMemcpyNodeSetParams1D(node, got.data(), other.get(), 4 * n, hipMemcpyDeviceToHost));
  run(g);
  EXPECT(got == ints(n, 8));
}
CASE(copy_1d_set_in_the_instantiated) {
  const own_graph g;
  const device_block<int> d(ints(n, 3)), other(ints(n, 8));
  ints got(n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, got.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
  const ready_graph e(g);
  OK(hipGraphExecMemcpyNodeSetParams1D(e, node, got.data(), other.get(), 4 * n, hipMemcpyDeviceToHost));
  e.run();
  EXPECT(got == ints(n, 8));
}
CASE(copy_1d_nowhere) {
  const own_graph g;
  const device_block<int> d(n);
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, nullptr, d.get(), 4, hipMemcpyDefault));
  GIVES(hipErrorInvalidValue, hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, d.get(), nullptr, 4, hipMemcpyDefault));
}
CASE(copy_box) {
  const own_graph g;
  const device_block<int> d(ints(n, 3));
  ints got(n);
  const hipMemcpy3DParms p = copying(got.data(), d.get(), 4 * n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNode(&node, g, nullptr, 0, &p));
  has_type(node, hipGraphNodeTypeMemcpy);
  hipMemcpy3DParms asked = {};
  OK(hipGraphMemcpyNodeGetParams(node, &asked));
  EXPECT(asked.dstPtr.ptr == got.data() && asked.extent.width == 4 * n);
  run(g);
  EXPECT(got == ints(n, 3));
}
CASE(copy_box_set) {
  const own_graph g;
  const device_block<int> d(ints(n, 3)), other(ints(n, 8));
  ints got(n);
  const hipMemcpy3DParms p = copying(got.data(), d.get(), 4 * n), q = copying(got.data(), other.get(), 4 * n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNode(&node, g, nullptr, 0, &p));
  OK(hipGraphMemcpyNodeSetParams(node, &q));
  run(g);
  EXPECT(got == ints(n, 8));
}
CASE(copy_box_set_in_the_instantiated) {
  const own_graph g;
  const device_block<int> d(ints(n, 3)), other(ints(n, 8));
  ints got(n);
  const hipMemcpy3DParms p = copying(got.data(), d.get(), 4 * n);
  hipMemcpy3DParms q = copying(got.data(), other.get(), 4 * n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNode(&node, g, nullptr, 0, &p));
  const ready_graph e(g);
  OK(hipGraphExecMemcpyNodeSetParams(e, node, &q));
  e.run();
  EXPECT(got == ints(n, 8));
}
CASE(copy_box_null) {
  const own_graph g;
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddMemcpyNode(&node, g, nullptr, 0, nullptr));
}
// What a copy is to be is looked at when it is said.
hipError_t add_copy(hipGraph_t g, void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  hipGraphNode_t node = nullptr;
  return hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, to, from, bytes, kind);
}
CASE(copy_1d_of_the_wrong_kind) {
  const own_graph g;
  const device_block<int> d(n), other(n);
  ints host(n), more(n);
  for (const hipMemcpyKind kind : {hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice, hipMemcpyHostToHost})
    GIVES(hipErrorInvalidValue, add_copy(g, d.get(), host.data(), 4 * n, kind));
  for (const hipMemcpyKind kind : {hipMemcpyHostToDevice, hipMemcpyDeviceToDevice, hipMemcpyHostToHost})
    GIVES(hipErrorInvalidValue, add_copy(g, host.data(), d.get(), 4 * n, kind));
  for (const hipMemcpyKind kind : {hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice})
    GIVES(hipErrorInvalidValue, add_copy(g, more.data(), host.data(), 4 * n, kind));
  for (const hipMemcpyKind kind :
       {hipMemcpyHostToDevice, hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice, hipMemcpyDefault})
    OK(add_copy(g, d.get(), other.get(), 4 * n, kind));
  OK(add_copy(g, d.get(), host.data(), 4 * n, hipMemcpyDefault));
  OK(add_copy(g, more.data(), host.data(), 4 * n, hipMemcpyHostToHost));
}
CASE(copy_1d_beyond_a_block) {
  const own_graph g;
  const device_block<int> d(n), other(n);
  ints host(n + 4);
  GIVES(hipErrorInvalidValue, add_copy(g, d.get(), host.data(), 4 * n + 4, hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidValue, add_copy(g, host.data(), d.get() + 1, 4 * n, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue, add_copy(g, d.get(), other.get(), 4 * n + 1, hipMemcpyDeviceToDevice));
  GIVES(hipErrorInvalidValue, add_copy(g, d.get(), other.get(), 0, hipMemcpyDeviceToDevice));
  GIVES(hipErrorInvalidValue, add_copy(g, d.get(), other.get(), ~size_t{0}, hipMemcpyDeviceToDevice));
  OK(add_copy(g, d.get(), other.get(), 4 * n - 3, hipMemcpyDeviceToDevice));
  SAME(nodes_of(g), size_t{1});
}
CASE(copy_1d_set_wrongly) {
  const own_graph g, another;
  const device_block<int> d(ints(n, 3)), other(ints(n, 8));
  ints got(n);
  hipGraphNode_t node = nullptr, of_another = nullptr;
  OK(hipGraphAddMemcpyNode1D(&node, g, nullptr, 0, got.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
  OK(hipGraphAddMemcpyNode1D(&of_another, another, nullptr, 0, got.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
  const hipGraphNode_t no_copy = empty_node(g);
  const ready_graph e(g);
  const auto set = [&](void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
    const hipError_t first = hipGraphMemcpyNodeSetParams1D(node, to, from, bytes, kind);
    SAME(static_cast<int>(hipGraphExecMemcpyNodeSetParams1D(e, node, to, from, bytes, kind)), static_cast<int>(first));
    return first;
  };
  GIVES(hipErrorInvalidValue, set(nullptr, other.get(), 4 * n, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue, set(got.data(), nullptr, 4 * n, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue, set(got.data(), other.get(), 0, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue, set(got.data(), other.get(), 4 * n + 8, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue, set(got.data(), other.get(), 4 * n, hipMemcpyHostToDevice));
  GIVES(hipErrorInvalidValue, set(d.get(), d.get(), 4 * n, hipMemcpyDeviceToDevice));
  GIVES(hipErrorInvalidValue,
        hipGraphExecMemcpyNodeSetParams1D(e, of_another, got.data(), other.get(), 4 * n, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue,
        hipGraphExecMemcpyNodeSetParams1D(e, no_copy, got.data(), other.get(), 4 * n, hipMemcpyDeviceToHost));
  GIVES(hipErrorInvalidValue,
        hipGraphMemcpyNodeSetParams1D(no_copy, got.data(), other.get(), 4 * n, hipMemcpyDeviceToHost));
  e.run();
  EXPECT(got == ints(n, 3));
}
CASE(copy_of_symbols_wrongly) {
  const own_graph g;
  int host[4] = {};
  const device_block<int> d(n);
  hipGraphNode_t to = nullptr, from = nullptr;
  OK(hipGraphAddMemcpyNodeToSymbol(&to, g, nullptr, 0, &factor, host, 4, 0, hipMemcpyHostToDevice));
  OK(hipGraphAddMemcpyNodeFromSymbol(&from, g, nullptr, 0, host, &factor, 4, 0, hipMemcpyDeviceToHost));
  const ready_graph e(g);
  const auto all = [&](hipError_t want, const void* symbol, void* other, size_t bytes, size_t offset, bool on_host) {
    const hipMemcpyKind in = on_host ? hipMemcpyHostToDevice : hipMemcpyDeviceToDevice;
    const hipMemcpyKind out = on_host ? hipMemcpyDeviceToHost : hipMemcpyDeviceToDevice;
    hipGraphNode_t made = nullptr;
    GIVES(want, hipGraphAddMemcpyNodeToSymbol(&made, g, nullptr, 0, symbol, other, bytes, offset, in));
    GIVES(want, hipGraphMemcpyNodeSetParamsToSymbol(to, symbol, other, bytes, offset, in));
    GIVES(want, hipGraphExecMemcpyNodeSetParamsToSymbol(e, to, symbol, other, bytes, offset, in));
    GIVES(want, hipGraphAddMemcpyNodeFromSymbol(&made, g, nullptr, 0, other, symbol, bytes, offset, out));
    GIVES(want, hipGraphMemcpyNodeSetParamsFromSymbol(from, other, symbol, bytes, offset, out));
    GIVES(want, hipGraphExecMemcpyNodeSetParamsFromSymbol(e, from, other, symbol, bytes, offset, out));
  };
  all(hipErrorInvalidSymbol, nullptr, host, 4, 0, true);
  all(hipErrorInvalidSymbol, host, host + 1, 4, 0, true);
  all(hipErrorInvalidValue, &factor, nullptr, 4, 0, true);
  all(hipErrorInvalidValue, &factor, host, 0, 0, true);
  all(hipErrorInvalidValue, &factor, host, 8, 4, true);
  all(hipErrorInvalidValue, &factor, host, 4, ~size_t{0}, true);
  all(hipErrorInvalidValue, &factor, const_cast<int*>(reinterpret_cast<const int*>(&factor)), 4, 0, false);
  all(hipErrorInvalidValue, &factor, host, 4, 0, false);  // between two places on the device, one of which is none
  all(hipSuccess, &factor, d.get(), 8, 0, false);
}
CASE(copy_to_symbol) {
  const own_graph g;
  const int value = 21, other = 22;
  int got[2] = {};
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNodeToSymbol(&node, g, nullptr, 0, &factor, &value, 4, 4, hipMemcpyHostToDevice));
  const ready_graph e(g);
  e.run();
  OK(hipMemcpyFromSymbol(got, HIP_SYMBOL(factor), 8));
  SAME(got[1], 21);
  OK(hipGraphMemcpyNodeSetParamsToSymbol(node, &factor, &other, 4, 0, hipMemcpyHostToDevice));
  run(g);
  OK(hipMemcpyFromSymbol(got, HIP_SYMBOL(factor), 8));
  SAME(got[0], 22);
  OK(hipGraphExecMemcpyNodeSetParamsToSymbol(e, node, &factor, &other, 4, 4, hipMemcpyHostToDevice));
  e.run();
  OK(hipMemcpyFromSymbol(got, HIP_SYMBOL(factor), 8));
  SAME(got[1], 22);
}
CASE(copy_from_symbol) {
  const own_graph g;
  const int values[2] = {31, 32};
  OK(hipMemcpyToSymbol(HIP_SYMBOL(factor), values, 8));
  int got = 0, second = 0;
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemcpyNodeFromSymbol(&node, g, nullptr, 0, &got, &factor, 4, 4, hipMemcpyDeviceToHost));
  const ready_graph e(g);
  e.run();
  SAME(got, 32);
  OK(hipGraphMemcpyNodeSetParamsFromSymbol(node, &second, &factor, 4, 0, hipMemcpyDeviceToHost));
  run(g);
  SAME(second, 31);
  OK(hipGraphExecMemcpyNodeSetParamsFromSymbol(e, node, &got, &factor, 4, 0, hipMemcpyDeviceToHost));
  e.run();
  SAME(got, 31);
}

// ---- fills

CASE(fill) {
  const own_graph g;
  const device_block<int> d(n);
  const hipMemsetParams p = filling(d.get(), 44, n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
  has_type(node, hipGraphNodeTypeMemset);
  hipMemsetParams asked = {};
  OK(hipGraphMemsetNodeGetParams(node, &asked));
  SAME(asked.value, 44u);
  run(g);
  EXPECT(d.read() == ints(n, 44));
}
CASE(fill_set) {
  const own_graph g;
  const device_block<int> d(n);
  const hipMemsetParams p = filling(d.get(), 44, n), q = filling(d.get(), 45, n), r = filling(d.get(), 46, n);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
  const ready_graph e(g);
  OK(hipGraphMemsetNodeSetParams(node, &q));
  run(g);
  EXPECT(d.read() == ints(n, 45));
  OK(hipGraphExecMemsetNodeSetParams(e, node, &r));
  e.run();
  EXPECT(d.read() == ints(n, 46));
}
CASE(fill_wrong) {
  const own_graph g;
  const device_block<int> d(n);
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddMemsetNode(&node, g, nullptr, 0, nullptr));
  hipMemsetParams p = filling(d.get(), 44, n);
  p.elementSize = 3;
  GIVES(hipErrorInvalidValue, hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
  p = filling(nullptr, 44, n);
  GIVES(hipErrorInvalidValue, hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
  ints host(n);
  p = filling(host.data(), 44, n);
  GIVES(hipErrorInvalidValue, hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
  p = filling(d.get() + 1, 44, n);
  GIVES(hipErrorInvalidValue, hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
}
// What passes the end of its block is refused when it is put in, and changes nothing.
CASE(fill_too_large) {
  const own_graph g;
  const device_block<int> d(n);
  const hipMemsetParams p = filling(d.get(), 44, n);
  hipGraphNode_t node = nullptr, other = nullptr;
  OK(hipGraphAddMemsetNode(&node, g, nullptr, 0, &p));
  const ready_graph e(g);
  hipMemsetParams rows = filling(d.get(), 45, 8);  // 32 bytes
  rows.height = 4;
  rows.pitch = 76;  // 260 bytes to the end of the last row
  for (const hipMemsetParams& q : {filling(d.get(), 45, n + 1), filling(d.get(), 45, SIZE_MAX / 2), rows}) {
    GIVES(hipErrorInvalidValue, hipGraphAddMemsetNode(&other, g, nullptr, 0, &q));
    GIVES(hipErrorInvalidValue, hipGraphMemsetNodeSetParams(node, &q));
    GIVES(hipErrorInvalidValue, hipGraphExecMemsetNodeSetParams(e, node, &q));
  }
  rows.pitch = 72;
  GIVES(hipErrorInvalidValue, hipGraphExecMemsetNodeSetParams(e, node, &rows));  // one row has been there
  e.run();
  EXPECT(d.read() == ints(n, 44));
  OK(hipGraphMemsetNodeSetParams(node, &rows));
  const ready_graph of_rows(g);
  rows.height = 3;
  GIVES(hipErrorInvalidValue, hipGraphExecMemsetNodeSetParams(of_rows, node, &rows));
  rows.height = 4;
  rows.width = 7;
  GIVES(hipErrorInvalidValue, hipGraphExecMemsetNodeSetParams(of_rows, node, &rows));
  rows = filling(d.get(), 46, 16);
  rows.elementSize = 2;  // rows of as many bytes
  rows.height = 4;
  rows.pitch = 64;
  OK(hipGraphExecMemsetNodeSetParams(of_rows, node, &rows));
  OK(hipGraphExecMemsetNodeSetParams(of_rows, node, &p));  // one row of any length
  of_rows.run();
  EXPECT(d.read() == ints(n, 44));
}

// ---- host functions

void increment(void* p) {
  ++*static_cast<int*>(p);
}
void add_ten(void* p) {
  *static_cast<int*>(p) += 10;
}
CASE(host_function) {
  const own_graph g;
  int calls = 0;
  const hipHostNodeParams p = {increment, &calls};
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddHostNode(&node, g, nullptr, 0, &p));
  has_type(node, hipGraphNodeTypeHost);
  hipHostNodeParams asked = {};
  OK(hipGraphHostNodeGetParams(node, &asked));
  EXPECT(asked.fn == increment && asked.userData == &calls);
  run(g);
  SAME(calls, 1);
}
CASE(host_function_set) {
  const own_graph g;
  int calls = 0;
  const hipHostNodeParams p = {increment, &calls}, q = {add_ten, &calls};
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddHostNode(&node, g, nullptr, 0, &p));
  const ready_graph e(g);
  OK(hipGraphHostNodeSetParams(node, &q));
  run(g);
  SAME(calls, 10);
  e.run();
  SAME(calls, 11);
  OK(hipGraphExecHostNodeSetParams(e, node, &q));
  e.run();
  SAME(calls, 21);
}
CASE(host_function_that_is_none) {
  const own_graph g;
  const hipHostNodeParams p = {nullptr, nullptr};
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddHostNode(&node, g, nullptr, 0, &p));
  GIVES(hipErrorInvalidValue, hipGraphAddHostNode(&node, g, nullptr, 0, nullptr));
}

// ---- events

CASE(record_event) {
  const own_graph g;
  const own_event e, other;
  hipGraphNode_t node = nullptr;
  hipEvent_t asked = nullptr;
  OK(hipGraphAddEventRecordNode(&node, g, nullptr, 0, e));
  has_type(node, hipGraphNodeTypeEventRecord);
  OK(hipGraphEventRecordNodeGetEvent(node, &asked));
  EXPECT(asked == e.e);
  const ready_graph ready(g);
  OK(hipGraphEventRecordNodeSetEvent(node, other));
  OK(hipGraphEventRecordNodeGetEvent(node, &asked));
  EXPECT(asked == other.e);
  run(g);
  OK(hipEventSynchronize(other));
  float ms = -1;
  OK(hipEventElapsedTime(&ms, other, other));
  OK(hipGraphExecEventRecordNodeSetEvent(ready, node, other));
  ready.run();
  GIVES(hipErrorInvalidHandle, hipEventElapsedTime(&ms, e, e));  // nobody has recorded it
}
CASE(event_nodes_set_to_null) {
  const own_graph g, another;
  const own_event e;
  hipGraphNode_t records = nullptr, waits = nullptr, of_another = nullptr;
  OK(hipGraphAddEventRecordNode(&records, g, nullptr, 0, e));
  OK(hipGraphAddEventWaitNode(&waits, g, nullptr, 0, e));
  OK(hipGraphAddEventRecordNode(&of_another, another, nullptr, 0, e));
  const ready_graph ready(g);
  GIVES(hipErrorInvalidValue, hipGraphEventRecordNodeSetEvent(records, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphExecEventRecordNodeSetEvent(ready, records, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphEventWaitNodeSetEvent(waits, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphExecEventWaitNodeSetEvent(ready, waits, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphExecEventRecordNodeSetEvent(ready, waits, e));
  GIVES(hipErrorInvalidValue, hipGraphExecEventWaitNodeSetEvent(ready, records, e));
  GIVES(hipErrorInvalidValue, hipGraphExecEventRecordNodeSetEvent(ready, of_another, e));
}
CASE(wait_for_event) {
  const own_graph g;
  const own_event e, other;
  hipGraphNode_t node = nullptr;
  hipEvent_t asked = nullptr;
  OK(hipEventRecord(e, nullptr));
  OK(hipGraphAddEventWaitNode(&node, g, nullptr, 0, e));
  has_type(node, hipGraphNodeTypeWaitEvent);
  OK(hipGraphEventWaitNodeGetEvent(node, &asked));
  EXPECT(asked == e.e);
  const ready_graph ready(g);
  OK(hipGraphEventWaitNodeSetEvent(node, other));
  OK(hipGraphEventWaitNodeGetEvent(node, &asked));
  EXPECT(asked == other.e);
  OK(hipGraphExecEventWaitNodeSetEvent(ready, node, other));
  ready.run();
}
CASE(events_that_are_none) {
  const own_graph g;
  hipGraphNode_t node = nullptr;
  hipEvent_t asked = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddEventRecordNode(&node, g, nullptr, 0, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphAddEventWaitNode(&node, g, nullptr, 0, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphEventRecordNodeGetEvent(empty_node(g), &asked));
}

// ---- graphs in graphs

CASE(child) {
  const own_graph g, inner;
  const device_block<int> d(ints(n, 1));
  const launch plus(add, d.get(), 4), times(multiply, d.get(), 10);
  kernel_node(inner, plus);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddChildGraphNode(&node, g, nullptr, 0, inner));
  has_type(node, hipGraphNodeTypeGraph);
  kernel_node(g, times, {node});
  hipGraph_t asked = nullptr;
  OK(hipGraphChildGraphNodeGetGraph(node, &asked));
  SAME(nodes_of(asked), size_t{1});
  run(g);
  EXPECT(d.read() == ints(n, 50));
}
CASE(child_of_the_instantiated) {
  const own_graph g, inner, other;
  const device_block<int> d(ints(n, 1));
  const launch plus(add, d.get(), 4), more(add, d.get(), 40);
  kernel_node(inner, plus);
  kernel_node(other, more);
  hipGraphNode_t node = nullptr;
  OK(hipGraphAddChildGraphNode(&node, g, nullptr, 0, inner));
  const ready_graph e(g);
  OK(hipGraphExecChildGraphNodeSetParams(e, node, other));
  e.run();
  EXPECT(d.read() == ints(n, 41));
}
CASE(child_that_is_none) {
  const own_graph g;
  hipGraphNode_t node = nullptr;
  GIVES(hipErrorInvalidValue, hipGraphAddChildGraphNode(&node, g, nullptr, 0, nullptr));
}

// ---- updates

CASE(update) {
  const own_graph g, other;
  const device_block<int> d(ints(n, 1));
  const launch l(add, d.get(), 4), more(add, d.get(), 40);
  kernel_node(g, l);
  kernel_node(other, more);
  const ready_graph e(g);
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateError;
  OK(hipGraphExecUpdate(e, other, &where, &result));
  SAME(static_cast<int>(result), static_cast<int>(hipGraphExecUpdateSuccess));
  e.run();
  EXPECT(d.read() == ints(n, 41));
}
void update_fails(hipGraph_t from, hipGraph_t to, hipGraphExecUpdateResult want) {
  const ready_graph e(from);
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
  GIVES(hipErrorGraphExecUpdateFailure, hipGraphExecUpdate(e, to, &where, &result));
  SAME(static_cast<int>(result), static_cast<int>(want));
}
CASE(update_with_another_number_of_nodes) {
  const own_graph g, other;
  empty_node(g);
  empty_node(other);
  empty_node(other);
  update_fails(g, other, hipGraphExecUpdateErrorTopologyChanged);
}
CASE(update_with_other_edges) {
  const own_graph g, other;
  empty_node(g, {empty_node(g)});
  empty_node(other);
  empty_node(other);
  update_fails(g, other, hipGraphExecUpdateErrorTopologyChanged);
}
CASE(update_with_another_kind_of_node) {
  const own_graph g, other;
  const device_block<int> d(n);
  const launch l(add, d.get(), 4);
  empty_node(g);
  kernel_node(other, l);
  update_fails(g, other, hipGraphExecUpdateErrorNodeTypeChanged);
}
// Another kernel, and other blocks, are parameters; which way a copy goes is none.
CASE(update_the_kernel) {
  const own_graph g, other;
  const device_block<int> d(ints(n, 5));
  const launch l(add, d.get(), 4), more(multiply, d.get(), 3);
  kernel_node(g, l);
  kernel_node(other, more);
  const ready_graph e(g);
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateError;
  OK(hipGraphExecUpdate(e, other, &where, &result));
  SAME(static_cast<int>(result), static_cast<int>(hipGraphExecUpdateSuccess));
  e.run();
  EXPECT(d.read() == ints(n, 15));
}
CASE(update_a_copy) {
  const own_graph g, same, back;
  const device_block<int> d(n), other(n);
  ints host(n, 9);
  OK(add_copy(g, d.get(), host.data(), 4 * n, hipMemcpyHostToDevice));
  OK(add_copy(same, other.get(), host.data(), 4 * n, hipMemcpyHostToDevice));
  OK(add_copy(back, host.data(), d.get(), 4 * n, hipMemcpyDeviceToHost));
  const ready_graph e(g);
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateError;
  OK(hipGraphExecUpdate(e, same, &where, &result));
  e.run();
  EXPECT(other.read() == ints(n, 9));
  update_fails(g, back, hipGraphExecUpdateErrorParametersChanged);
}
CASE(update_null) {
  const own_graph g;
  const ready_graph e(g);
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
  GIVES(hipErrorInvalidValue, hipGraphExecUpdate(e, nullptr, &where, &result));
  GIVES(hipErrorInvalidValue, hipGraphExecUpdate(nullptr, g, &where, &result));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
