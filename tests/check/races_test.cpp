// SPDX-License-Identifier: Apache-2.0
// Races, by sequences of events: which accesses are some, in LDS and in memory.
#include <fmt/format.h>

#include "tests/check/races_fixture.h"

namespace pws::check::races_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using races_in_lds = races_fixture;
using races_in_memory = races_fixture;

// ---- LDS

TEST_F(races_in_lds, two_wavefronts_write_a_word) {
  const auto g = group();
  const path_id a = wave(g, 0), b = wave(g, 1);
  lds_store(a, 0x10, 8);
  lds_store(b, 0x20, 8);
  ASSERT_THAT(found(), ElementsAre("race_write_write 20 10"));
  const finding& f = sink_.all[0];
  EXPECT_EQ(f.space, memory_space::lds);
  EXPECT_EQ(f.address, 8u);
  EXPECT_EQ(f.bytes, 4u);
  EXPECT_EQ(f.here.wave, 1);
  EXPECT_EQ(f.other->wave, 0);
  EXPECT_EQ(f.other->lanes, 1u);
  EXPECT_EQ(
      f.what,
      "4 bytes of LDS are written here and written by another wavefront of the workgroup, and nothing orders the two");
  EXPECT_THAT(f.mend, testing::HasSubstr("s_barrier"));
}

TEST_F(races_in_lds, one_reads_what_the_other_writes_in_either_order) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_load(a, 0x10, 0);
  lds_store(b, 0x20, 0);
  lds_store(a, 0x30, 64);
  lds_load(b, 0x40, 64);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_read_write 40 30"));
}

TEST_F(races_in_lds, the_barrier_orders) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  for (int k = 0; k < 3; ++k) {
    lds_store(a, 0x10, 0);
    barrier(g);
    lds_load(b, 0x20, 0);
    barrier(g);
    lds_store(b, 0x30, 0);
    barrier(g);
  }
  EXPECT_THAT(found(), IsEmpty());
  lds_load(a, 0x40, 0);
  EXPECT_THAT(found(), IsEmpty());
  lds_store(b, 0x50, 0);  // after that load, with no barrier between
  EXPECT_THAT(found(), ElementsAre("race_read_write 50 40"));
}

TEST_F(races_in_lds, a_barrier_of_another_workgroup_orders_nothing) {
  const auto g = group(), h = group();
  const path_id a = wave(g), b = wave(g);
  wave(h);
  lds_store(a, 0x10, 0);
  barrier(h);
  lds_load(b, 0x20, 0);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
}

TEST_F(races_in_lds, a_wavefront_that_has_ended_still_races_until_the_barrier) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_store(a, 0x10, 0);
  lds_store(a, 0x14, 4);
  races_.who().ended(a);
  lds_load(b, 0x20, 0);
  barrier(g);
  lds_load(b, 0x24, 4);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
}

TEST_F(races_in_lds, reading_together_is_no_race) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g), c = wave(g);
  for (const path_id p : {a, b, c, a, b, c}) lds_load(p, 0x10, 0);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_in_lds, each_workgroup_has_its_own) {
  const auto g = group(), h = group();
  lds_store(wave(g), 0x10, 0);
  lds_store(wave(h), 0x10, 0);
  races_.workgroup_ended(g);
  const auto again = group();  // in the place of g
  const path_id a = wave(again), b = wave(again);
  lds_load(a, 0x20, 0);
  lds_load(b, 0x20, 0);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_in_lds, atomics_do_not_race_with_each_other) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_atomic(a, 0x10, 0);
  lds_atomic(b, 0x10, 0);
  lds_atomic(a, 0x10, 0);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_in_lds, atomics_race_with_reads_and_writes) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g), c = wave(g);
  lds_store(a, 0x10, 0);
  lds_atomic(b, 0x20, 0);
  lds_load(c, 0x30, 0);
  EXPECT_THAT(found(), testing::UnorderedElementsAre("race_atomic_plain 20 10", "race_read_write 30 10",
                                                     "race_atomic_plain 30 20"));
}

TEST_F(races_in_lds, a_counter_is_set_and_read_with_barriers_around_the_atomics) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  for (int k = 0; k < 40; ++k) {
    lds_store(a, 0x10, 0);
    barrier(g);
    lds_atomic(a, 0x20, 0);
    lds_atomic(b, 0x20, 0);
    barrier(g);
    lds_load(b, 0x30, 0);
    barrier(g);
  }
  EXPECT_THAT(found(), IsEmpty());
}

// ---- memory

TEST_F(races_in_memory, workgroups_are_not_ordered) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1000);
  races_.who().ended(a);
  store(b, 0x20, 0x1000);
  ASSERT_THAT(found(), ElementsAre("race_write_write 20 10"));
  EXPECT_THAT(sink_.all[0].what, testing::HasSubstr("by another workgroup"));
  EXPECT_EQ(sink_.all[0].space, memory_space::global);
}

TEST_F(races_in_memory, launches_are_ordered) {
  store(lone(), 0x10, 0x1000);
  atomic(lone(), 0x14, 0x2000);
  load(lone(), 0x18, 0x3000);
  races_.launch_begins();
  const path_id b = lone();
  load(b, 0x20, 0x1000);
  store(b, 0x24, 0x1000);
  store(b, 0x28, 0x2000);
  store(b, 0x2c, 0x3000);
  EXPECT_THAT(found(), IsEmpty());
  load(lone(), 0x30, 0x3000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 30 2c"));
}

TEST_F(races_in_memory, a_wavefront_does_not_race_with_itself) {
  const path_id a = lone();
  for (int k = 0; k < 3; ++k) {
    store(a, 0x10, 0x1000);
    load(a, 0x14, 0x1000);
    atomic(a, 0x18, 0x1000);
    wait(a);
  }
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_in_memory, the_same_two_instructions_are_one_finding_with_a_count) {
  const path_id a = lone(), b = lone();
  for (uint64_t k = 0; k < 10; ++k) store(a, 0x10, 0x1000 + 4 * k);
  for (uint64_t k = 0; k < 10; ++k) store(b, 0x20, 0x1000 + 4 * k);
  EXPECT_EQ(sink_.all.size(), 1u);
  EXPECT_EQ(sink_.count, 10u);
}

TEST_F(races_in_memory, hundreds_of_workgroups_read_a_byte_and_one_writes_it) {
  std::vector<path_id> readers;
  for (int k = 0; k < 700; ++k) {
    readers.push_back(lone());
    for (int n = 0; n < 100; ++n) load(readers.back(), 0x10, 0x1001, 1);
  }
  for (const path_id p : readers) load(p, 0x10, 0x1001, 1);
  EXPECT_THAT(found(), IsEmpty());
  store(lone(), 0x20, 0x1002, 1);
  EXPECT_THAT(found(), IsEmpty());
  store(lone(), 0x20, 0x1001, 1);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
}

// Only what is known of every one of them makes the write right.
TEST_F(races_in_memory, one_reader_of_hundreds_has_not_released) {
  for (const bool all : {true, false}) {
    races_.launch_begins();
    for (int k = 0; k < 300; ++k) {
      const path_id p = lone();
      load(p, 0x10, 0x1000);
      wait(p);
      if (all || k != 117) atomic(p, 0x18, 0x2000);
    }
    const path_id writer = lone();
    fetch(writer, 0x20, 0x2000);
    fence(writer);
    store(writer, 0x24, 0x1000);
    if (all) {
      EXPECT_THAT(found(), IsEmpty());
    }
  }
  EXPECT_THAT(found(), ElementsAre("race_read_write 24 10"));
}

TEST_F(races_in_memory, more_accesses_of_a_byte_than_a_counter_of_16_bits_has) {
  const path_id a = lone(), b = lone();
  for (int k = 0; k < 70'000; ++k) {
    atomic(a, 0x10, 0x1000);
    load(a, 0x14, 0x2000);
    atomic(b, 0x10, 0x1000);
    load(b, 0x14, 0x2000);
  }
  EXPECT_THAT(found(), IsEmpty());
  store(a, 0x20, 0x2000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 14"));
}

TEST_F(races_in_memory, at_the_end_of_the_address_space_and_over_a_page) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, ~uint64_t{0} - 3);
  load(b, 0x20, ~uint64_t{0}, 1);
  store(a, 0x30, 0x1ffe);
  load(b, 0x40, 0x2001, 1);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_read_write 40 30"));
}

// ---- the same value

TEST_F(races_in_memory, all_write_the_same_and_nobody_reads) {
  for (int k = 0; k < 50; ++k) store_value(lone(), 0x10, 0x1000, 1);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_in_memory, one_of_many_writes_something_else) {
  const path_id first = lone();
  store_value(first, 0x10, 0x1000, 1);
  store_value(lone(), 0x14, 0x1000, 1);
  const path_id last = lone();
  store_value(last, 0x18, 0x1000, 2);
  EXPECT_THAT(found(), ElementsAre("race_write_write 18 14", "race_write_write 18 10"));
}

TEST_F(races_in_memory, one_reads_what_all_write) {
  const path_id a = lone(), b = lone();
  store_value(a, 0x10, 0x1000, 1);
  store_value(b, 0x10, 0x1000, 1);
  load(a, 0x20, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
}

// Each store is compared with one access of each instruction that it meets, however many there were before: otherwise
// a flag that a hundred thousand workgroups raise takes the square of that.
TEST_F(races_in_memory, many_write_the_same) {
  for (const uint64_t n : {1000u, 8000u}) {
    races_.launch_begins();
    const uint64_t before = races_.visited();
    for (uint64_t k = 0; k < n; ++k) store_value(lone(), 0x10, 0x1000, 1);
    EXPECT_LE(races_.visited() - before, 2 * n) << n;
  }
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_in_memory, many_read_a_word_and_write_the_same) {
  constexpr uint64_t n = 5000;
  std::vector<path_id> all;
  store_value(lone(), 0x20, 0x1000, 1);
  for (uint64_t k = 0; k < n; ++k) {
    all.push_back(lone());
    load(all.back(), k % 2 != 0 ? 0x10 : 0x14, 0x1000);
  }
  for (uint64_t k = 0; k < n; ++k) store_value(all[k], k % 3 != 0 ? 0x20 : 0x24, 0x1000, 1);
  EXPECT_LE(races_.visited(), 6 * n);
  EXPECT_THAT(found(),
              testing::UnorderedElementsAre("race_read_write 10 20", "race_read_write 14 20", "race_read_write 20 10",
                                            "race_read_write 20 14", "race_read_write 24 10", "race_read_write 24 14"));
}

// ... and what it is compared with is all that there is: the one of another instruction, the one that is not over.
TEST_F(races_in_memory, one_among_many_that_write_the_same) {
  for (const uint64_t odd : {1u, 40u, 99u}) {
    races_.launch_begins();
    sink_ = {};
    for (uint64_t k = 0; k < 100; ++k) {
      const path_id p = lone();
      if (k == odd) load(p, 0x30, 0x1000 + 0x1000 * odd);
      store_value(p, 0x10, 0x1000 + 0x1000 * odd, 1);
    }
    sink_ = {};
    store_value(lone(), 0x20, 0x1000 + 0x1000 * odd, 2);
    EXPECT_THAT(found(), testing::UnorderedElementsAre("race_write_write 20 10", "race_read_write 20 30")) << odd;
  }
}

TEST_F(races_in_memory, an_atomic_behind_many_that_write_the_same_and_one_that_reads) {
  constexpr uint64_t n = 3000;
  store_value(lone(), 0x10, 0x1000, 1);
  load(lone(), 0x30, 0x1000);
  for (uint64_t k = 0; k < n; ++k) store_value(lone(), 0x10, 0x1000, 1);
  const uint64_t before = races_.visited();
  sink_ = {};
  atomic(lone(), 0x20, 0x1000);
  EXPECT_THAT(found(), testing::UnorderedElementsAre("race_atomic_plain 20 10", "race_atomic_plain 20 30"));
  for (uint64_t k = 0; k < 10; ++k) atomic(lone(), 0x20, 0x1000);
  EXPECT_LE(races_.visited() - before, 3 * 11);
}

// Several reads of one path at one time: each word is named with the instruction that has read it.
TEST_F(races_in_memory, findings_name_the_instruction_that_has_read_the_word) {
  const path_id a = lone(), b = lone();
  load(a, 0x10, 0x1000);
  load(a, 0x14, 0x2000);
  store(b, 0x20, 0x2000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 14"));
}

}  // namespace
}  // namespace pws::check::races_test
