// SPDX-License-Identifier: Apache-2.0
// What orders two accesses, and what does not: atomics and messages by them, splits and merges.
#include "tests/check/races_fixture.h"

namespace pws::check::races_ordering_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using kind = race_access::kind;

using races_ordered_by_atomics = races_fixture;
using races_of_split_paths = races_fixture;

// ---- atomics

// A stores data and sets a flag; B waits for the flag and loads. What is left out in turn: the wait, the invalidation.
TEST_F(races_ordered_by_atomics, a_message) {
  for (const bool waits : {true, false})
    for (const bool invalidates : {true, false}) {
      races_.launch_begins();
      sink_ = {};
      const path_id a = lone(), b = lone();
      store(a, 0x10, 0x1000);
      if (waits) wait(a);
      atomic(a, 0x18, 0x2000);
      fetch(b, 0x20, 0x2000);
      if (invalidates) invalidate(b);
      load(b, 0x28, 0x1000);
      if (waits && invalidates)
        EXPECT_THAT(found(), IsEmpty());
      else
        EXPECT_THAT(found(), ElementsAre("race_read_write 28 10")) << waits << invalidates;
    }
}

TEST_F(races_ordered_by_atomics, a_message_by_a_store_that_is_polled_past_the_cache) {
  for (const bool waits : {true, false}) {
    races_.launch_begins();
    sink_ = {};
    const path_id a = lone(), b = lone();
    store(a, 0x10, 0x1000);
    if (waits) wait(a);
    poll(b, 0x20, 0x2000);
    store(a, 0x18, 0x2000);
    poll(b, 0x20, 0x2000);
    invalidate(b);
    load(b, 0x28, 0x1000);
    if (waits)
      EXPECT_THAT(found(), IsEmpty());
    else
      EXPECT_THAT(found(), ElementsAre("race_read_write 28 10"));
  }
}

TEST_F(races_ordered_by_atomics, what_follows_the_flag_is_not_in_the_message) {
  const path_id a = lone(), b = lone();
  store_and_tell(a);
  store(a, 0x1c, 0x1000);
  fetch(b, 0x20, 0x2000);
  invalidate(b);
  load(b, 0x28, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 28 1c"));
}

// What follows a release is not told with it, whatever it is and wherever: an atomic, which may be at the place itself.
TEST_F(races_ordered_by_atomics, an_atomic_behind_the_flag_is_not_in_the_message) {
  for (const uint64_t where : {0x2000u, 0x3000u})
    for (const bool returns : {true, false}) {
      races_.launch_begins();
      sink_ = {};
      const path_id a = lone(), b = lone(), c = lone();
      store_and_tell(a);
      fetch(b, 0x20, 0x2000);
      fence(b);
      if (returns)
        fetch(a, 0x1c, where);
      else
        atomic(a, 0x1c, where);
      load(b, 0x28, 0x1000);
      EXPECT_THAT(found(), IsEmpty());
      load(b, 0x2c, where);
      EXPECT_THAT(found(), ElementsAre("race_atomic_plain 2c 1c")) << where;
      fetch(c, 0x30, 0x2000);
      fence(c);
      load(c, 0x34, where);
      const bool at_the_flag = where == 0x2000;  // then the third has heard of it
      EXPECT_THAT(found(), ElementsAre("race_atomic_plain 2c 1c",
                                       at_the_flag ? "race_atomic_plain 30 2c" : "race_atomic_plain 34 1c"));
    }
}

TEST_F(races_ordered_by_atomics, an_atomic_behind_a_flag_in_lds_is_not_in_the_message) {
  const workgroup_id g = group();
  const path_id a = wave(g), b = wave(g, 1);
  lds_store(a, 0x10, 8);
  go(b, 0x20, kind::past_cache, 8, 4, 0, true);
  lds_atomic(a, 0x14, 16);
  lds_load(b, 0x24, 16);
  EXPECT_THAT(found(), ElementsAre("race_atomic_plain 24 14"));
}

// Who has waited for one of several that write the same has not waited for the others: theirs may come after the
// atomic.
TEST_F(races_ordered_by_atomics, an_atomic_behind_one_of_several_that_write_the_same) {
  for (const bool waited : {true, false}) {
    races_.launch_begins();
    sink_ = {};
    const path_id a = lone(), b = lone(), c = lone();
    if (waited) wait(a);  // then its store is for those who look
    store_value(a, 0x10, 0x1000, 1);
    store_value(b, 0x14, 0x1000, 1);
    wait(b);
    atomic(b, 0x18, 0x2000);
    fetch(c, 0x20, 0x2000);
    fence(c);
    fetch(c, 0x24, 0x1000);
    if (waited)
      EXPECT_THAT(found(), IsEmpty());
    else
      EXPECT_THAT(found(), ElementsAre("race_atomic_plain 24 10"));
  }
}

// Who polls in one launch says nothing of the stores of the next one.
TEST_F(races_ordered_by_atomics, what_was_polled_in_an_earlier_launch) {
  for (const bool again : {true, false}) {
    poll(lone(), 0x10, 0x2000);
    races_.launch_begins();
    sink_ = {};
    if (again) poll(lone(), 0x10, 0x2000);
    for (const path_id p : {lone(), lone()}) {
      wait(p);
      store(p, 0x20, 0x2000);
    }
    if (again)
      EXPECT_THAT(found(), IsEmpty());
    else
      EXPECT_THAT(found(), ElementsAre("race_write_write 20 20"));
  }
}

// What a path hears of later takes nothing back of what it had told: of a store, before it is split or comes to a
// barrier.
TEST_F(races_of_split_paths, a_store_before_the_split_tells_what_was_known_then) {
  const workgroup_id g = group();
  const path_id p = wave(g), mate = wave(g, 1), stranger = lone();
  store(stranger, 0x8, 0x1000);
  wait(stranger);
  atomic(stranger, 0xc, 0x2000);
  fetch(p, 0x10, 0x2000);
  store(p, 0x14, 0x3000);
  const path_id child = races_.who().forked(p, {});
  lds_load(child, 0x18, 0);
  races_.who().joined(p, child);
  poll(mate, 0x20, 0x3000);
  load(mate, 0x24, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_ordered_by_atomics, a_store_before_the_barrier_tells_what_was_known_then) {
  const workgroup_id g = group();
  const path_id a = wave(g), b = wave(g, 1), stranger = lone();
  for (const uint64_t k : {0u, 8u}) {
    store(stranger, 0x8, 0x1000 + k);
    wait(stranger);
    atomic(stranger, 0xc, 0x2000 + k);
  }
  fetch(a, 0x10, 0x2000);
  store(a, 0x14, 0x3000);
  fetch(b, 0x18, 0x2008);
  barrier(g);
  poll(b, 0x20, 0x3000);
  load(b, 0x24, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
  load(b, 0x28, 0x1008);  // nobody has invalidated the cache since that was heard of
  EXPECT_THAT(found(), ElementsAre("race_read_write 28 8"));
}

TEST_F(races_ordered_by_atomics, another_location_tells_nothing) {
  const path_id a = lone(), b = lone();
  store_and_tell(a);
  fetch(b, 0x20, 0x2004);
  invalidate(b);
  load(b, 0x28, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 28 10"));
}

TEST_F(races_ordered_by_atomics, an_atomic_whose_result_is_not_returned_learns_nothing) {
  const path_id a = lone(), b = lone();
  store_and_tell(a);
  atomic(b, 0x20, 0x2000);
  invalidate(b);
  load(b, 0x28, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 28 10"));
}

// Stores and loads past the cache meet in the second-level cache: no invalidation is needed.
TEST_F(races_ordered_by_atomics, a_write_after_the_message_needs_no_invalidation) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1000);
  load(a, 0x12, 0x1004);
  wait(a);
  atomic(a, 0x18, 0x2000);
  fetch(b, 0x20, 0x2000);
  store(b, 0x28, 0x1000);
  store(b, 0x2c, 0x1004);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_ordered_by_atomics, messages_are_passed_on) {
  const path_id a = lone(), b = lone(), c = lone();
  store_and_tell(a);
  fetch(b, 0x20, 0x2000);
  fence(b);
  atomic(b, 0x24, 0x3000);
  fetch(c, 0x30, 0x3000);
  fence(c);
  load(c, 0x34, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
}

// The last workgroup of a reduction adds up what the others have stored; each has several wavefronts, of which one
// counts.
TEST_F(races_ordered_by_atomics, the_last_workgroup) {
  for (const bool barrier_first : {true, false}) {
    races_.launch_begins();
    sink_ = {};
    for (int k = 0; k < 20; ++k) {
      const auto g = group();
      const path_id first = wave(g, 0), second = wave(g, 1);
      store(first, 0x10, 0x1000 + 8 * static_cast<uint64_t>(k));
      store(second, 0x10, 0x1004 + 8 * static_cast<uint64_t>(k));
      fence(first);
      fence(second);
      if (barrier_first) barrier(g);
      fetch(first, 0x20, 0x2000);
      lds_store(first, 0x24, 0);
      barrier(g);
      lds_load(second, 0x28, 0);
      if (k != 19) continue;
      fence(first);
      fence(second);
      for (uint64_t n = 0; n < 40; ++n) load(n % 2 == 0 ? first : second, 0x30, 0x1000 + 4 * n);
    }
    if (barrier_first)
      EXPECT_THAT(found(), IsEmpty());
    else
      EXPECT_THAT(found(), ElementsAre("race_read_write 30 10"));
  }
}

TEST_F(races_ordered_by_atomics, relaxed_counters_are_no_races) {
  std::vector<path_id> all;
  for (int k = 0; k < 200; ++k) all.push_back(lone());
  for (int round = 0; round < 3; ++round)
    for (const path_id p : all) {
      load(p, 0x10, 0x4000);
      atomic(p, 0x14, 0x2000 + p % 8 * 4);
      fetch(p, 0x18, 0x2040);
    }
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_ordered_by_atomics, a_histogram_one_of_whose_wavefronts_loads_adds_and_stores) {
  const path_id a = lone(), b = lone();
  atomic(a, 0x10, 0x2000);
  load(b, 0x20, 0x2000);
  wait(b);
  store(b, 0x24, 0x2000);
  atomic(a, 0x10, 0x2000);
  EXPECT_THAT(found(), testing::IsSupersetOf({"race_atomic_plain 20 10"}));
}

TEST_F(races_ordered_by_atomics, a_counter_that_is_set_while_others_count) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x2000);  // with no wait before: not a store that is meant as an atomic
  atomic(b, 0x20, 0x2000);
  EXPECT_THAT(found(), ElementsAre("race_atomic_plain 20 10"));
}

// A store that tells stands beside atomics that hear: a lock that is released. A sum that is set to 0 does not.
TEST_F(races_ordered_by_atomics, a_store_that_tells_and_atomics_that_do_not_look) {
  for (const bool looks : {true, false})
    for (const bool store_first : {true, false}) {
      races_.launch_begins();
      sink_ = {};
      const path_id a = lone(), b = lone();
      const auto update = [&] {
        if (looks)
          fetch(b, 0x20, 0x2000);
        else
          atomic(b, 0x20, 0x2000);
      };
      if (!store_first) update();
      wait(a);
      store(a, 0x10, 0x2000);
      if (store_first) update();
      const std::vector<std::string> one = {store_first ? "race_atomic_plain 20 10" : "race_atomic_plain 10 20"};
      EXPECT_EQ(found(), looks ? std::vector<std::string>() : one) << store_first;
    }
}
TEST_F(races_ordered_by_atomics, an_atomic_that_looks_is_no_excuse_for_one_before_it) {
  const path_id a = lone(), b = lone();
  atomic(b, 0x20, 0x2000);
  fetch(b, 0x24, 0x2000);
  wait(a);
  store(a, 0x10, 0x2000);
  EXPECT_THAT(found(), testing::SizeIs(1));
}

TEST_F(races_ordered_by_atomics, a_wait_for_some_operations_is_enough_if_the_plain_ones_are_among_them) {
  for (const uint32_t vmcnt : {1u, 2u}) {
    races_.launch_begins();
    sink_ = {};
    const path_id a = lone(), b = lone();
    store(a, 0x10, 0x1000);
    atomic(a, 0x14, 0x5000);
    races_.who().waited(a, vmcnt);
    atomic(a, 0x18, 0x2000);
    fetch(b, 0x20, 0x2000);
    invalidate(b);
    load(b, 0x28, 0x1000);
    if (vmcnt == 1)
      EXPECT_THAT(found(), IsEmpty());
    else
      EXPECT_THAT(found(), ElementsAre("race_read_write 28 10"));
  }
}

// ---- split wavefronts

TEST_F(races_of_split_paths, both_sides_touch_a_word) {
  const auto g = group();
  const path_id p = wave(g);
  lds_store(p, 0x10, 0);
  const path_id swf = races_.who().forked(p, {});
  lds_load(swf, 0x20, 0);  // what was before the split
  lds_store(swf, 0x24, 4);
  lds_store(p, 0x30, 8);
  races_.who().joined(p, swf);
  lds_load(p, 0x40, 4);
  EXPECT_THAT(found(), IsEmpty());
  const path_id again = races_.who().forked(p, {});
  lds_store(p, 0x50, 0);
  lds_load(again, 0x60, 0);
  EXPECT_THAT(found(), ElementsAre("race_read_write 60 50"));
  EXPECT_THAT(sink_.all[0].what, testing::HasSubstr("another path of the same wavefront"));
}

TEST_F(races_of_split_paths, what_the_parent_does_after_the_split_is_unknown_to_the_child) {
  const auto g = group();
  const path_id p = wave(g), one = races_.who().forked(p, {});
  lds_store(p, 0x10, 0);
  const path_id two = races_.who().forked(p, {});
  lds_load(two, 0x20, 0);
  EXPECT_THAT(found(), IsEmpty());
  lds_load(one, 0x30, 0);
  EXPECT_THAT(found(), ElementsAre("race_read_write 30 10"));
}

TEST_F(races_of_split_paths, siblings_race_also_where_the_places_are_used_again) {
  const auto g = group();
  const path_id p = wave(g);
  for (int k = 0; k < 1000; ++k) {
    const path_id a = races_.who().forked(p, {}), b = races_.who().forked(p, {});
    lds_store(a, 0x10, 0);
    lds_store(b, 0x20, 4);
    lds_store(p, 0x30, 8);
    races_.who().joined(p, b);
    races_.who().joined(p, a);
    lds_store(p, 0x40, 0);
    lds_store(p, 0x44, 4);
  }
  EXPECT_THAT(found(), IsEmpty());
  const path_id a = races_.who().forked(p, {}), b = races_.who().forked(p, {});
  lds_store(a, 0x10, 0);
  lds_store(b, 0x50, 0);
  EXPECT_THAT(found(), ElementsAre("race_write_write 50 10"));
}

TEST_F(races_of_split_paths, other_wavefronts_know_nothing_of_a_merge) {
  const auto g = group();
  const path_id p = wave(g, 0), q = wave(g, 1);
  const path_id swf = races_.who().forked(p, {});
  lds_store(swf, 0x10, 0);
  races_.who().joined(p, swf);
  lds_load(q, 0x20, 0);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
  barrier(g);
  lds_load(q, 0x24, 0);
  EXPECT_EQ(found().size(), 1u);
}

}  // namespace
}  // namespace pws::check::races_ordering_test
