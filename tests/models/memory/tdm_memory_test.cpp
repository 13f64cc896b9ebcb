// SPDX-License-Identifier: Apache-2.0
// The time-divided memory: whose slot is when, and that nobody moves anybody else.
#include "models/memory/tdm_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <list>
#include <random>

#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::tdm_memory_test {
namespace {

using models::requester;
using ::testing::ElementsAre;

// Two compute units of two SIMD units with three contexts each: 12 places.
models::machine_config small_machine(uint32_t spsimds = 0) {
  models::machine_config c;
  c.n_cu = 2;
  c.n_simd = 2;
  c.n_wfc = 3;
  c.divergence = spsimds == 0 ? models::divergence_kind::none : models::divergence_kind::pws;
  c.spsimd_per_simd = spsimds;
  c.memory.arbitration = models::memory_arbitration::tdm;
  c.memory.interconnect.latency = 9;
  c.memory.instruction_cache.hit_latency = 6;
  c.memory.dram.t_rcd = 11;
  c.memory.dram.t_rp = 7;
  c.memory.dram.t_cl = 5;
  c.memory.dram.t_burst = 3;
  c.memory.dram.extra_latency = 20;
  c.memory.dram.page = models::page_policy::closed;
  return c;
}
constexpr cycle_t slot = 11 + 5 + 3 + 7, frame = 12 * slot;
constexpr cycle_t way_there = 9, way_back = 11 + 5 + 3 + 20 + 9;

enum socket : uint32_t { vector, scalar, instruction };

// Initiator 3 * cu + socket.
struct tdm_bench {
  explicit tdm_bench(const models::machine_config& c)
      : times(clock), above(times, clock, c.n_cu * 3), tested(unique("tdm"), c, clock) {
    for (uint32_t cu = 0; cu < c.n_cu; ++cu) {
      above.sockets[cu * 3 + vector]->bind(*tested.vector[cu]);
      above.sockets[cu * 3 + scalar]->bind(*tested.scalar[cu]);
      above.sockets[cu * 3 + instruction]->bind(*tested.instruction[cu]);
    }
  }
  models::gpu_clock clock{1000};
  timetable times;
  initiators above;
  models::tdm_memory tested;
};

requester at_place(uint32_t place) {
  return {place, 0};
}

SIMULATION(tdm_memory, a_slot_for_each_place_in_each_frame) {
  tdm_bench b(small_machine());
  EXPECT_EQ(models::line_slots_of(small_machine()).slot, slot);
  EXPECT_EQ(b.tested.statistics().frame, frame);
  std::vector<cycle_t> expected;
  for (uint32_t cu = 0; cu < 2; ++cu)
    for (uint32_t place = 0; place < 6; ++place) {
      const cycle_t begins = 1000 * frame + (cu * 6 + place) * slot;
      // There in the cycle in which it begins, and one too late.
      b.above.ask(load(begins - way_there, 0).from(cu * 3).by(at_place(place)));
      b.above.ask(load(begins + 2 * frame + 1 - way_there, 0).from(cu * 3 + scalar).by(at_place(place)));
      expected.push_back(begins + way_back);
      expected.push_back(begins + 3 * frame + way_back);
    }
  sc_core::sc_start();
  EXPECT_EQ(b.above.answers(), expected);
  EXPECT_EQ(b.above.answered_in_call(), expected.size());
  EXPECT_EQ(b.tested.statistics().lines, 24u);
  EXPECT_EQ(b.tested.statistics().waited, 12 * (frame - 1));
  EXPECT_EQ(b.tested.statistics().longest_wait, frame - 1);
}

SIMULATION(tdm_memory, the_first_frame_begins_at_cycle_0) {
  tdm_bench b(small_machine());
  // There at cycle 9: place 0's first slot has gone, place 1's has not.
  b.above.ask({load(0, 0).by(at_place(0)), load(0, 0).by(at_place(1)), load(0, 0).from(3).by(at_place(5))});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(frame + way_back, slot + way_back, 11 * slot + way_back));
}

SIMULATION(tdm_memory, a_line_per_frame) {
  tdm_bench b(small_machine());
  const requester who = at_place(2);
  b.above.ask({load(0, 0).by(who), store(0, 1).by(who), load(5, 2).from(scalar).by(who), load(5, 3).by(at_place(3))});
  sc_core::sc_start();
  const cycle_t first = 2 * slot + way_back;
  EXPECT_THAT(b.above.answers(), ElementsAre(first, first + frame, first + 2 * frame, first + slot));
}

SIMULATION(tdm_memory, an_atomic_takes_two_slots) {
  tdm_bench b(small_machine());
  const requester who = at_place(2);
  b.above.ask({atomic(0, 0).by(who), load(0, 1).by(who), atomic(0, 0).by(who), load(0, 0).by(at_place(3))});
  sc_core::sc_start();
  const cycle_t first = 2 * slot + way_back;
  EXPECT_THAT(b.above.answers(), ElementsAre(first + frame, first + 2 * frame, first + 4 * frame, first + slot));
  EXPECT_EQ(b.tested.statistics().lines, 4u);
}

SIMULATION(tdm_memory, parts_of_a_split_wavefront_share_its_slots) {
  tdm_bench b(small_machine(2));  // three parts
  EXPECT_EQ(b.tested.statistics().frame, frame) << "SpSIMD units cost nothing";
  for (const uint32_t part : {2u, 1u, 0u})
    for (int n = 0; n < 2; ++n) b.above.ask(load(0, 0).by({4, part}));
  b.above.ask({load(0, 0).by({5, 1}), load(0, 0).by({5, 0}), atomic(0, 0).by({3, 1})});
  // One part alone has every slot.
  b.above.ask({load(100 * frame, 0).by({4, 2}), load(100 * frame, 0).by({4, 2})});
  sc_core::sc_start();
  const cycle_t first = 4 * slot + way_back;
  EXPECT_THAT(b.above.answers(), ElementsAre(first, first + frame, first + 2 * frame, first + 3 * frame,
                                             first + 4 * frame, first + 5 * frame, first + slot, first + slot + frame,
                                             first - slot + frame, first + 100 * frame, first + 101 * frame));
}

// A part whose lines are on their way keeps no slot from one whose line is there.
SIMULATION(tdm_memory, a_later_request_that_arrives_earlier) {
  tdm_bench b(small_machine(1));
  b.above.ask({load(5 * frame, 0).by({4, 0}).called_early(5 * frame), load(0, 0).from(scalar).by({4, 1}),
               load(0, 0).by({4, 1})});
  sc_core::sc_start();
  const cycle_t first = 4 * slot + way_back;
  EXPECT_THAT(b.above.answers(), ElementsAre(first + 5 * frame, first, first + frame));
}

SIMULATION(tdm_memory, a_fetch_takes_constant_time) {
  tdm_bench b(small_machine());
  const requester who = at_place(2);
  b.above.ask({fetch(0, 0).from(instruction).by(who), fetch(0, 0).from(instruction).by(who),
               fetch(77, 5).from(3 + instruction).by(who), fetch(90, 5).from(instruction).by(who).called_early(20)});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(6, 6, 77 + 6, 90 + 6));
  EXPECT_EQ(b.tested.statistics().lines, 0u);
}

// ---- isolation

struct random_place {
  uint32_t cu;
  requester who;
};

request random_request(std::mt19937_64& r, const random_place& p) {
  const access_kind kinds[] = {access_kind::load, access_kind::store, access_kind::atomic};
  request q = load(30 + r() % (20 * frame), r() % 100).from(p.cu * 3 + static_cast<uint32_t>(r() % 2)).by(p.who);
  q.kind = kinds[r() % 3];
  return q.called_early(r() % 30);
}

// One wavefront's answers, alone and among all the others.
SIMULATION(tdm_memory, nobody_moves_anybody_else) {
  std::list<tdm_bench> alone, together;
  std::vector<std::vector<cycle_t>> expected;
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    std::mt19937_64 r(seed);
    const auto spsimds = static_cast<uint32_t>(seed % 3);
    const models::machine_config c = small_machine(spsimds);
    const auto part = [&] { return static_cast<uint32_t>(r() % (spsimds + 1)); };
    const random_place tested{static_cast<uint32_t>(r() % 2), {static_cast<uint32_t>(r() % 6), 0}};
    alone.emplace_back(c);
    together.emplace_back(c);
    for (int n = 0; n < 10; ++n) {
      random_place mine = tested;
      mine.who.part = part();
      const request q = random_request(r, mine);
      alone.back().above.ask(q);
      together.back().above.ask(q);
    }
    for (int n = 0; n < 200; ++n) {
      const random_place other{static_cast<uint32_t>(r() % 2), {static_cast<uint32_t>(r() % 6), part()}};
      if (other.cu == tested.cu && other.who.place == tested.who.place) continue;
      together.back().above.ask(random_request(r, other));
    }
  }
  sc_core::sc_start();
  auto one = alone.begin();
  for (const tdm_bench& all : together) {
    const std::vector<cycle_t> answers = (one++)->above.answers();
    const std::vector<cycle_t> answers_among_others = all.above.answers();
    for (size_t n = 0; n < answers.size(); ++n, ++compared) ASSERT_EQ(answers_among_others[n], answers[n]);
  }
  EXPECT_EQ(compared, 600u);
}

// Whoever asks what: a slot is taken once.
SIMULATION(tdm_memory, a_slot_is_taken_once) {
  tdm_bench b(small_machine(1));
  std::mt19937_64 r(1);
  std::vector<request> asked;
  for (int n = 0; n < 400; ++n) {
    const auto place = static_cast<uint32_t>(r() % 6);
    request q = random_request(r, {static_cast<uint32_t>(r() % 2), {place, static_cast<uint32_t>(r() % 2)}});
    q.kind = access_kind::load;
    asked.push_back(q);
  }
  b.above.ask(asked);
  sc_core::sc_start();
  std::vector<cycle_t> slots;
  const std::vector<cycle_t> answers = b.above.answers();
  for (size_t n = 0; n < asked.size(); ++n) {
    const cycle_t begins = answers[n] - way_back;
    EXPECT_GE(begins, asked[n].at + way_there);
    EXPECT_EQ(begins % frame / slot, asked[n].port / 3 * 6 + asked[n].who.place);
    EXPECT_EQ(begins % slot, 0u);
    slots.push_back(begins);
  }
  std::sort(slots.begin(), slots.end());
  EXPECT_EQ(std::adjacent_find(slots.begin(), slots.end()), slots.end());
}

}  // namespace
}  // namespace pws::test::tdm_memory_test
