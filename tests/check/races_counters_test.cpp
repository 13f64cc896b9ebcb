// SPDX-License-Identifier: Apache-2.0
// Counters and flags that very many update and look at: what is ordered, and that it costs no more for each the more
// they are.
#include "tests/check/races_fixture.h"

namespace pws::check::races_counters_test {
namespace {

constexpr uint64_t data = 0x1000, flag = 0x2000;

class races_of_counters : public races_fixture {
 protected:
  // Runs what so many paths do, each in a launch of its own, and looks at what is visited for each.
  template <class F>
  void costs_each_the_same(uint64_t visits, F&& run) {
    for (const unsigned n : {500u, 2000u, 8000u}) {
      races_.launch_begins();
      const uint64_t before = races_.visited();
      std::vector<path_id> paths;
      run(paths, n);
      EXPECT_LE(races_.visited() - before, visits * n) << n;
    }
  }
};

// A number that each draws of a counter: who is later hears of all before, and what that costs does not grow with them.
TEST_F(races_of_counters, tickets) {
  costs_each_the_same(40, [&](std::vector<path_id>&, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
      const path_id p = lone();
      fetch(p, 0x10, flag);
      races_.who().ended(p);
    }
  });
  EXPECT_TRUE(found().empty());
}

// The same of workgroups that draw again and again, with what they have made behind the number.
TEST_F(races_of_counters, tickets_drawn_again_and_again) {
  std::vector<path_id> all;
  for (unsigned k = 0; k < 64; ++k) all.push_back(lone());
  const auto draw = [&](unsigned rounds) {
    const uint64_t before = races_.visited();
    for (unsigned k = 0; k < rounds * 64; ++k) {
      const path_id p = all[k * 37 % 64];
      wait(p);
      fetch(p, 0x10, flag);
      fence(p);
      load(p, 0x20, data);
      store_value(p, 0x30, data, k);
    }
    return races_.visited() - before;
  };
  const uint64_t some = draw(20);
  EXPECT_LE(draw(80), 5 * some);
  // Each has stored behind its number, and its store is told with its next: others read what nothing orders.
  EXPECT_THAT(found(), ::testing::Each(::testing::AnyOf(::testing::StartsWith("race_read_write"),
                                                        ::testing::StartsWith("race_write_write"))));
}

// One flag that all raise, and all look at past the cache again and again.
TEST_F(races_of_counters, polls_of_many) {
  costs_each_the_same(200, [&](std::vector<path_id>& all, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
      all.push_back(lone());
      poll(all.back(), 0x10, flag);
      fetch(all.back(), 0x20, flag);
    }
    for (unsigned round = 0; round < 3; ++round)
      for (const path_id p : all) poll(p, 0x30, flag);
  });
}

// A word that many have updated, and read when they have heard that all are done.
TEST_F(races_of_counters, many_read_a_sum_when_it_is_there) {
  costs_each_the_same(150, [&](std::vector<path_id>& all, unsigned n) {
    for (unsigned k = 0; k < n; ++k) {
      all.push_back(lone());
      atomic(all.back(), 0x10, data);
      fetch(all.back(), 0x20, flag);
    }
    for (const path_id p : all) {
      poll(p, 0x30, flag);
      invalidate(p);
      load(p, 0x40, data);
    }
  });
  EXPECT_TRUE(found().empty());
  const path_id stranger = lone();
  load(stranger, 0x50, data);
  EXPECT_EQ(found(), std::vector<std::string>{"race_atomic_plain 50 10"});
}

// What was told there stays told, whatever its path does there later without having waited.
TEST_F(races_of_counters, what_was_told_is_not_taken_back) {
  const path_id a = lone(), b = lone();
  store(a, 0x10, data);
  wait(a);
  atomic(a, 0x20, flag);
  store(a, 0x30, data + 4);
  atomic(a, 0x40, flag);  // tells nothing: the store is under way
  fetch(b, 0x50, flag);
  fence(b);
  load(b, 0x60, data);
  EXPECT_TRUE(found().empty());
  load(b, 0x70, data + 4);
  EXPECT_EQ(found(), std::vector<std::string>{"race_read_write 70 30"});
}

// So many have updated the flag that those who are over for the next are taken out of its list. Those many know of
// `known` by another counter, and have a load under way when they update the flag: they tell nothing there.
class races_of_long_lists : public races_fixture {
 protected:
  void tell(path_id known) {
    wait(known);
    atomic(known, 0x110, other);
  }
  void take_out() {
    for (unsigned k = 0; k < 40; ++k) {
      const path_id p = lone();
      fetch(p, 0x120, other);
      load(p, 0x130, unused);
      atomic(p, 0x140, flag);
    }
  }
  static constexpr uint64_t other = 0x3000, unused = 0x4000;
};

TEST_F(races_of_long_lists, what_was_told_by_one_that_is_taken_out_is_heard) {
  const path_id teller = lone(), listener = lone();
  store(teller, 0x10, data);
  wait(teller);
  atomic(teller, 0x20, flag);
  tell(teller);
  races_.who().ended(teller);
  take_out();
  fetch(listener, 0x30, flag);
  fence(listener);
  load(listener, 0x40, data);
  EXPECT_TRUE(found().empty());
}

TEST_F(races_of_long_lists, mates_hear_of_one_that_is_taken_out) {
  const workgroup_id g = group();
  const path_id teller = wave(g, 0), mate = wave(g, 1);
  store(teller, 0x10, data);
  atomic(teller, 0x20, flag);  // the store is under way, which matters to others alone
  tell(teller);
  take_out();
  fetch(mate, 0x30, flag);
  load(mate, 0x40, data);
  EXPECT_TRUE(found().empty());
}

TEST_F(races_of_long_lists, one_that_comes_when_all_were_over_is_seen) {
  const path_id p = lone();
  for (unsigned k = 0; k < 30; ++k) fetch(lone(), 0x10, flag);
  poll(p, 0x20, flag);
  fence(p);
  load(p, 0x30, flag);
  EXPECT_TRUE(found().empty());
  atomic(lone(), 0x40, flag);
  load(p, 0x50, flag);
  EXPECT_EQ(found(), (std::vector<std::string>{"race_atomic_plain 40 30", "race_atomic_plain 50 40"}));
}

}  // namespace
}  // namespace pws::check::races_counters_test
