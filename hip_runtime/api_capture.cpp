// SPDX-License-Identifier: Apache-2.0
// Capture of streams into graphs (captures.h).
#include "hip_runtime/graph_handles.h"

using namespace pws::hip;

namespace {
// Lists of dependencies that the program has been given: good until it asks again.
std::vector<hipGraphNode_t> given;
}  // namespace

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode mode) {
  return call(__func__, [&](context& c) {
    c.check_stream(s);
    c.captures.begin(s, mode);
  });
}
PWS_ALSO_SPT(hipStreamBeginCapture);

hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t* to) {
  return call(__func__, [&](context& c) {
    require(to != nullptr, hipErrorInvalidValue, "the address for the graph is null");
    *to = nullptr;
    c.check_stream(s);
    std::shared_ptr<graph> g = c.captures.end(s);
    *to = handle_of(*g);
    c.graphs.emplace(*to, std::move(g));
  });
}
PWS_ALSO_SPT(hipStreamEndCapture);

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t s, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* g, const hipGraphNode_t** dependencies, size_t* count) {
  return call(__func__, [&](context& c) {
    require(status != nullptr, hipErrorInvalidValue, "the address for the status is null");
    c.check_stream(s);
    *status = c.captures.status(s);
    if (*status != hipStreamCaptureStatusActive) return;
    capture& own = *c.captures.of(s);
    if (id != nullptr) *id = own.id;
    if (g != nullptr) *g = handle_of(*own.result);
    given.clear();
    for (graph_node* n : own.ends.at(s)) given.push_back(handle_of(*n));
    if (dependencies != nullptr) *dependencies = given.data();
    if (count != nullptr) *count = given.size();
  });
}
PWS_ALSO_SPT(hipStreamGetCaptureInfo_v2);
hipError_t hipStreamGetCaptureInfo(hipStream_t s, hipStreamCaptureStatus* status, unsigned long long* id) {
  return hipStreamGetCaptureInfo_v2(s, status, id, nullptr, nullptr, nullptr);
}
PWS_ALSO_SPT(hipStreamGetCaptureInfo);

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t s, hipGraphNode_t* nodes, size_t count, unsigned int flags) {
  return call(__func__, [&](context& c) {
    c.check_stream(s);
    capture* own = c.captures.takes(s);
    require(own != nullptr, hipErrorIllegalState, "the stream is not being captured");
    require(flags == hipStreamAddCaptureDependencies || flags == hipStreamSetCaptureDependencies, hipErrorInvalidValue,
            "no such flags");
    std::vector<graph_node*> wanted = nodes_of(c, nodes, count);
    for (const graph_node* n : wanted)
      require(n->owner == own->result.get(), hipErrorInvalidValue, "a node of another graph");
    std::vector<graph_node*>& end = own->ends.at(s);
    if (flags == hipStreamAddCaptureDependencies) wanted.insert(wanted.begin(), end.begin(), end.end());
    end = std::move(wanted);
  });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
  return call(__func__, [&](context&) {
    require(mode != nullptr && *mode >= hipStreamCaptureModeGlobal && *mode <= hipStreamCaptureModeRelaxed,
            hipErrorInvalidValue, "no such mode");
    *mode = captures::exchange_mode(*mode);
  });
}

}  // extern "C"
