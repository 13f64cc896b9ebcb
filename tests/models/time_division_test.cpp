// SPDX-License-Identifier: Apache-2.0
// Who has a slot when, against a search through the cycles.
#include "models/machine/time_division.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace pws::test::time_division_test {
namespace {

using models::cycle_t;
using models::issue_rounds;
using models::slot_server;

// The first cycle at `from` or later in which a slot begins: at `offset` and every `period` cycles after it.
cycle_t search(cycle_t from, cycle_t offset, cycle_t period) {
  cycle_t at = from;
  while (at < offset || (at - offset) % period != 0) ++at;
  return at;
}

TEST(issue_rounds, around_a_slot) {
  const issue_rounds r{4, 40};
  for (const uint32_t context : {0u, 1u, 9u}) {
    const cycle_t first = context * 4;
    EXPECT_EQ(r.next(context, 0), first);
    EXPECT_EQ(r.next(context, first), first);
    EXPECT_EQ(r.next(context, first + 1), first + 40);
    EXPECT_EQ(r.next(context, first + 39), first + 40);
    EXPECT_EQ(r.next(context, first + 40), first + 40);
    EXPECT_EQ(r.next(context, first + 41), first + 80);
    if (context != 0) {
      EXPECT_EQ(r.next(context, first - 1), first);
    }
  }
}

TEST(issue_rounds, random_search) {
  std::mt19937_64 random(1);
  for (int n = 0; n < 20000; ++n) {
    issue_rounds r;
    r.slot = cycle_t{1} << random() % 7;
    const auto contexts = static_cast<uint32_t>(1 + random() % 10);
    r.round = contexts * r.slot + random() % 8;
    const auto context = static_cast<uint32_t>(random() % contexts);
    const cycle_t at = random() % 200 + (n % 2 == 0 ? 0 : 1'000'000'000'000);
    ASSERT_EQ(r.next(context, at), search(at, context * r.slot, r.round));
  }
}

TEST(issue_rounds, of_a_machine) {
  models::machine_config c;
  EXPECT_EQ(issue_rounds_of(c).round, 0u) << "no slots";
  c.schedule = models::schedule_policy::tdm;
  c.valu_lanes = 16;
  c.n_wfc = 10;
  c.memory.instruction_cache.hit_latency = 8;
  EXPECT_EQ(issue_rounds_of(c).slot, 4u);
  EXPECT_EQ(issue_rounds_of(c).round, 40u);
  c.valu_lanes = 64;
  EXPECT_EQ(issue_rounds_of(c).slot, 1u);
  EXPECT_EQ(issue_rounds_of(c).round, 11u) << "a round is at least what a fetch takes";
  c.n_wfc = 12;
  EXPECT_EQ(issue_rounds_of(c).round, 12u);
  c.valu_lanes = 1;
  EXPECT_EQ(issue_rounds_of(c).slot, 64u);
  EXPECT_EQ(issue_rounds_of(c).round, 768u);
}

// What arrives when it is asked for.
cycle_t serve(slot_server& s, uint32_t place, cycle_t now, uint64_t slots) {
  return s.serve(place, now, now, slots);
}

TEST(slot_server, around_a_slot) {
  // Place 2 of 4: cycles 20 to 29 of frames of 40.
  const auto first = [&](cycle_t arrival) {
    slot_server s(10, 4);
    return serve(s, 2, arrival, 1);
  };
  EXPECT_EQ(first(0), 20u);
  EXPECT_EQ(first(19), 20u);
  EXPECT_EQ(first(20), 20u);
  EXPECT_EQ(first(21), 60u);
  EXPECT_EQ(first(59), 60u);
  EXPECT_EQ(first(60), 60u);
  EXPECT_EQ(first(61), 100u);
}

TEST(slot_server, a_slot_is_taken_once) {
  slot_server s(10, 4);
  EXPECT_EQ(s.frame(), 40u);
  EXPECT_EQ(serve(s, 2, 0, 1), 20u);
  EXPECT_EQ(serve(s, 2, 0, 3), 140u) << "the last of three";
  EXPECT_EQ(serve(s, 2, 0, 1), 180u);
  EXPECT_EQ(serve(s, 2, 181, 1), 220u);
  EXPECT_EQ(serve(s, 1, 181, 1), 210u);
  EXPECT_EQ(serve(s, 2, 1000, 1), 1020u) << "slots that nobody took are gone";
  EXPECT_EQ(serve(s, 2, 1000, 1), 1060u);
}

// What was asked for later, and arrives earlier, takes the slots that would pass unused.
TEST(slot_server, no_slot_passes_while_a_request_waits) {
  slot_server s(10, 4);
  EXPECT_EQ(s.serve(2, 0, 130, 2), 180u) << "cycles 140 and 180";
  EXPECT_EQ(s.serve(2, 0, 30, 1), 60u);
  EXPECT_EQ(s.serve(2, 0, 30, 1), 100u);
  EXPECT_EQ(s.serve(2, 0, 0, 2), 220u) << "cycle 20, and the first one behind the others";
  EXPECT_EQ(s.serve(2, 0, 0, 1), 260u);
  EXPECT_EQ(s.serve(1, 0, 0, 1), 10u);
  // In the middle of a gap, before it and behind it.
  EXPECT_EQ(s.serve(2, 300, 500, 1), 500u);
  EXPECT_EQ(s.serve(2, 300, 390, 1), 420u);
  EXPECT_EQ(s.serve(2, 300, 300, 2), 340u);
  EXPECT_EQ(s.serve(2, 300, 300, 2), 460u) << "cycles 380 and 460";
  EXPECT_EQ(s.serve(2, 300, 300, 1), 540u);
}

TEST(slot_server, one_place) {
  slot_server s(1, 1);
  for (cycle_t n = 0; n < 5; ++n) EXPECT_EQ(serve(s, 0, 0, 1), n);
}

// Against a queue that is looked through in each slot. All that is asked is known beforehand there.
TEST(slot_server, random_queues) {
  struct request {
    cycle_t earliest, arrival;
    uint64_t slots, left;
    cycle_t last = 0;
  };
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const cycle_t slot = 1 + random() % 12;
    const auto places = static_cast<uint32_t>(1 + random() % 6), place = static_cast<uint32_t>(random() % places);
    const cycle_t frame = slot * places, ahead = 1 + random() % (6 * frame);
    cycle_t now = seed % 2 == 0 ? 0 : 1'000'000'000;
    std::vector<request> queue;
    for (int n = 0; n < 100; ++n) {
      now += random() % (random() % 4 == 0 ? 6 * frame : frame);
      queue.push_back({now, now + random() % ahead, 1 + random() % 3, 0});
      queue.back().left = queue.back().slots;
    }
    size_t left = queue.size();
    for (cycle_t at = slot * place + queue.front().earliest / frame * frame; left != 0; at += frame) {
      const auto next =
          std::find_if(queue.begin(), queue.end(), [&](const request& r) { return r.left != 0 && r.arrival <= at; });
      if (next == queue.end()) continue;
      next->last = at;
      if (--next->left == 0) --left;
    }
    slot_server s(slot, places);
    for (size_t n = 0; n < queue.size(); ++n) {
      const request& r = queue[n];
      ASSERT_EQ(s.serve(place, r.earliest, r.arrival, r.slots), r.last) << "seed " << seed << ", request " << n;
      if (places > 1) s.serve((place + 1) % places, r.earliest, r.arrival, 1 + random() % 5);
    }
  }
}

}  // namespace
}  // namespace pws::test::time_division_test
