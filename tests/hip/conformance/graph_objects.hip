// library: own
// queues: yes
// Objects of the program that graphs keep.
#include "newer_api.h"

namespace {

struct counted {
  int ended = 0;
  hipUserObject_t object = nullptr;
  explicit counted(unsigned references = 1) {
    OK(hipUserObjectCreate(&object, this, end, references, hipUserObjectNoDestructorSync));
  }
  counted(const counted&) = delete;
  counted& operator=(const counted&) = delete;
  static void end(void* self) { ++static_cast<counted*>(self)->ended; }
};

CASE(ends_with_the_last_reference) {
  counted x(2);
  OK(hipUserObjectRetain(x.object, 3));
  OK(hipUserObjectRelease(x.object, 4));
  SAME(x.ended, 0);
  OK(hipUserObjectRelease(x.object));
  SAME(x.ended, 1);
  GIVES(hipErrorInvalidValue, hipUserObjectRelease(x.object));  // it is none any more
  GIVES(hipErrorInvalidValue, hipUserObjectRetain(x.object));
  SAME(x.ended, 1);
}
CASE(refused) {
  counted x;
  hipUserObject_t made = nullptr;
  const unsigned many = 1u << 31, flag = hipUserObjectNoDestructorSync;
  GIVES(hipErrorInvalidValue, hipUserObjectCreate(nullptr, &x, counted::end, 1, flag));
  GIVES(hipErrorInvalidValue, hipUserObjectCreate(&made, &x, nullptr, 1, flag));
  GIVES(hipErrorInvalidValue, hipUserObjectCreate(&made, &x, counted::end, 0, flag));
  GIVES(hipErrorInvalidValue, hipUserObjectCreate(&made, &x, counted::end, many, flag));
  GIVES(hipErrorInvalidValue, hipUserObjectCreate(&made, &x, counted::end, 1, 0));
  GIVES(hipErrorInvalidValue, hipUserObjectCreate(&made, &x, counted::end, 1, flag | 2));
  EXPECT(made == nullptr);
  for (const unsigned count : {0u, many}) {
    GIVES(hipErrorInvalidValue, hipUserObjectRetain(x.object, count));
    GIVES(hipErrorInvalidValue, hipUserObjectRelease(x.object, count));
  }
  GIVES(hipErrorInvalidValue, hipUserObjectRetain(nullptr));
  GIVES(hipErrorInvalidValue, hipUserObjectRelease(nullptr));
  GIVES(hipErrorInvalidValue, hipUserObjectRelease(x.object, 2));
  SAME(x.ended, 0);
  OK(hipUserObjectRelease(x.object));
}
CASE(kept_by_a_graph) {
  counted x;
  {
    own_graph g;
    OK(hipGraphRetainUserObject(g, x.object, 2));
    OK(hipUserObjectRelease(x.object));
    OK(hipGraphReleaseUserObject(g, x.object));
    SAME(x.ended, 0);
    GIVES(hipErrorInvalidValue, hipGraphReleaseUserObject(g, x.object, 2));
    GIVES(hipErrorInvalidValue, hipUserObjectRelease(x.object));  // the program has none
  }
  SAME(x.ended, 1);
}
CASE(released_of_a_graph) {
  counted x;
  own_graph g;
  OK(hipGraphRetainUserObject(g, x.object, 1, hipGraphUserObjectMove));
  GIVES(hipErrorInvalidValue, hipUserObjectRelease(x.object));
  OK(hipGraphReleaseUserObject(g, x.object));
  SAME(x.ended, 1);
  GIVES(hipErrorInvalidValue, hipGraphReleaseUserObject(g, x.object));
}
CASE(refused_for_graphs) {
  counted x, y;
  own_graph g;
  GIVES(hipErrorInvalidValue, hipGraphRetainUserObject(nullptr, x.object));
  GIVES(hipErrorInvalidValue, hipGraphRetainUserObject(g, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphRetainUserObject(g, x.object, 0));
  GIVES(hipErrorInvalidValue, hipGraphRetainUserObject(g, x.object, 1u << 31));
  GIVES(hipErrorInvalidValue, hipGraphRetainUserObject(g, x.object, 1, 2));
  GIVES(hipErrorInvalidValue, hipGraphRetainUserObject(g, x.object, 2, hipGraphUserObjectMove));
  GIVES(hipErrorInvalidValue, hipGraphReleaseUserObject(g, y.object));  // it has none of this
  GIVES(hipErrorInvalidValue, hipGraphReleaseUserObject(nullptr, x.object));
  GIVES(hipErrorInvalidValue, hipGraphReleaseUserObject(g, nullptr));
  GIVES(hipErrorInvalidValue, hipGraphReleaseUserObject(g, x.object, 0));
  OK(hipUserObjectRelease(x.object));
  OK(hipUserObjectRelease(y.object));
  EXPECT(x.ended == 1 && y.ended == 1);
}
CASE(kept_by_copies_and_instances) {
  counted x;
  hipGraph_t g = nullptr, copy = nullptr;
  hipGraphExec_t e = nullptr;
  OK(hipGraphCreate(&g, 0));
  OK(hipGraphRetainUserObject(g, x.object, 1, hipGraphUserObjectMove));
  OK(hipGraphClone(&copy, g));
  OK(hipGraphDestroy(g));
  OK(hipGraphInstantiateWithFlags(&e, copy, 0));
  OK(hipGraphDestroy(copy));
  SAME(x.ended, 0);
  OK(hipGraphLaunch(e, nullptr));
  OK(hipGraphExecDestroy(e));
  OK(hipDeviceSynchronize());
  SAME(x.ended, 1);
}
CASE(kept_by_a_child) {
  counted x;
  own_graph parent;
  hipGraphNode_t node = nullptr;
  {
    own_graph child;
    OK(hipGraphRetainUserObject(child, x.object, 1, hipGraphUserObjectMove));
    OK(hipGraphAddChildGraphNode(&node, parent, nullptr, 0, child));
  }
  SAME(x.ended, 0);
  OK(hipGraphDestroyNode(node));
  SAME(x.ended, 1);
}
CASE(updated) {
  counted x, y;
  hipGraphExec_t e = nullptr;
  {
    own_graph g, other;
    OK(hipGraphRetainUserObject(g, x.object, 1, hipGraphUserObjectMove));
    OK(hipGraphRetainUserObject(other, y.object, 1, hipGraphUserObjectMove));
    OK(hipGraphInstantiateWithFlags(&e, g, 0));
    hipGraphNode_t where = nullptr;
    hipGraphExecUpdateResult how;
    OK(hipGraphExecUpdate(e, other, &where, &how));
  }
  EXPECT(x.ended == 1 && y.ended == 0);
  OK(hipGraphExecDestroy(e));
  SAME(y.ended, 1);
}
// An instance that goes while its work is in the stream keeps them until that is done.
CASE(kept_until_work_is_done) {
  counted x;
  const device_block<int> data(std::vector<int>(elements, 0));
  hipGraphExec_t e = nullptr;
  {
    own_graph g;
    hipGraphNode_t last = nullptr;
    for (int k = 0; k < 20; ++k)
      last = adding_node(g, data.get(), 1,
                         last == nullptr ? std::vector<hipGraphNode_t>{} : std::vector<hipGraphNode_t>{last});
    OK(hipGraphRetainUserObject(g, x.object, 1, hipGraphUserObjectMove));
    OK(hipGraphInstantiateWithFlags(&e, g, 0));
  }
  const own_stream s;
  OK(hipGraphLaunch(e, s));
  OK(hipGraphExecDestroy(e));
  OK(hipStreamSynchronize(s));
  OK(hipDeviceSynchronize());
  SAME(x.ended, 1);
  EXPECT(data.read() == std::vector<int>(elements, 20));
}
// Destructors may call HIP, and end other objects.
CASE(destructors_that_call) {
  static hipUserObject_t next;
  static int ended;
  ended = 0;
  counted x;
  next = x.object;
  hipUserObject_t first = nullptr;
  const auto end = [](void*) {
    ++ended;
    static_cast<void>(hipDeviceSynchronize());
    static_cast<void>(hipUserObjectRelease(next, 1));
  };
  OK(hipUserObjectCreate(&first, nullptr, end, 1, hipUserObjectNoDestructorSync));
  OK(hipUserObjectRelease(first));
  EXPECT(ended == 1 && x.ended == 1);
}
CASE(reset) {
  counted x;
  hipGraph_t g = nullptr;
  OK(hipGraphCreate(&g, 0));
  OK(hipGraphRetainUserObject(g, x.object, 1, hipGraphUserObjectMove));
  OK(hipDeviceReset());
  SAME(x.ended, 1);
}

}  // namespace
// SPDX-License-Identifier: Apache-2.0
