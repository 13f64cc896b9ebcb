// SPDX-License-Identifier: Apache-2.0
// Attributes of nodes that launch kernels, which nodes of an instantiated graph are done, and drawings of graphs.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "hip_runtime/graph_dot.h"
#include "hip_runtime/graph_handles.h"

using namespace pws::hip;

namespace {

kernel_launch& launch_of_node(context& c, hipGraphNode_t n) {
  return work_of<kernel_launch>(node_of(c, n));
}

bool is_property(hipAccessProperty p) {
  return p == hipAccessPropertyNormal || p == hipAccessPropertyStreaming || p == hipAccessPropertyPersisting;
}
void check_window(const hipAccessPolicyWindow& w) {
  require(w.hitRatio >= 0 && w.hitRatio <= 1, hipErrorInvalidValue, "the ratio of hits is not in 0 to 1");
  require(is_property(w.hitProp) && is_property(w.missProp) && w.missProp != hipAccessPropertyPersisting,
          hipErrorInvalidValue, "no such property of accesses; misses do not persist");
  require(w.num_bytes == 0 || w.base_ptr != nullptr, hipErrorInvalidValue, "a window that begins nowhere");
}

// The node of the instantiated graph; only kernels, copies and fills can be disabled.
graph_node& switchable(context& c, hipGraphExec_t e, hipGraphNode_t n) {
  graph_node& own = in_ready(c, e, n);
  const stream_work& w = own.work;
  require(std::holds_alternative<kernel_launch>(w) || is_copy(w) || std::holds_alternative<fill_work>(w),
          hipErrorInvalidValue, "the node is neither kernel, copy nor fill");
  return own;
}

}  // namespace

extern "C" {

hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t n, hipKernelNodeAttrID which,
                                          const hipKernelNodeAttrValue* value) {
  return call(__func__, [&](context& c) {
    kernel_launch& l = launch_of_node(c, n);
    require(value != nullptr, hipErrorInvalidValue, "the address of the value is null");
    switch (which) {
      case hipKernelNodeAttributeAccessPolicyWindow:
        check_window(value->accessPolicyWindow);
        node_of(c, n).window = value->accessPolicyWindow;
        return;
      case hipKernelNodeAttributeCooperative:
        l.together = value->cooperative != 0 ? launch_together::grid : launch_together::no;
        return;
    }
    throw failure(hipErrorInvalidValue, "a launch has no such attribute");
  });
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t n, hipKernelNodeAttrID which, hipKernelNodeAttrValue* value) {
  return call(__func__, [&](context& c) {
    const kernel_launch& l = launch_of_node(c, n);
    hipKernelNodeAttrValue& to = result(value);
    switch (which) {
      case hipKernelNodeAttributeAccessPolicyWindow:
        to.accessPolicyWindow = node_of(c, n).window;
        return;
      case hipKernelNodeAttributeCooperative:
        to.cooperative = l.together != launch_together::no ? 1 : 0;
        return;
    }
    throw failure(hipErrorInvalidValue, "a launch has no such attribute");
  });
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to) {
  return call(__func__, [&](context& c) {
    const kernel_launch& source = launch_of_node(c, from);
    launch_of_node(c, to).together = source.together;
    node_of(c, to).window = node_of(c, from).window;
  });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t e, hipGraphNode_t n, unsigned is_enabled) {
  return call(__func__, [&](context& c) { switchable(c, e, n).enabled = is_enabled != 0; });
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t e, hipGraphNode_t n, unsigned* is_enabled) {
  return call(__func__, [&](context& c) { result(is_enabled) = switchable(c, e, n).enabled ? 1 : 0; });
}
hipError_t hipGraphDebugDotPrint(hipGraph_t g, const char* path, unsigned flags) {
  return call(__func__, [&](context& c) {
    constexpr unsigned first = hipGraphDebugDotFlagsVerbose, last = hipGraphDebugDotFlagsHandles;
    constexpr unsigned known = first | (2 * last - hipGraphDebugDotFlagsKernelNodeParams);
    const graph& own = graph_of(c, g);
    require(path != nullptr, hipErrorInvalidValue, "the path is null");
    require((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
    std::ofstream out(path, std::ios::binary);
    out << dot_of(c, own, flags);
    out.close();
    if (!out) throw failure(hipErrorOperatingSystem, fmt::format("{}: {}", path, std::strerror(errno)));
  });
}
// A launch needs nothing that could be done before it.
hipError_t hipGraphUpload(hipGraphExec_t e, hipStream_t stream) {
  return call(__func__, [&](context& c) {
    ready_graph_of(c, e);
    c.check_stream(stream);
    c.captures.refuse_in(stream, "a graph is not uploaded in a stream that is being captured");
  });
}

}  // extern "C"
