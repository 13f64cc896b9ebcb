// Who has a slot when, against a search through the cycles.
#include "models/machine/time_division.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pws::test {
namespace {

using models::cycle_t;
using models::issue_rounds;
using models::requester;
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
    r.slot = 1 + random() % 4;
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
}

TEST(slot_server, around_a_slot) {
  // Place 2 of 4: cycles 20 to 29 of frames of 40.
  const requester who{2, 0, false};
  const auto first = [&](cycle_t arrival) { return slot_server(10, 4, 1).serve(who, arrival, 1); };
  EXPECT_EQ(first(0), 20u);
  EXPECT_EQ(first(19), 20u);
  EXPECT_EQ(first(20), 20u);
  EXPECT_EQ(first(21), 60u);
  EXPECT_EQ(first(59), 60u);
  EXPECT_EQ(first(60), 60u);
  EXPECT_EQ(first(61), 100u);
}

TEST(slot_server, a_slot_is_taken_once) {
  slot_server s(10, 4, 1);
  EXPECT_EQ(s.frame(), 40u);
  const requester who{2, 0, false};
  EXPECT_EQ(s.serve(who, 0, 1), 20u);
  EXPECT_EQ(s.serve(who, 0, 3), 140u) << "the last of three";
  EXPECT_EQ(s.serve(who, 0, 1), 180u);
  EXPECT_EQ(s.serve(who, 181, 1), 220u);
  EXPECT_EQ(s.serve({1, 0, false}, 0, 1), 10u);
  EXPECT_EQ(s.serve(who, 1000, 1), 1020u) << "slots that nobody took are gone";
}

TEST(slot_server, parts_in_turn) {
  slot_server s(10, 4, 3);
  EXPECT_EQ(s.frame(), 40u);
  EXPECT_EQ(s.parts(), 3u);
  for (const uint32_t part : {0u, 1u, 2u}) {
    EXPECT_EQ(s.serve({2, part, true}, 0, 1), 20 + part * 40);
    EXPECT_EQ(s.serve({2, part, true}, 0, 2), 20 + part * 40 + 240);
  }
  EXPECT_EQ(s.serve({3, 0, false}, 0, 1), 30u);
  EXPECT_EQ(s.serve({3, 0, false}, 0, 1), 70u) << "an unsplit wavefront has all of its slots";
  EXPECT_EQ(s.serve({2, 0, false}, 0, 1), 300u) << "and again when it is whole";
}

TEST(slot_server, one_place) {
  slot_server s(1, 1, 1);
  for (cycle_t n = 0; n < 5; ++n) EXPECT_EQ(s.serve({0, 0, false}, 0, 1), n);
}

TEST(slot_server, random_search) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    std::mt19937_64 random(seed);
    const cycle_t slot = 1 + random() % 12;
    const auto places = static_cast<uint32_t>(1 + random() % 6), parts = static_cast<uint32_t>(1 + random() % 4);
    slot_server s(slot, places, parts);
    std::map<std::pair<uint32_t, uint32_t>, cycle_t> taken_until;  // by place and part
    cycle_t now = seed % 2 == 0 ? 0 : 1'000'000'000;
    for (int n = 0; n < 100; ++n) {
      now += random() % 30;
      requester who{static_cast<uint32_t>(random() % places), 0, random() % 2 == 0};
      if (who.split) who.part = static_cast<uint32_t>(random() % parts);
      const uint64_t slots = 1 + random() % 3;
      const cycle_t frame = slot * places;
      const cycle_t offset = slot * who.place + (who.split ? frame * who.part : 0);
      cycle_t& free = taken_until[{who.place, who.part}];
      cycle_t expected = 0;
      for (uint64_t k = 0; k < slots; ++k) {
        expected = search(std::max(now, free), offset, who.split ? frame * parts : frame);
        free = expected + 1;
      }
      ASSERT_EQ(s.serve(who, now, slots), expected) << "seed " << seed << ", request " << n;
    }
  }
}

TEST(time_division, parts_of_a_wavefront) {
  models::machine_config c;
  c.spsimd_per_simd = 3;
  EXPECT_EQ(parts_of_wavefront(c), 1u);
  c.divergence = models::divergence_kind::pws;
  EXPECT_EQ(parts_of_wavefront(c), 4u);
  c.split_points = 2;
  EXPECT_EQ(parts_of_wavefront(c), 3u);
  c.split_points = 0;
  EXPECT_EQ(parts_of_wavefront(c), 1u);
  c.split_points = 63;
  c.divergence = models::divergence_kind::dws;
  EXPECT_EQ(parts_of_wavefront(c), 1u) << "its SWFs have slots of their own";
}

}  // namespace
}  // namespace pws::test
