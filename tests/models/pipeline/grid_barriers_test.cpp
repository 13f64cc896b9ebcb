// SPDX-License-Identifier: Apache-2.0
// Barriers of the grid: who waits for whom, until when.
#include "models/compute_unit/grid_barriers.h"

#include <gmock/gmock.h>

#include "base/error.h"

namespace pws::test::grid_barriers_test {
namespace {

using models::grid_barriers;
using models::wf_context;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct unit final : grid_barriers::participant {
  std::vector<std::pair<const wf_context*, models::cycle_t>> passed;
  void grid_barrier_passed(wf_context& c, models::cycle_t at) override { passed.emplace_back(&c, at); }
};

struct launch {
  models::dispatch d;
  models::resident_workgroup group;
  wf_context wave[3];
  explicit launch(bool cooperative = true) {
    d.packet.cooperative = cooperative ? 1 : 0;
    group.launch.of = &d;
    for (wf_context& w : wave) w.group = &group;
  }
};

TEST(grid_barriers, the_last_lets_all_go_on_after_the_latest) {
  grid_barriers b;
  unit here, there;
  launch l;
  b.arrive(here, l.wave[0], 2, 100, 7);
  b.arrive(there, l.wave[1], 2, 130, 7);
  EXPECT_THAT(here.passed, IsEmpty());
  EXPECT_THAT(there.passed, IsEmpty());
  b.arrive(here, l.wave[2], 2, 110, 7);  // the last call need not be the latest arrival
  EXPECT_THAT(here.passed, ElementsAre(Pair(&l.wave[0], 137), Pair(&l.wave[2], 137)));
  EXPECT_THAT(there.passed, ElementsAre(Pair(&l.wave[1], 137)));
}

TEST(grid_barriers, one_alone_waits_for_nobody) {
  grid_barriers b;
  unit u;
  launch l;
  b.arrive(u, l.wave[0], 0, 5, 0);
  EXPECT_THAT(u.passed, ElementsAre(Pair(&l.wave[0], 5)));
}

TEST(grid_barriers, again_and_again) {
  grid_barriers b;
  unit u;
  launch l;
  for (models::cycle_t at = 10; at < 50; at += 10) {
    u.passed.clear();
    b.arrive(u, l.wave[0], 1, at, 1);
    EXPECT_THAT(u.passed, IsEmpty());
    b.arrive(u, l.wave[1], 1, at + 1, 1);
    EXPECT_THAT(u.passed, ElementsAre(Pair(&l.wave[0], at + 2), Pair(&l.wave[1], at + 2)));
  }
}

TEST(grid_barriers, launches_do_not_wait_for_each_other) {
  grid_barriers b;
  unit u;
  launch one, other;
  b.arrive(u, one.wave[0], 1, 1, 0);
  b.arrive(u, other.wave[0], 1, 2, 0);
  EXPECT_THAT(u.passed, IsEmpty());
  b.arrive(u, one.wave[1], 1, 3, 0);
  EXPECT_THAT(u.passed, ElementsAre(Pair(&one.wave[0], 3), Pair(&one.wave[1], 3)));
}

TEST(grid_barriers, what_has_ended_is_forgotten) {
  grid_barriers b;
  unit u;
  launch l;
  b.arrive(u, l.wave[0], 1, 1, 0);
  b.forget(l.d);
  b.arrive(u, l.wave[1], 1, 2, 0);
  EXPECT_THAT(u.passed, IsEmpty());
}

TEST(grid_barriers, launches_that_are_not_cooperative_have_none) {
  grid_barriers b;
  unit u;
  launch l(false);
  EXPECT_THROW(b.arrive(u, l.wave[0], 0, 1, 0), program_error);
}

}  // namespace
}  // namespace pws::test::grid_barriers_test
