// SPDX-License-Identifier: Apache-2.0
// Locks, in memory and in LDS: what they order, and what looks like one and is none.
#include "tests/check/races_fixture.h"

namespace pws::check::races_locks_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using races_of_locks = races_fixture;

// Lock and unlock as compilers make them: a compare and swap that is tried until it succeeds, a store or an exchange.
TEST_F(races_of_locks, spin_locks) {
  for (const bool by_store : {true, false})
    for (const bool fenced : {true, false}) {
      races_.launch_begins();
      sink_ = {};
      std::vector<path_id> all;
      for (int k = 0; k < 6; ++k) all.push_back(lone());
      for (int round = 0; round < 5; ++round)
        for (const path_id p : all) {
          for (const path_id q : all)
            if (q != p) fetch(q, 0x10, 0x2000);
          fetch(p, 0x10, 0x2000);
          fence(p);
          load(p, 0x20, 0x1000);
          store(p, 0x24, 0x1000);
          if (fenced) fence(p);
          if (by_store)
            store(p, 0x30, 0x2000);
          else
            atomic(p, 0x30, 0x2000);
        }
      if (fenced)
        EXPECT_THAT(found(), IsEmpty()) << by_store;
      else
        EXPECT_THAT(found(), testing::Contains("race_read_write 20 24")) << by_store;
    }
}

// An atomic of a mate that has been seen orders: LDS serves a compute unit in order.
TEST_F(races_of_locks, a_lock_in_lds) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_atomic(a, 0x10, 0);
  lds_store(a, 0x14, 64);
  lds_atomic(a, 0x18, 0);
  lds_atomic(b, 0x10, 0);
  lds_load(b, 0x12, 64);
  lds_store(b, 0x14, 64);
  lds_atomic(b, 0x18, 0);
  lds_atomic(a, 0x10, 0);
  lds_store(a, 0x14, 64);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_of_locks, a_lock_that_the_other_does_not_take) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_atomic(a, 0x10, 0);
  lds_store(a, 0x14, 64);
  lds_atomic(a, 0x18, 0);
  lds_store(b, 0x20, 64);
  EXPECT_THAT(found(), ElementsAre("race_write_write 20 14"));
}

// In LDS neither waits nor fences are needed. A number that is drawn is no lock.
TEST_F(races_of_locks, spin_locks_in_lds) {
  for (const bool takes : {true, false}) {
    races_.launch_begins();
    sink_ = {};
    const auto try_it = [&](path_id p) { takes ? lds_exchange(p, 0x10, 8) : lds_atomic(p, 0x10, 8); };
    const workgroup_id g = group();
    const path_id all[] = {wave(g), wave(g, 1), wave(g, 2)};
    for (int round = 0; round < 3; ++round)
      for (const path_id p : all) {
        for (const path_id q : all)
          if (q != p) try_it(q);
        try_it(p);
        lds_load(p, 0x20, 16);
        lds_store(p, 0x24, 16);
        lds_store(p, 0x30, 8);
      }
    if (takes)
      EXPECT_THAT(found(), IsEmpty());
    else
      EXPECT_THAT(found(), ElementsAre("race_atomic_plain 10 30"));
  }
}

TEST_F(races_of_locks, what_follows_the_release_of_a_lock_in_lds) {
  const workgroup_id g = group();
  const path_id a = wave(g), b = wave(g, 1);
  lds_exchange(a, 0x10, 8);
  lds_store(a, 0x20, 16);
  lds_store(a, 0x30, 8);
  lds_store(a, 0x34, 20);
  lds_exchange(b, 0x10, 8);
  lds_store(b, 0x40, 16);
  lds_store(b, 0x44, 20);
  EXPECT_THAT(found(), ElementsAre("race_write_write 44 34"));
}

TEST_F(races_of_locks, a_lock_in_lds_that_another_sets) {
  for (const bool first : {true, false}) {
    const workgroup_id g = group();
    const path_id a = wave(g), b = wave(g, 1);
    sink_ = {};
    if (!first) lds_exchange(b, 0x10, 8);
    lds_store(a, 0x20, 8);
    if (first) lds_exchange(b, 0x10, 8);
    EXPECT_THAT(found(), ElementsAre(first ? "race_atomic_plain 10 20" : "race_atomic_plain 20 10"));
  }
}

// What was taken before a barrier says nothing of what follows it.
TEST_F(races_of_locks, a_lock_in_lds_and_a_barrier) {
  const workgroup_id g = group();
  const path_id a = wave(g), b = wave(g, 1);
  lds_exchange(a, 0x10, 8);
  barrier(g);
  lds_exchange(b, 0x10, 8);
  lds_store(a, 0x20, 8);
  EXPECT_THAT(found(), ElementsAre("race_atomic_plain 20 10"));
}

}  // namespace
}  // namespace pws::check::races_locks_test
