// SPDX-License-Identifier: Apache-2.0
// What a wavefront and its workgroup count of a context, status by status.
#include "models/context/wf_status.h"

#include <gtest/gtest.h>

#include "models/context/wf_context.h"

namespace pws::test::wf_status_test {
namespace {

using models::wf_status;

constexpr wf_status all[] = {wf_status::idle,    wf_status::running,   wf_status::waitcnt,
                             wf_status::barrier, wf_status::merge,     wf_status::draining,
                             wf_status::ended,   wf_status::suspended, wf_status::grid_barrier};

struct counts {
  uint32_t paths, running, at_barrier;
};
counts expected(wf_status s) {
  switch (s) {
    case wf_status::running:
    case wf_status::waitcnt:
    case wf_status::grid_barrier:  // barriers of its workgroup wait for it
      return {1, 1, 0};
    case wf_status::barrier:
      return {1, 1, 1};
    case wf_status::merge:
    case wf_status::suspended:
      return {0, 1, 0};  // others wait for it at barriers, but it cannot issue
    case wf_status::draining:
      return {1, 0, 0};  // barriers do not wait for it any more
    case wf_status::idle:
    case wf_status::ended:
      break;
  }
  return {0, 0, 0};
}

TEST(wf_status, every_change_is_counted) {
  for (const wf_status from : all)
    for (const wf_status to : all) {
      models::resident_workgroup group;
      models::wf_context c;
      c.group = &group;
      c.tree.root = &c;
      c.become(from);
      c.become(to);
      const counts e = expected(to);
      EXPECT_EQ(c.tree.paths, e.paths) << name_of(from) << " -> " << name_of(to);
      EXPECT_EQ(group.running, e.running) << name_of(from) << " -> " << name_of(to);
      EXPECT_EQ(group.at_barrier, e.at_barrier) << name_of(from) << " -> " << name_of(to);
    }
}

TEST(wf_status, an_swf_counts_for_its_root) {
  models::resident_workgroup group;
  models::wf_context root, swf;
  root.group = swf.group = &group;
  root.tree.root = swf.tree.root = &root;
  EXPECT_TRUE(swf.is_swf());
  EXPECT_FALSE(root.is_swf());
  root.become(wf_status::barrier);
  EXPECT_TRUE(group.barrier_complete());
  swf.become(wf_status::running);
  EXPECT_FALSE(group.barrier_complete());
  EXPECT_EQ(root.tree.paths, 2u);
  EXPECT_EQ(swf.tree.paths, 0u);
  swf.become(wf_status::draining);
  EXPECT_TRUE(group.barrier_complete());
  root.become(wf_status::draining);
  EXPECT_FALSE(group.barrier_complete()) << "nobody waits";
}

}  // namespace
}  // namespace pws::test::wf_status_test
