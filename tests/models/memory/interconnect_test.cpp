// SPDX-License-Identifier: Apache-2.0
// The crossbar: which bank a line goes to, the way there and back, the banks' response ports.
#include "models/memory/interconnect.h"

#include <gmock/gmock.h>

#include <list>

#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::interconnect_test {
namespace {

using ::testing::ElementsAre;

constexpr cycle_t way = 7, bank_time = 20;

struct crossbar_bench {
  // Banks announce an answer five cycles before it is at their response port.
  crossbar_bench(uint32_t caches, uint32_t banks, uint32_t bytes_per_cycle = 16)
      : times(clock),
        above(times, clock, caches),
        tested(unique("crossbar"), {static_cast<uint32_t>(way), bytes_per_cycle}, caches, banks, line_bytes, clock) {
    for (uint32_t i = 0; i < caches; ++i) above.sockets[i]->bind(*tested.from_caches[i]);
    for (uint32_t i = 0; i < banks; ++i) {
      bank.push_back(std::make_unique<memory_below>(times, clock, bank_time, 5));
      tested.to_banks[i]->bind(bank[i]->socket);
    }
  }
  models::gpu_clock clock{1000};
  timetable times;
  initiators above;
  models::interconnect tested;
  std::vector<std::unique_ptr<memory_below>> bank;
};

// Nothing else on its way.
constexpr cycle_t alone = way + bank_time + way;

SIMULATION(interconnect, lines_are_interleaved_over_the_banks) {
  std::list<crossbar_bench> benches;
  const uint64_t last = ~uint64_t{0} / line_bytes;
  for (const uint32_t banks : {1u, 3u, 4u}) {
    initiators& above = benches.emplace_back(1, banks).above;
    for (uint64_t line = 0; line < 12; ++line) above.ask(load(line * 100, line));
    above.ask(load(5000, last));
  }
  sc_core::sc_start();
  for (const crossbar_bench& b : benches) {
    std::vector<std::vector<std::string>> expected(b.bank.size());
    for (uint64_t line = 0; line < 12; ++line)
      expected[line % expected.size()].push_back("load " + std::to_string(line));
    expected[last % expected.size()].push_back("load " + std::to_string(last));
    for (size_t n = 0; n < expected.size(); ++n) EXPECT_EQ(b.bank[n]->seen(), expected[n]);
  }
}

SIMULATION(interconnect, the_way_there_and_back) {
  crossbar_bench b(2, 2);
  b.above.ask({load(10, 0), load(100, 1).from(1), store(200, 0).from(1), atomic(300, 1).called_early(9)});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(10 + alone, 100 + alone, 200 + alone, 300 + alone));
  EXPECT_THAT(b.bank[0]->seen_at(), ElementsAre("load 0 at 17", "store 0 at 207"));
  EXPECT_THAT(b.bank[1]->seen_at(), ElementsAre("load 1 at 107", "atomic 1 at 307"));
}

// Answers come in at one cache's port alone: the initiators check that.
SIMULATION(interconnect, answers_find_back) {
  crossbar_bench b(9, 2, 64);
  std::vector<cycle_t> expected;
  for (uint32_t port = 0; port < 9; ++port) {
    b.above.ask(load(10 + port, port).from(8 - port));
    expected.push_back(10 + port + alone);
  }
  sc_core::sc_start();
  EXPECT_EQ(b.above.answers(), expected);
}

SIMULATION(interconnect, requests_do_not_wait_for_one_another_here) {
  crossbar_bench b(3, 1);
  b.above.ask({store(10, 0), store(10, 1).from(1), store(10, 2).from(2)});
  sc_core::sc_start();
  EXPECT_THAT(b.bank[0]->seen_at(), ElementsAre("store 0 at 17", "store 1 at 17", "store 2 at 17"));
}

SIMULATION(interconnect, a_response_port_moves_so_many_bytes_per_cycle) {
  crossbar_bench b(2, 1);
  b.above.ask({load(10, 0), load(10, 1).from(1)});                              // 4 cycles each
  b.above.ask({atomic(100, 0), load(100, 1).from(1)});                          // an atomic brings data
  b.above.ask({store(200, 0), store(200, 1).from(1), load(200, 2)});            // a store's answer takes a cycle
  b.above.ask({load(300, 0).of(17), load(300, 1).of(1), load(300, 2).of(16)});  // 2, 1, 1
  b.above.ask(load(300, 3));
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(10 + alone, 14 + alone, 100 + alone, 104 + alone, 200 + alone, 201 + alone,
                                             202 + alone, 300 + alone, 302 + alone, 303 + alone, 304 + alone));
}

SIMULATION(interconnect, response_ports_are_the_banks_own) {
  crossbar_bench b(1, 2);
  b.above.ask({load(10, 0), load(10, 1), load(10, 2), load(10, 3)});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(10 + alone, 10 + alone, 14 + alone, 14 + alone));
}

SIMULATION(interconnect, an_answer_that_is_ready_early_goes_before_one_announced_first) {
  crossbar_bench b(1, 1);
  b.bank[0]->spread = 2;
  b.bank[0]->spread_cycles = 10;  // line 1, which is announced 25 cycles ahead, line 0 only 5
  b.bank[0]->spread_notice = 20;
  b.above.ask({load(10, 1), load(15, 0)});    // ready at 47 and 42: 42 to 45 is free
  b.above.ask({load(110, 1), load(117, 0)});  // ready at 147 and 144: too late to go before
  b.above.ask({load(210, 1), load(216, 0)});  // ready at 247 and 243: it just fits
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(),
              ElementsAre(20 + alone, 15 + alone, 120 + alone, 124 + alone, 220 + alone, 216 + alone));
}

}  // namespace
}  // namespace pws::test::interconnect_test
