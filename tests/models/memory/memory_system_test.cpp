// SPDX-License-Identifier: Apache-2.0
// Caches, crossbar, banks and DRAM put together: the parts' times add up, and everything goes where it should.
#include "models/memory/memory_system.h"

#include <gmock/gmock.h>

#include <list>
#include <random>

#include "models/bus/bus_access.h"
#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::memory_system_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t first_line = models::device_memory_base / line_bytes;

models::machine_config small_machine() {
  models::machine_config c;
  c.n_cu = 2;
  c.memory.vector_l1 = {1, 2, line_bytes, 31, 4};
  c.memory.scalar_cache = {1, 2, line_bytes, 17, 4};
  c.memory.instruction_cache = {1, 2, line_bytes, 7, 4};
  c.memory.interconnect = {13, line_bytes};
  c.memory.l2.banks = 2;
  c.memory.l2.bank = {1, 2, line_bytes, 23, 4};
  c.memory.dram.size_mib = 1;
  c.memory.dram.t_rcd = 11;
  c.memory.dram.t_rp = 7;
  c.memory.dram.t_cl = 5;
  c.memory.dram.t_burst = 3;
  c.memory.dram.extra_latency = 20;
  return c;
}
constexpr cycle_t vector_hit = 31, scalar_hit = 17, instruction_hit = 7;
// Beyond the first level: on to the crossbar in the next cycle.
constexpr cycle_t l2_hit = 1 + 13 + 23 + 13;
constexpr cycle_t l2_miss = l2_hit + 1 + 11 + 5 + 3 + 20;
constexpr cycle_t l2_miss_open_row = l2_miss - 11;

enum socket : uint32_t { vector, scalar, instruction };

// Initiator 3 * cu + socket; the last one is the host.
struct system_bench {
  explicit system_bench(const models::machine_config& c)
      : times(clock), above(times, clock, c.n_cu * 3 + 1), tested(unique("memory"), c, clock) {
    for (uint32_t cu = 0; cu < c.n_cu; ++cu)
      tested.connect(cu, *above.sockets[cu * 3 + vector], *above.sockets[cu * 3 + scalar],
                     *above.sockets[cu * 3 + instruction]);
    above.sockets.back()->bind(tested.host_port());
  }
  models::gpu_clock clock{1000};
  timetable times;
  initiators above;
  models::memory_system tested;
};

SIMULATION(memory_system, times_add_up) {
  system_bench b(small_machine());
  b.above.ask({load(0, first_line), load(200, first_line), load(300, first_line).from(3)});
  b.above.ask({load(400, first_line).from(scalar), load(500, first_line).from(scalar)});
  b.above.ask({fetch(600, first_line).from(instruction), fetch(700, first_line).from(instruction)});
  b.above.ask({store(800, first_line), store(900, first_line + 1), atomic(1000, first_line)});
  b.above.ask(load(1100, first_line + 4).from(3));  // not in the L2, its DRAM row is open
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(),
              ElementsAre(l2_miss + vector_hit, 200 + vector_hit, 300 + l2_hit + vector_hit, 400 + l2_hit + scalar_hit,
                          500 + scalar_hit, 600 + l2_hit + instruction_hit, 700 + instruction_hit, 800 + l2_hit,
                          900 + l2_hit, 1000 + l2_hit, 1100 + l2_miss_open_row + vector_hit));
  EXPECT_EQ(b.tested.vector_l1[0]->statistics().reads, 2u);
  EXPECT_EQ(b.tested.vector_l1[1]->statistics().reads, 2u);
  EXPECT_EQ(b.tested.scalar_cache[0]->statistics().reads, 2u);
  EXPECT_EQ(b.tested.instruction_cache[0]->statistics().reads, 2u);
  EXPECT_EQ(b.tested.l2[0]->statistics().reads, 5u);
  EXPECT_EQ(b.tested.l2[0]->statistics().writes, 1u);
  EXPECT_EQ(b.tested.l2[0]->statistics().atomics, 1u);
  EXPECT_EQ(b.tested.l2[1]->statistics().writes, 1u);
  EXPECT_EQ(b.tested.dram.statistics().reads, 2u);
}

SIMULATION(memory_system, fetch_ports_do_not_wait_for_one_another) {
  system_bench b(small_machine());
  for (const uint32_t at : {vector, scalar, instruction}) b.above.ask(load(0, first_line).from(at));
  for (const uint32_t at : {vector, scalar, instruction})
    b.above.ask({load(500, first_line).from(at), load(500, first_line).from(at)});
  sc_core::sc_start();
  const std::vector<cycle_t> answers = b.above.answers();
  EXPECT_EQ(answers[4], answers[3] + 1);
  EXPECT_EQ(answers[6], answers[5] + 1);
  EXPECT_EQ(answers[8], answers[7]);
}

// Each bank has its sets for the lines that come to it.
SIMULATION(memory_system, the_l2_holds_as_many_lines_as_it_has_places) {
  system_bench b(small_machine());
  std::vector<cycle_t> second;
  for (uint64_t n = 0; n < 32; ++n) b.above.ask(load(n * 300, first_line + n));
  for (uint64_t n = 0; n < 32; ++n) {
    b.above.ask(load(20'000 + n * 300, first_line + n).from(3));
    second.push_back(20'000 + n * 300 + l2_hit + vector_hit);
  }
  sc_core::sc_start();
  const std::vector<cycle_t> answers = b.above.answers();
  EXPECT_EQ(std::vector<cycle_t>(answers.begin() + 32, answers.end()), second);
  EXPECT_EQ(b.tested.dram.statistics().reads, 32u);
}

SIMULATION(memory_system, invalidation_is_of_the_first_level) {
  system_bench b(small_machine());
  for (uint32_t port = 0; port < 6; ++port) b.above.ask(load(port * 200, first_line).from(port));
  b.times.at(5000, [&b] { b.tested.invalidate_l1(5000); });
  for (uint32_t port = 0; port < 6; ++port) b.above.ask(load(10'000 + port * 200, first_line).from(port));
  sc_core::sc_start();
  const std::vector<cycle_t> answers = b.above.answers();
  const cycle_t hits[] = {vector_hit, scalar_hit, instruction_hit};
  for (uint32_t port = 0; port < 6; ++port)
    EXPECT_EQ(answers[6 + port], 10'000 + port * 200 + l2_hit + hits[port % 3]) << "port " << port;
}

SIMULATION(memory_system, a_stored_line_goes_down_to_the_dram_when_it_has_to) {
  system_bench b(small_machine());
  // Lines of one set of the first bank: 8 sets, two banks.
  for (uint64_t n = 0; n < 3; ++n) b.above.ask(store(n * 200, first_line + n * 16));
  sc_core::sc_start();
  EXPECT_EQ(b.tested.l2[0]->statistics().writebacks, 1u);
  EXPECT_EQ(b.tested.dram.statistics().writes, 1u);
  EXPECT_EQ(b.tested.dram.statistics().reads, 0u);
}

// A compute unit may call as far ahead as its requests need to the banks.
SIMULATION(memory_system, calls_ahead_change_nothing) {
  constexpr access_kind kinds[] = {access_kind::load, access_kind::load, access_kind::store, access_kind::atomic};
  std::list<system_bench> in_time, ahead;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 r(seed);
    models::machine_config c = small_machine();
    c.memory.vector_l1.mshrs = c.memory.scalar_cache.mshrs = c.memory.l2.bank.mshrs =
        1 + static_cast<uint32_t>(r() % 3);
    c.memory.interconnect.bytes_per_cycle = 16u << r() % 3;
    in_time.emplace_back(c);
    ahead.emplace_back(c);
    std::vector<cycle_t> call(6, 0);  // of a port, in order
    cycle_t at = 100;
    for (int n = 0; n < 400; ++n) {
      at += r() % 12 == 0 ? 200 : r() % 6;
      const auto port = static_cast<uint32_t>(r() % 6);
      request q = load(at, first_line + r() % 50).from(port);
      if (port % 3 == vector) q.kind = kinds[r() % 4];
      q.bypass_l1 = port % 3 == vector && r() % 10 == 0;
      in_time.back().above.ask(q);
      call[port] = std::max(call[port], at - r() % (c.memory.interconnect.latency + 1));
      ahead.back().above.ask(q.called_early(at - call[port]));
    }
  }
  sc_core::sc_start();
  auto other = ahead.begin();
  for (const system_bench& b : in_time) {
    const std::vector<cycle_t> answers = b.above.answers();
    EXPECT_THAT(answers, ::testing::Not(::testing::Contains(pending)));
    ASSERT_EQ(answers, (other++)->above.answers());
  }
}

SIMULATION(memory_system, predictable_has_time_division_and_no_caches) {
  models::machine_config c = small_machine();
  c.memory.arbitration = models::memory_arbitration::tdm;
  c.memory.dram.page = models::page_policy::closed;
  system_bench b(c);
  ASSERT_NE(b.tested.predictable, nullptr);
  EXPECT_THAT(b.tested.vector_l1, IsEmpty());
  EXPECT_THAT(b.tested.l2, IsEmpty());
  for (uint32_t port = 0; port < 6; ++port) b.above.ask(load(0, first_line).from(port).by({1, 0}));
  b.times.at(10, [&b] { b.tested.invalidate_l1(10); });
  sc_core::sc_start();
  const cycle_t slot = 11 + 5 + 3 + 7, back = 11 + 5 + 3 + 20 + 13;
  const cycle_t frame = 2 * 40 * slot;  // 4 SIMD units with 10 contexts
  EXPECT_THAT(b.above.answers(), ElementsAre(slot + back, slot + frame + back, instruction_hit, 41 * slot + back,
                                             41 * slot + frame + back, instruction_hit));
}

SIMULATION(memory_system, the_host_reaches_the_storage) {
  models::machine_config c = small_machine();
  system_bench average(c);
  c.memory.arbitration = models::memory_arbitration::tdm;
  system_bench predictable(c);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (system_bench* b : {&average, &predictable}) {
    initiators::socket& host = *b->above.sockets.back();
    models::bus_write<uint32_t>(host, models::device_memory_base + 100, 77);
    EXPECT_EQ(models::bus_read<uint32_t>(host, models::device_memory_base + 100), 77u);
  }
}

}  // namespace
}  // namespace pws::test::memory_system_test
