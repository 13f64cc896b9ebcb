// library: own
// queues: yes
// Nodes of instantiated graphs that are disabled, attributes of launches, uploads, and drawings of graphs.
#include <unistd.h>

#include <fstream>
#include <iterator>

#include "newer_api.h"

namespace {

using ints = std::vector<int>;

unsigned enabled(hipGraphExec_t e, hipGraphNode_t n) {
  unsigned value = 99;
  OK(hipGraphNodeGetEnabled(e, n, &value));
  return value;
}

CASE(disabled_kernel) {
  const device_block<int> data(ints(elements, 0));
  own_graph g;
  const hipGraphNode_t one = adding_node(g, data.get(), 1), ten = adding_node(g, data.get(), 10, {one}),
                       hundred = adding_node(g, data.get(), 100, {ten});
  const ready_graph e(g);
  SAME(enabled(e, ten), 1u);
  OK(hipGraphNodeSetEnabled(e, ten, 0));
  SAME(enabled(e, ten), 0u);
  SAME(enabled(e, hundred), 1u);
  e.run();
  EXPECT(data.read() == ints(elements, 101));
  OK(hipGraphNodeSetEnabled(e, ten, 7));  // anything but 0
  SAME(enabled(e, ten), 1u);
  OK(hipGraphNodeSetEnabled(e, one, 0));
  OK(hipGraphNodeSetEnabled(e, hundred, 0));
  e.run();
  EXPECT(data.read() == ints(elements, 111));
  // Another instance has all.
  ready_graph(g).run();
  EXPECT(data.read() == ints(elements, 222));
}
CASE(disabled_copy_and_fill) {
  const device_block<int> data(ints(elements, 3));
  ints result(elements, -1);
  own_graph g;
  hipMemsetParams p = {};
  p.dst = data.get();
  p.elementSize = 4;
  p.width = elements;
  p.height = 1;
  hipGraphNode_t fill = nullptr, copy = nullptr;
  OK(hipGraphAddMemsetNode(&fill, g, nullptr, 0, &p));
  OK(hipGraphAddMemcpyNode1D(&copy, g, &fill, 1, result.data(), data.get(), elements * sizeof(int),
                             hipMemcpyDeviceToHost));
  const ready_graph e(g);
  OK(hipGraphNodeSetEnabled(e, fill, 0));
  e.run();
  EXPECT(result == ints(elements, 3));
  OK(hipGraphNodeSetEnabled(e, fill, 1));
  OK(hipGraphNodeSetEnabled(e, copy, 0));
  e.run();
  EXPECT(result == ints(elements, 3) && data.read() == ints(elements, 0));
}
// Whether a node is done stays as it was when its parameters change, or the graph becomes a child by capture.
CASE(stays_disabled) {
  const device_block<int> data(ints(elements, 0));
  own_graph g, other;
  const hipGraphNode_t one = adding_node(g, data.get(), 1);
  adding_node(g, data.get(), 10, {one});
  adding_node(other, data.get(), 10, {adding_node(other, data.get(), 2)});
  const ready_graph e(g);
  OK(hipGraphNodeSetEnabled(e, one, 0));
  hipGraphNode_t where = nullptr;
  hipGraphExecUpdateResult how;
  OK(hipGraphExecUpdate(e, other, &where, &how));
  SAME(enabled(e, one), 0u);
  e.run();
  EXPECT(data.read() == ints(elements, 10));
  const own_stream s;
  hipGraph_t captured = nullptr;
  OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
  OK(hipGraphLaunch(e, s));
  OK(hipStreamEndCapture(s, &captured));
  ready_graph(captured).run();
  OK(hipGraphDestroy(captured));
  EXPECT(data.read() == ints(elements, 20));
}
CASE(cannot_be_disabled) {
  const device_block<int> data(ints(elements, 0));
  own_graph g, other;
  hipGraphNode_t empty = nullptr, host = nullptr;
  const hipHostNodeParams p = {[](void*) {}, nullptr};
  OK(hipGraphAddEmptyNode(&empty, g, nullptr, 0));
  OK(hipGraphAddHostNode(&host, g, nullptr, 0, &p));
  const hipGraphNode_t foreign = adding_node(other, data.get(), 1), own = adding_node(g, data.get(), 1);
  const ready_graph e(g);
  unsigned value = 5;
  for (const hipGraphNode_t n : {empty, host, foreign, static_cast<hipGraphNode_t>(nullptr)}) {
    GIVES(hipErrorInvalidValue, hipGraphNodeSetEnabled(e, n, 0));
    GIVES(hipErrorInvalidValue, hipGraphNodeGetEnabled(e, n, &value));
  }
  const hipGraphNode_t later = adding_node(g, data.get(), 1);  // made after the instance
  GIVES(hipErrorInvalidValue, hipGraphNodeSetEnabled(e, later, 0));
  GIVES(hipErrorInvalidValue, hipGraphNodeSetEnabled(nullptr, own, 0));
  GIVES(hipErrorInvalidValue, hipGraphNodeGetEnabled(nullptr, own, &value));
  GIVES(hipErrorInvalidValue, hipGraphNodeGetEnabled(e, own, nullptr));
  SAME(value, 5u);
  OK(hipGraphDestroyNode(own));
  GIVES(hipErrorInvalidValue, hipGraphNodeSetEnabled(e, own, 0));  // the handle is of nothing
}

// ---- attributes of launches

CASE(attributes) {
  const device_block<int> data(ints(elements, 0));
  own_graph g;
  const hipGraphNode_t a = adding_node(g, data.get(), 1), b = adding_node(g, data.get(), 1, {a});
  hipKernelNodeAttrValue v = {};
  OK(hipGraphKernelNodeGetAttribute(a, hipKernelNodeAttributeCooperative, &v));
  SAME(v.cooperative, 0);
  v.cooperative = 1;
  OK(hipGraphKernelNodeSetAttribute(a, hipKernelNodeAttributeCooperative, &v));
  v = {};
  v.accessPolicyWindow.base_ptr = data.get();
  v.accessPolicyWindow.num_bytes = 64;
  v.accessPolicyWindow.hitRatio = 0.5f;
  v.accessPolicyWindow.hitProp = hipAccessPropertyPersisting;
  v.accessPolicyWindow.missProp = hipAccessPropertyStreaming;
  OK(hipGraphKernelNodeSetAttribute(a, hipKernelNodeAttributeAccessPolicyWindow, &v));
  OK(hipGraphKernelNodeCopyAttributes(a, b));
  v = {};
  OK(hipGraphKernelNodeGetAttribute(b, hipKernelNodeAttributeCooperative, &v));
  SAME(v.cooperative, 1);
  OK(hipGraphKernelNodeGetAttribute(b, hipKernelNodeAttributeAccessPolicyWindow, &v));
  EXPECT(v.accessPolicyWindow.base_ptr == data.get() && v.accessPolicyWindow.num_bytes == 64 &&
         v.accessPolicyWindow.hitRatio == 0.5f && v.accessPolicyWindow.hitProp == hipAccessPropertyPersisting &&
         v.accessPolicyWindow.missProp == hipAccessPropertyStreaming);
  ready_graph(g).run();
  EXPECT(data.read() == ints(elements, 2));
}
CASE(refused_attributes) {
  const device_block<int> data(ints(elements, 0));
  own_graph g;
  const hipGraphNode_t a = adding_node(g, data.get(), 1);
  hipGraphNode_t empty = nullptr;
  OK(hipGraphAddEmptyNode(&empty, g, nullptr, 0));
  hipKernelNodeAttrValue v = {};
  const auto none = static_cast<hipKernelNodeAttrID>(3);
  for (const hipGraphNode_t n : {empty, static_cast<hipGraphNode_t>(nullptr)}) {
    GIVES(hipErrorInvalidValue, hipGraphKernelNodeGetAttribute(n, hipKernelNodeAttributeCooperative, &v));
    GIVES(hipErrorInvalidValue, hipGraphKernelNodeSetAttribute(n, hipKernelNodeAttributeCooperative, &v));
    GIVES(hipErrorInvalidValue, hipGraphKernelNodeCopyAttributes(n, a));
    GIVES(hipErrorInvalidValue, hipGraphKernelNodeCopyAttributes(a, n));
  }
  GIVES(hipErrorInvalidValue, hipGraphKernelNodeGetAttribute(a, none, &v));
  GIVES(hipErrorInvalidValue, hipGraphKernelNodeSetAttribute(a, none, &v));
  GIVES(hipErrorInvalidValue, hipGraphKernelNodeGetAttribute(a, hipKernelNodeAttributeCooperative, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphKernelNodeSetAttribute(a, hipKernelNodeAttributeCooperative, nullptr));
  const auto refused = [&](void (*change)(hipAccessPolicyWindow&)) {
    v = {};
    v.accessPolicyWindow.base_ptr = data.get();
    v.accessPolicyWindow.num_bytes = 64;
    change(v.accessPolicyWindow);
    GIVES(hipErrorInvalidValue, hipGraphKernelNodeSetAttribute(a, hipKernelNodeAttributeAccessPolicyWindow, &v));
  };
  refused([](hipAccessPolicyWindow& w) { w.hitRatio = 1.5f; });
  refused([](hipAccessPolicyWindow& w) { w.hitRatio = -1; });
  refused([](hipAccessPolicyWindow& w) { w.hitRatio = __builtin_nanf(""); });
  refused([](hipAccessPolicyWindow& w) { w.missProp = hipAccessPropertyPersisting; });
  refused([](hipAccessPolicyWindow& w) { w.hitProp = static_cast<hipAccessProperty>(3); });
  refused([](hipAccessPolicyWindow& w) { w.base_ptr = nullptr; });
}

// ---- uploads and flags

CASE(upload) {
  const device_block<int> data(ints(elements, 0));
  own_graph g;
  adding_node(g, data.get(), 1);
  const ready_graph e(g, hipGraphInstantiateFlagUpload | hipGraphInstantiateFlagUseNodePriority);
  const own_stream s;
  OK(hipGraphUpload(e, s));
  OK(hipGraphUpload(e, nullptr));
  EXPECT(data.read() == ints(elements, 0));
  OK(hipGraphLaunch(e, s));
  OK(hipStreamSynchronize(s));
  EXPECT(data.read() == ints(elements, 1));
  GIVES(hipErrorInvalidValue, hipGraphUpload(nullptr, s));
  hipStream_t gone = nullptr;
  OK(hipStreamCreate(&gone));
  OK(hipStreamDestroy(gone));
  GIVES(hipErrorInvalidHandle, hipGraphUpload(e, gone));
  hipGraphExec_t other = nullptr;
  GIVES(hipErrorNotSupported, hipGraphInstantiateWithFlags(&other, g, hipGraphInstantiateFlagDeviceLaunch));
  GIVES(hipErrorInvalidValue, hipGraphInstantiateWithFlags(&other, g, 16));
}

// ---- drawings

std::string drawing(hipGraph_t g, unsigned flags = 0) {
  const std::string path = "/tmp/graph_nodes_" + std::to_string(getpid()) + ".dot";
  OK(hipGraphDebugDotPrint(g, path.c_str(), flags));
  std::ifstream in(path);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  static_cast<void>(std::remove(path.c_str()));
  return text;
}
bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

CASE(drawing_of_a_graph) {
  const device_block<int> data(ints(elements, 0));
  own_graph g, inner;
  const hipGraphNode_t a = adding_node(g, data.get(), 1);
  hipGraphNode_t child = nullptr, empty = nullptr;
  OK(hipGraphAddEmptyNode(&empty, inner, nullptr, 0));
  OK(hipGraphAddChildGraphNode(&child, g, &a, 1, inner));
  const std::string plain = drawing(g);
  EXPECT(plain.rfind("digraph ", 0) == 0 && plain.back() == '\n');
  EXPECT(has(plain, "add_number") && has(plain, "EMPTY") && has(plain, "subgraph cluster") &&
         has(plain, "node_0 -> node_1"));
  EXPECT(!has(plain, "block (64, 1, 1)") && !has(plain, "cooperative") && !has(plain, "0x"));
  EXPECT(plain == drawing(g));
  EXPECT(has(drawing(g, hipGraphDebugDotFlagsKernelNodeParams), "block (64, 1, 1)"));
  EXPECT(has(drawing(g, hipGraphDebugDotFlagsKernelNodeAttributes), "cooperative 0"));
  EXPECT(has(drawing(g, hipGraphDebugDotFlagsHandles), "0x"));
  const std::string all = drawing(g, hipGraphDebugDotFlagsVerbose);
  EXPECT(has(all, "block (64, 1, 1)") && has(all, "cooperative 0") && has(all, "function 0x"));
  EXPECT(has(drawing(own_graph()), "digraph"));
}
CASE(drawing_nowhere) {
  own_graph g;
  GIVES(hipErrorInvalidValue, hipGraphDebugDotPrint(nullptr, "/tmp/x.dot", 0));
  GIVES(hipErrorInvalidValue, hipGraphDebugDotPrint(g, nullptr, 0));
  GIVES(hipErrorInvalidValue, hipGraphDebugDotPrint(g, "/tmp/x.dot", 2));
  GIVES(hipErrorInvalidValue, hipGraphDebugDotPrint(g, "/tmp/x.dot", 1 << 11));
  GIVES(hipErrorOperatingSystem, hipGraphDebugDotPrint(g, "/no such folder/x.dot", 0));
  GIVES(hipErrorOperatingSystem, hipGraphDebugDotPrint(g, "/dev/full", 0));
  GIVES(hipErrorOperatingSystem, hipGraphDebugDotPrint(g, "", 0));
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
