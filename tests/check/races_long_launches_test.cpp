// SPDX-License-Identifier: Apache-2.0
// Races: what is kept in long launches, and that it is enough.
#include "tests/check/races_fixture.h"

namespace pws::check::races_long_launches_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class races_of_long_launches : public races_fixture {
 protected:
  races_of_long_launches() : races_fixture(100) {}
  // Wavefronts that read a word and write it: a set each, which nobody has any more.
  void pass_time(unsigned wavefronts) {
    for (unsigned k = 0; k < wavefronts; ++k) {
      const path_id p = lone();
      load(p, 0x100, next_);
      store(p, 0x104, next_);
      next_ += 4;
    }
  }
  uint64_t next_ = 0x100000;
};

TEST_F(races_of_long_launches, what_no_byte_has_any_more_is_taken_out) {
  const path_id reader = lone();
  load(reader, 0x10, 0x1000);
  atomic(lone(), 0x14, 0x2000);
  pass_time(5000);
  EXPECT_LT(races_.kept(), 1000u);
  EXPECT_THAT(found(), IsEmpty());
  const path_id other = lone();
  store(other, 0x20, 0x1000);
  load(other, 0x24, 0x2000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_atomic_plain 24 14"));
}

TEST_F(races_of_long_launches, readers_by_several_instructions_stay_known) {
  for (uint64_t k = 0; k < 6; ++k) load(lone(), 0x10 + 4 * (k % 3), 0x1000);
  pass_time(5000);
  EXPECT_LT(races_.kept(), 1000u);
  load(lone(), 0x14, 0x1000);
  store(lone(), 0x20, 0x1000);
  EXPECT_THAT(found(),
              testing::UnorderedElementsAre("race_read_write 20 10", "race_read_write 20 14", "race_read_write 20 18"));
}

TEST_F(races_of_long_launches, workgroups_keep_what_is_in_their_lds) {
  const auto before = group();
  lds_load(wave(before), 0x8, 0);
  races_.workgroup_ended(before);
  const auto g = group();
  const path_id a = wave(g), b = wave(g);
  lds_load(a, 0x10, 0);
  lds_atomic(a, 0x14, 4);
  pass_time(1000);
  lds_store(b, 0x20, 0);
  lds_store(b, 0x24, 4);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10", "race_atomic_plain 24 14"));
  races_.workgroup_ended(g);
  const auto h = group();
  const path_id c = wave(h);
  lds_store(c, 0x30, 0);
  lds_store(c, 0x34, 4);
  EXPECT_EQ(found().size(), 2u);
}

// Without a barrier: what each word's readers are stays known, and no more.
TEST_F(races_of_long_launches, lds_that_is_read_again_and_again) {
  const auto g = group();
  std::vector<path_id> readers;
  for (unsigned k = 0; k < 16; ++k) readers.push_back(wave(g));
  for (unsigned round = 0; round < 500; ++round)
    for (const path_id p : readers) {
      lds_load(p, 0x10, 0x100);
      lds_atomic(p, 0x14, 0x200 + 4 * p);  // a new time begins
    }
  EXPECT_LT(races_.kept(), 1000u);
  const path_id other = wave(g);
  lds_store(other, 0x20, 0x100);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
}

TEST_F(races_of_long_launches, readers_of_lds_are_forgotten_at_barriers_and_ends) {
  const auto g = group(), h = group();
  const path_id a = wave(g), b = wave(g), c = wave(h);
  for (unsigned k = 0; k < 20; ++k) {
    lds_load(a, 0x10 + 4 * k, 4 * k);
    lds_load(c, 0x10 + 4 * k, 4 * k);
  }
  EXPECT_EQ(races_.kept(), 40u);
  barrier(g);
  EXPECT_EQ(races_.kept(), 20u);
  lds_store(b, 0x100, 0);
  EXPECT_THAT(found(), IsEmpty());
  races_.workgroup_ended(h);
  EXPECT_EQ(races_.kept(), 0u);
  lds_load(a, 0x104, 4);
  lds_store(b, 0x108, 4);
  EXPECT_THAT(found(), ElementsAre("race_read_write 108 104"));
}

TEST_F(races_of_long_launches, many_read_a_word_again_and_again) {
  std::vector<path_id> readers;
  for (unsigned k = 0; k < 40; ++k) readers.push_back(lone());
  for (unsigned round = 0; round < 500; ++round)
    for (const path_id p : readers) {
      load(p, 0x10, 0x1000);
      atomic(p, 0x14, 0x2000 + 4 * p);  // a new time begins
    }
  EXPECT_LT(races_.kept(), 1000u);
  store(lone(), 0x20, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 20 10"));
}

// Two that hear of each other again and again: what they knew is kept as long as somebody can learn of it, and no
// longer.
class races_of_long_polls : public races_of_long_launches {
 protected:
  void talk(path_id a, path_id b, unsigned rounds) {
    for (unsigned k = 0; k < rounds; ++k)
      for (const path_id p : {a, b}) {
        wait(p);
        fetch(p, 0x200, 0x8000);
        load(p, 0x204, 0x9000);
      }
  }
};

TEST_F(races_of_long_polls, what_was_known_is_forgotten_when_nobody_can_hear_of_it) {
  const path_id stranger = lone(), a = lone(), b = lone(), listener = lone(), late = lone();
  store(stranger, 0x10, 0x1000);
  wait(stranger);
  atomic(stranger, 0x14, 0x2000);
  fetch(a, 0x20, 0x2000);
  wait(a);
  store(a, 0x24, 0x3000);  // tells of what it has heard so far
  fetch(b, 0x28, 0x2000);
  talk(a, b, 50'000);
  EXPECT_LT(races_.kept_versions(), 200u);
  EXPECT_LT(races_.kept(), 1000u);
  poll(listener, 0x30, 0x3000);
  fence(listener);
  load(listener, 0x34, 0x1000);
  EXPECT_THAT(found(), IsEmpty());
  load(late, 0x38, 0x1000);
  EXPECT_THAT(found(), ElementsAre("race_read_write 38 10"));
}

}  // namespace
}  // namespace pws::check::races_long_launches_test
