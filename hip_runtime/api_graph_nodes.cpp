// SPDX-License-Identifier: Apache-2.0
// What nodes of graphs do: adding them, asking, and changing it, in a graph or in an instantiated one.
#include <fmt/format.h>

#include "hip_runtime/context.h"
#include "hip_runtime/graph_handles.h"
#include "hip_runtime/stream_work.h"

using namespace pws::hip;

namespace {

// A node that copies may copy anything else from now on.
void set_copy(graph_node& n, stream_work work) {
  require(is_copy(n.work), hipErrorInvalidValue, "the node is no copy");
  n.work = std::move(work);
}

kernel_launch kernel_of(context& c, const hipKernelNodeParams* p) {
  require(p != nullptr, hipErrorInvalidValue, "no description of the launch");
  const extent grid = threads_of(p->gridDim, p->blockDim);
  for (const uint64_t n : grid) require(n != 0, hipErrorInvalidConfiguration, "a grid or block without threads");
  return launch_of(c, context::current_device(), p->func, grid, p->blockDim, p->sharedMemBytes,
                   [p](const kernel_function& f) { return arguments_of(f, p->kernelParams, p->extra); });
}

box_copy_work box_of(context& c, const hipMemcpy3DParms* p) {
  require(p != nullptr, hipErrorInvalidValue, "no description of the copy");
  without_arrays(c.images, *p);
  return {*p};
}

// As it is now. The host's side and the machine's must be those that the kind names; between two blocks of the
// runtime's memory it says nothing.
void check_sides(context& c, const void* to, const void* from, hipMemcpyKind kind) {
  const memory& m = *c.gpu().memory;
  const auto is_known = [&](const void* p) {
    return m.find(reinterpret_cast<uint64_t>(p)) != nullptr || m.find_registered(p) != nullptr ||
           m.is_device_address(reinterpret_cast<uint64_t>(p));
  };
  const bool known_to = is_known(to), known_from = is_known(from);
  if (kind == hipMemcpyDefault || (known_to && known_from)) return;
  const hipMemcpyKind only = known_to     ? hipMemcpyHostToDevice
                             : known_from ? hipMemcpyDeviceToHost
                                          : hipMemcpyHostToHost;
  require(kind == only, hipErrorInvalidValue, "the kind of the copy does not fit its addresses");
}
copy_work copy_of(context& c, void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  require(to != nullptr && from != nullptr, hipErrorInvalidValue, "a null pointer");
  require(bytes != 0, hipErrorInvalidValue, "nothing to copy");
  const copy_work w{to, from, bytes, kind};
  check_sides(c, to, from, kind);
  check(c, c.slot().legacy_stream, w);
  return w;
}
// Another copy than from a block to itself.
copy_work other_copy_of(context& c, void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  require(to != from, hipErrorInvalidValue, "the source is the target");
  return copy_of(c, to, from, bytes, kind);
}

variable_copy_work variable_copy(context& c, const variable_copy_work& w) {
  require(w.symbol != nullptr, hipErrorInvalidSymbol, "the variable is null");
  const void* other = w.to != nullptr ? w.to : w.from;
  require(other != nullptr && other != w.symbol && w.bytes != 0, hipErrorInvalidValue,
          "a null pointer, the variable itself, or nothing to copy");
  check(c, c.slot().legacy_stream, w);
  const void* variable = reinterpret_cast<const void*>(c.modules.variable(w.symbol, *c.gpu().runtime).first);
  if (w.to != nullptr)
    check_sides(c, w.to, variable, w.kind);
  else
    check_sides(c, variable, w.from, w.kind);
  return w;
}
variable_copy_work from_variable(context& c, void* to, const void* symbol, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  require(symbol != nullptr, hipErrorInvalidSymbol, "the variable is null");
  require(to != nullptr, hipErrorInvalidValue, "the target is a null pointer");
  return variable_copy(c, {symbol, offset, to, nullptr, bytes, kind});
}
variable_copy_work to_variable(context& c, const void* symbol, const void* from, size_t bytes, size_t offset,
                               hipMemcpyKind kind) {
  return variable_copy(c, {symbol, offset, nullptr, from, bytes, kind});
}

fill_work fill_of(context& c, const hipMemsetParams* p) {
  require(p != nullptr && p->dst != nullptr, hipErrorInvalidValue, "no description of the fill, or no target");
  require(p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4, hipErrorInvalidValue,
          "elements have 1, 2 or 4 bytes");
  require(p->width != 0 && p->height != 0, hipErrorInvalidValue, "nothing to fill");
  require(p->height == 1 || p->pitch / p->elementSize >= p->width, hipErrorInvalidValue, "rows do not fit the pitch");
  const fill_work w{*p};
  check(c, c.slot().legacy_stream, w);  // as it is now
  return w;
}
// Gives a node of an instantiated graph another fill. As in AMD's runtime, rows stay as many and as long as they were.
void set_fill(graph_node& n, const fill_work& w) {
  auto& own = work_of<fill_work>(n);
  const hipMemsetParams &was = own.parameters, &is = w.parameters;
  const size_t row = is.width * is.elementSize, was_row = was.width * was.elementSize;
  if (is.height != 1 && (is.height != was.height || row != was_row))
    throw failure(hipErrorInvalidValue, fmt::format("{} rows of {} bytes; the instantiated graph fills {} of {}",
                                                    is.height, row, was.height, was_row));
  own = w;
}

host_work host_of(const hipHostNodeParams* p) {
  require(p != nullptr && p->fn != nullptr, hipErrorInvalidValue, "no function");
  return {*p};
}

child_work child_of(context& c, hipGraph_t child) {
  const graph& g = graph_of(c, child);
  require(!g.has_memory_nodes(), hipErrorNotSupported, "a graph that allocates or frees memory is no child");
  return {g.clone()};
}

// The node records the event, or waits for it.
template <class Work>
Work of_event(context& c, hipEvent_t event) {
  require(event != nullptr, hipErrorInvalidValue, "the event is null");
  c.event_of(event);
  return {event};
}

}  // namespace

extern "C" {

// ---- kernels

hipError_t hipGraphAddKernelNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                 const hipKernelNodeParams* p) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, kernel_of(c, p)); });
}
// The pointers are good until the node is changed.
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t n, hipKernelNodeParams* p) {
  return call(__func__, [&](context& c) {
    graph_node& node = node_of(c, n);
    auto& l = work_of<kernel_launch>(node);
    node.arguments.clear();
    for (std::vector<uint8_t>& a : l.arguments) node.arguments.push_back(a.data());
    const auto blocks = [&](size_t d) { return (l.grid[d] - 1) / l.workgroup[d] + 1; };
    hipKernelNodeParams& r = result(p);
    r = {};
    r.func = const_cast<void*>(l.function);
    r.gridDim = dim3(blocks(0), blocks(1), blocks(2));
    r.blockDim = dim3(l.workgroup[0], l.workgroup[1], l.workgroup[2]);
    r.sharedMemBytes = l.dynamic_lds;
    r.kernelParams = node.arguments.data();
  });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t n, const hipKernelNodeParams* p) {
  return call(__func__, [&](context& c) { work_of<kernel_launch>(node_of(c, n)) = kernel_of(c, p); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t e, hipGraphNode_t n, const hipKernelNodeParams* p) {
  return call(__func__, [&](context& c) { work_of<kernel_launch>(in_ready(c, e, n)) = kernel_of(c, p); });
}

// ---- copies

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                 const hipMemcpy3DParms* p) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, box_of(c, p)); });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t n, hipMemcpy3DParms* p) {
  return call(__func__, [&](context& c) {
    const graph_node& node = node_of(c, n);
    if (const auto* w = std::get_if<copy_work>(&node.work)) {
      hipMemcpy3DParms& r = result(p);
      r = {};
      r.srcPtr = {const_cast<void*>(w->from), w->bytes, w->bytes, 1};
      r.dstPtr = {w->to, w->bytes, w->bytes, 1};
      r.extent = {w->bytes, 1, 1};
      r.kind = w->kind;
      return;
    }
    result(p) = work_of<box_copy_work>(node_of(c, n)).parameters;
  });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t n, const hipMemcpy3DParms* p) {
  return call(__func__, [&](context& c) { set_copy(node_of(c, n), box_of(c, p)); });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t e, hipGraphNode_t n, hipMemcpy3DParms* p) {
  return call(__func__, [&](context& c) { set_copy(in_ready(c, e, n), box_of(c, p)); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                   void* target, const void* source, size_t bytes, hipMemcpyKind kind) {
  return call(__func__,
              [&](context& c) { add_node(c, to, g, before, count, copy_of(c, target, source, bytes, kind)); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t n, void* target, const void* source, size_t bytes,
                                         hipMemcpyKind kind) {
  return call(__func__, [&](context& c) { set_copy(node_of(c, n), other_copy_of(c, target, source, bytes, kind)); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t e, hipGraphNode_t n, void* target, const void* source,
                                             size_t bytes, hipMemcpyKind kind) {
  return call(__func__,
              [&](context& c) { set_copy(in_ready(c, e, n), other_copy_of(c, target, source, bytes, kind)); });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                           void* target, const void* symbol, size_t bytes, size_t offset,
                                           hipMemcpyKind kind) {
  return call(__func__, [&](context& c) {
    add_node(c, to, g, before, count, from_variable(c, target, symbol, bytes, offset, kind));
  });
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t n, void* target, const void* symbol, size_t bytes,
                                                 size_t offset, hipMemcpyKind kind) {
  return call(__func__,
              [&](context& c) { set_copy(node_of(c, n), from_variable(c, target, symbol, bytes, offset, kind)); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t e, hipGraphNode_t n, void* target,
                                                     const void* symbol, size_t bytes, size_t offset,
                                                     hipMemcpyKind kind) {
  return call(__func__,
              [&](context& c) { set_copy(in_ready(c, e, n), from_variable(c, target, symbol, bytes, offset, kind)); });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                         const void* symbol, const void* source, size_t bytes, size_t offset,
                                         hipMemcpyKind kind) {
  return call(__func__, [&](context& c) {
    add_node(c, to, g, before, count, to_variable(c, symbol, source, bytes, offset, kind));
  });
}
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t n, const void* symbol, const void* source, size_t bytes,
                                               size_t offset, hipMemcpyKind kind) {
  return call(__func__,
              [&](context& c) { set_copy(node_of(c, n), to_variable(c, symbol, source, bytes, offset, kind)); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t e, hipGraphNode_t n, const void* symbol,
                                                   const void* source, size_t bytes, size_t offset,
                                                   hipMemcpyKind kind) {
  return call(__func__,
              [&](context& c) { set_copy(in_ready(c, e, n), to_variable(c, symbol, source, bytes, offset, kind)); });
}

// ---- fills

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                 const hipMemsetParams* p) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, fill_of(c, p)); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t n, hipMemsetParams* p) {
  return call(__func__, [&](context& c) { result(p) = work_of<fill_work>(node_of(c, n)).parameters; });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t n, const hipMemsetParams* p) {
  return call(__func__, [&](context& c) { work_of<fill_work>(node_of(c, n)) = fill_of(c, p); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t e, hipGraphNode_t n, const hipMemsetParams* p) {
  return call(__func__, [&](context& c) { set_fill(in_ready(c, e, n), fill_of(c, p)); });
}

// ---- host functions

hipError_t hipGraphAddHostNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                               const hipHostNodeParams* p) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, host_of(p)); });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t n, hipHostNodeParams* p) {
  return call(__func__, [&](context& c) { result(p) = work_of<host_work>(node_of(c, n)).parameters; });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t n, const hipHostNodeParams* p) {
  return call(__func__, [&](context& c) { work_of<host_work>(node_of(c, n)) = host_of(p); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t e, hipGraphNode_t n, const hipHostNodeParams* p) {
  return call(__func__, [&](context& c) { work_of<host_work>(in_ready(c, e, n)) = host_of(p); });
}

// ---- graphs in graphs, and nodes that only order others

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                     hipGraph_t child) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, child_of(c, child)); });
}
// The node's own copy.
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t n, hipGraph_t* g) {
  return call(__func__, [&](context& c) { result(g) = handle_of(*work_of<child_work>(node_of(c, n)).child); });
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t e, hipGraphNode_t n, hipGraph_t child) {
  return call(__func__, [&](context& c) {
    auto& w = work_of<child_work>(in_ready(c, e, n));
    const graph& wanted = graph_of(c, child);
    require(wanted.nodes().size() == w.child->nodes().size(), hipErrorInvalidValue,
            "the graph has other nodes than the one in its place");
    w = child_of(c, child);
  });
}
hipError_t hipGraphAddEmptyNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, nothing_work{}); });
}

// ---- events

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                      hipEvent_t event) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, of_event<record_work>(c, event)); });
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t n, hipEvent_t* event) {
  return call(__func__, [&](context& c) { result(event) = work_of<record_work>(node_of(c, n)).event; });
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t n, hipEvent_t event) {
  return call(__func__, [&](context& c) { work_of<record_work>(node_of(c, n)) = of_event<record_work>(c, event); });
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t e, hipGraphNode_t n, hipEvent_t event) {
  return call(__func__, [&](context& c) { work_of<record_work>(in_ready(c, e, n)) = of_event<record_work>(c, event); });
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* to, hipGraph_t g, const hipGraphNode_t* before, size_t count,
                                    hipEvent_t event) {
  return call(__func__, [&](context& c) { add_node(c, to, g, before, count, of_event<wait_work>(c, event)); });
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t n, hipEvent_t* event) {
  return call(__func__, [&](context& c) { result(event) = work_of<wait_work>(node_of(c, n)).event; });
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t n, hipEvent_t event) {
  return call(__func__, [&](context& c) { work_of<wait_work>(node_of(c, n)) = of_event<wait_work>(c, event); });
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t e, hipGraphNode_t n, hipEvent_t event) {
  return call(__func__, [&](context& c) { work_of<wait_work>(in_ready(c, e, n)) = of_event<wait_work>(c, event); });
}

}  // extern "C"
