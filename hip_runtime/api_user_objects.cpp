// SPDX-License-Identifier: Apache-2.0
// Objects of the program that graphs keep (user_objects.h).
#include "hip_runtime/graph_handles.h"

using namespace pws::hip;

namespace {

void check_count(unsigned count) {
  require(count != 0 && count <= INT32_MAX, hipErrorInvalidValue, "no number of references");
}

}  // namespace

extern "C" {

hipError_t hipUserObjectCreate(hipUserObject_t* to, void* pointer, hipHostFn_t destroy, unsigned references,
                               unsigned flags) {
  return call(__func__, [&](context& c) {
    require(to != nullptr && destroy != nullptr, hipErrorInvalidValue, "an address is null");
    check_count(references);
    require(flags == hipUserObjectNoDestructorSync, hipErrorInvalidValue,
            "the flag hipUserObjectNoDestructorSync, which must be given, and no other");
    *to = reinterpret_cast<hipUserObject_t>(&c.known_graphs.objects.create({destroy, pointer}, references));
  });
}
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned count) {
  return call(__func__, [&](context& c) {
    check_count(count);
    user_objects& all = c.known_graphs.objects;
    all.release(all.of(object), count);
  });
}
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned count) {
  return call(__func__, [&](context& c) {
    check_count(count);
    user_objects& all = c.known_graphs.objects;
    all.retain(all.of(object), count);
  });
}
hipError_t hipGraphRetainUserObject(hipGraph_t g, hipUserObject_t object, unsigned count, unsigned flags) {
  return call(__func__, [&](context& c) {
    check_count(count);
    require(flags == 0 || flags == hipGraphUserObjectMove, hipErrorInvalidValue, "unknown flags");
    graph& own = graph_of(c, g);
    own.retain(c.known_graphs.objects.of(object), count, flags == hipGraphUserObjectMove);
  });
}
hipError_t hipGraphReleaseUserObject(hipGraph_t g, hipUserObject_t object, unsigned count) {
  return call(__func__, [&](context& c) {
    check_count(count);
    graph& own = graph_of(c, g);
    own.release(c.known_graphs.objects.of(object), count);
  });
}

}  // extern "C"
