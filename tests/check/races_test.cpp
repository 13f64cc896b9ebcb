// Races, by sequences of events: each rule and each thing that orders, with and without it.
#include "models/check/races/races.h"

#include <gmock/gmock.h>

#include "tests/check/collected.h"

namespace pws::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using kind = race_access::kind;

class a_machine : public testing::Test {
 protected:
  a_machine() { races_.launch_begins(); }

  workgroup_id group() { return races_.workgroup_started(65536); }
  path_id wave(workgroup_id g, uint16_t number = 0) {
    site s;
    s.workgroup = g;
    s.wave = number;
    s.launch = 1;
    return races_.who().started(g, s);
  }
  // A wavefront of a workgroup of its own.
  path_id lone() { return wave(group()); }

  // One lane.
  void go(path_id p, uint64_t pc, kind k, uint64_t address, uint32_t bytes = 4, uint32_t value = 0, bool lds = false) {
    uint64_t at[64] = {address};
    uint32_t data[16][64] = {};
    data[0][0] = value;
    race_access a;
    a.does = k;
    a.in_lds = lds;
    a.counts_for_vmcnt = !lds;
    a.bytes = bytes;
    a.pc = pc;
    a.mask = 1;
    a.address = at;
    a.data = k == kind::store ? data : nullptr;
    races_.access(p, a);
  }
  void load(path_id p, uint64_t pc, uint64_t address, uint32_t bytes = 4) { go(p, pc, kind::load, address, bytes); }
  // What is stored differs from one to the next, unless it is given.
  void store(path_id p, uint64_t pc, uint64_t address, uint32_t bytes = 4) {
    go(p, pc, kind::store, address, bytes, 0x01010101 * (++value_ & 0xff));
  }
  void store_value(path_id p, uint64_t pc, uint64_t address, uint32_t value) {
    go(p, pc, kind::store, address, 4, value);
  }
  void poll(path_id p, uint64_t pc, uint64_t address) { go(p, pc, kind::past_cache, address); }
  void atomic(path_id p, uint64_t pc, uint64_t address) { go(p, pc, kind::atomic, address); }
  void fetch(path_id p, uint64_t pc, uint64_t address) { go(p, pc, kind::returning_atomic, address); }
  void lds_load(path_id p, uint64_t pc, uint64_t at, uint32_t bytes = 4) { go(p, pc, kind::load, at, bytes, 0, true); }
  void lds_store(path_id p, uint64_t pc, uint64_t at, uint32_t bytes = 4) {
    go(p, pc, kind::store, at, bytes, 0x01010101 * (++value_ & 0xff), true);
  }
  void lds_atomic(path_id p, uint64_t pc, uint64_t at) { go(p, pc, kind::returning_atomic, at, 4, 0, true); }
  void wait(path_id p) { races_.who().waited(p, 0); }
  void invalidate(path_id p) { races_.who().invalidated(p); }
  void barrier(workgroup_id g) { races_.who().barrier(g); }
  // What clang makes of __threadfence().
  void fence(path_id p) {
    wait(p);
    invalidate(p);
  }
  std::vector<std::string> found() const { return sink_.places(); }

  collected sink_;
  races races_{sink_};
  uint32_t value_ = 0;
};

using races_in_lds = a_machine;
using races_in_memory = a_machine;
using races_ordered_by_atomics = a_machine;
using races_of_split_paths = a_machine;
using races_of_lanes = a_machine;
using races_of_parts = a_machine;

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

// An atomic of a mate that has been seen orders: LDS serves a compute unit in order.
TEST_F(races_in_lds, a_lock_in_lds) {
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

TEST_F(races_in_lds, a_lock_that_the_other_does_not_take) {
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_atomic(a, 0x10, 0);
  lds_store(a, 0x14, 64);
  lds_atomic(a, 0x18, 0);
  lds_store(b, 0x20, 64);
  EXPECT_THAT(found(), ElementsAre("race_write_write 20 14"));
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

// ---- parts of dwords

TEST_F(races_of_parts, neighbouring_bytes_do_not_race) {
  const path_id a = lone(), b = lone(), c = lone(), d = lone();
  store(a, 0x10, 0x1000, 1);
  store(b, 0x14, 0x1001, 1);
  store(c, 0x18, 0x1002, 2);
  EXPECT_THAT(found(), IsEmpty());
  load(d, 0x20, 0x1000, 4);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_read_write 20 14", "race_read_write 20 18"));
}

TEST_F(races_of_parts, a_byte_of_a_dword_that_was_written_whole) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1000);
  store(b, 0x14, 0x1003, 1);
  EXPECT_THAT(found(), ElementsAre("race_write_write 14 10"));
  EXPECT_EQ(sink_.all[0].address, 0x1003u);
  EXPECT_EQ(sink_.all[0].bytes, 1u);
}

TEST_F(races_of_parts, unaligned_accesses) {
  const path_id a = lone(), b = lone(), c = lone();
  store(a, 0x10, 0x1002, 4);
  load(b, 0x14, 0x1000, 2);
  load(b, 0x18, 0x1006, 2);
  EXPECT_THAT(found(), IsEmpty());
  load(c, 0x1c, 0x1005, 1);
  EXPECT_THAT(found(), ElementsAre("race_read_write 1c 10"));
}

TEST_F(races_of_parts, the_same_value_byte_by_byte) {
  const path_id a = lone(), b = lone(), c = lone();
  go(a, 0x10, kind::store, 0x1000, 4, 0x04030201);
  go(b, 0x14, kind::store, 0x1001, 1, 0x02);
  EXPECT_THAT(found(), IsEmpty());
  go(c, 0x18, kind::store, 0x1002, 1, 0x02);
  EXPECT_THAT(found(), ElementsAre("race_write_write 18 10"));
}

// ---- lanes of one instruction

TEST_F(races_of_lanes, write_different_values_to_one_byte) {
  uint64_t at[64];
  uint32_t data[1][64];
  race_access a;
  a.does = kind::store;
  a.bytes = 4;
  a.pc = 0x10;
  a.mask = 0xff;
  a.address = at;
  a.data = data;
  for (uint64_t l = 0; l < 64; ++l) {
    at[l] = 0x1000 + 4 * (l % 4);
    data[0][l] = 7;
  }
  const path_id p = lone();
  races_.access(p, a);
  EXPECT_THAT(found(), IsEmpty());
  data[0][6] = 8;
  a.pc = 0x14;
  races_.access(p, a);
  ASSERT_THAT(found(), ElementsAre("same_instruction_write_write 14 14"));
  EXPECT_EQ(sink_.all[0].here.lanes, uint64_t{1} << 6);
  EXPECT_EQ(sink_.all[0].other->lanes, uint64_t{1} << 2);
  EXPECT_EQ(sink_.all[0].address, 0x1008u);
}

TEST_F(races_of_lanes, in_a_loop_each_lane_writes_where_another_did_before) {
  uint64_t at[64];
  uint32_t data[1][64];
  race_access a;
  a.does = kind::store;
  a.bytes = 4;
  a.pc = 0x10;
  a.mask = ~uint64_t{0};
  a.address = at;
  a.data = data;
  const path_id p = lone();
  for (uint32_t k = 0; k < 8; ++k) {
    for (uint32_t l = 0; l < 64; ++l) {
      at[l] = 0x1000 + 4 * ((l + k) % 64);
      data[0][l] = 64 * k + l;
    }
    races_.access(p, a);
  }
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(races_of_lanes, that_overlap_without_the_same_address) {
  uint64_t at[64] = {0x1000, 0x1003};
  uint32_t data[1][64] = {{0x04030201, 0x07060504}};
  race_access a;
  a.does = kind::store;
  a.bytes = 4;
  a.pc = 0x10;
  a.mask = 3;
  a.address = at;
  a.data = data;
  const path_id p = lone();
  races_.access(p, a);
  EXPECT_THAT(found(), IsEmpty());  // the byte that both write gets 4 from both
  data[0][1] = 5;
  races_.access(p, a);
  EXPECT_THAT(found(), ElementsAre("same_instruction_write_write 10 10"));
}

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
  store(a, 0x10, 0x1000);
  wait(a);
  atomic(a, 0x18, 0x2000);
  store(a, 0x1c, 0x1000);
  fetch(b, 0x20, 0x2000);
  invalidate(b);
  load(b, 0x28, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 28 1c"));
}

TEST_F(races_ordered_by_atomics, another_location_tells_nothing) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1000);
  wait(a);
  atomic(a, 0x18, 0x2000);
  fetch(b, 0x20, 0x2004);
  invalidate(b);
  load(b, 0x28, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 28 10"));
}

TEST_F(races_ordered_by_atomics, an_atomic_whose_result_is_not_returned_learns_nothing) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, 0x1000);
  wait(a);
  atomic(a, 0x18, 0x2000);
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
  store(a, 0x10, 0x1000);
  wait(a);
  atomic(a, 0x18, 0x2000);
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

// Lock and unlock as compilers make them: a compare and swap that is tried until it succeeds, a store or an exchange.
TEST_F(races_ordered_by_atomics, spin_locks) {
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
}  // namespace pws::check
