// SPDX-License-Identifier: Apache-2.0
// An L2 bank: stores stay in it until their line has to leave, several initiators.
#include <gmock/gmock.h>

#include "tests/models/memory/cache_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::cache_second_level_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Lines of one set: 8 sets.
constexpr uint64_t a = 1, b = 9, c = 17, d = 25, other_set = 2;

void expect_below(const std::vector<request>& asked, const std::vector<std::string>& seen) {
  with_each_notice(
      second_level(), [&](cache_bench& bench) { bench.above.ask(asked); },
      [&](cache_bench& bench) {
        EXPECT_THAT(bench.memory.seen(), ::testing::ElementsAreArray(seen));
        uint64_t writebacks = 0;
        for (const auto& arrival : bench.memory.arrivals) {
          EXPECT_EQ(arrival.bytes, line_bytes);
          if (arrival.kind == access_kind::writeback) ++writebacks;
        }
        EXPECT_EQ(bench.statistics().writebacks, writebacks);
      });
}

SIMULATION(second_level_cache, times_of_hits_and_misses) {
  with_each_notice(
      second_level(),
      [](cache_bench& bench) {
        bench.above.ask({load(0, a), load(100, a), store(200, a), atomic(300, a)});
        bench.above.ask({store(400, b), load(500, b), atomic(600, other_set), load(700, other_set)});
        bench.above.ask({load(800, 3), load(810, 3), store(820, 3), atomic(830, 3)});
      },
      [](cache_bench& bench) {
        EXPECT_THAT(bench.above.answers(),
                    ElementsAre(miss, 100 + hit, 200 + hit, 300 + hit, 400 + hit, 500 + hit, 600 + miss, 700 + hit,
                                800 + miss, 800 + miss, 820 + hit, 800 + miss));
        EXPECT_THAT(bench.memory.seen_at(), ElementsAre("load 1 at 1", "atomic 2 at 601", "load 3 at 801"));
        const auto& s = bench.statistics();
        EXPECT_EQ(s.reads, 6u);
        EXPECT_EQ(s.read_hits, 3u);
        EXPECT_EQ(s.writes, 3u);
        EXPECT_EQ(s.atomics, 3u);
        EXPECT_EQ(s.merged, 2u);
        EXPECT_EQ(bench.above.answered_in_call(), 0u);
      });
}

SIMULATION(second_level_cache, a_stored_line_is_written_back_when_it_leaves) {
  expect_below({store(0, a), store(100, b), store(200, c)}, {"writeback 1"});
}

SIMULATION(second_level_cache, a_clean_line_is_not) {
  expect_below({load(0, a), load(100, b), load(200, c), load(300, other_set)},
               {"load 1", "load 9", "load 17", "load 2"});
}

SIMULATION(second_level_cache, the_line_that_was_stored_to_and_no_other) {
  expect_below({load(0, a), load(100, b), store(200, b), load(300, c), load(400, d), load(500, other_set)},
               {"load 1", "load 9", "load 17", "load 25", "writeback 9", "load 2"});
}

SIMULATION(second_level_cache, once_however_often_it_was_stored_to) {
  // Line 1 comes back clean and leaves again.
  expect_below({store(0, a), store(100, a), load(200, b), load(300, c), load(400, a), load(500, b), load(600, c),
                load(700, other_set)},
               {"load 9", "load 17", "writeback 1", "load 1", "load 9", "load 17", "load 2"});
}

SIMULATION(second_level_cache, a_store_to_a_line_on_its_way_dirties_it) {
  expect_below({load(0, a), store(10, a), load(100, b), load(200, c), load(300, other_set)},
               {"load 1", "load 9", "load 17", "writeback 1", "load 2"});
}

SIMULATION(second_level_cache, atomics_dirty_the_line_that_they_fetch) {
  expect_below({atomic(0, a), load(100, b), load(200, c), load(300, other_set)},
               {"atomic 1", "load 9", "load 17", "writeback 1", "load 2"});
}
SIMULATION(second_level_cache, atomics_dirty_the_line_that_they_find) {
  expect_below({load(0, a), atomic(90, a), load(100, b), load(200, c), load(300, other_set)},
               {"load 1", "load 9", "load 17", "writeback 1", "load 2"});
}
SIMULATION(second_level_cache, atomics_dirty_the_line_that_they_join) {
  expect_below({load(0, a), atomic(10, a), load(100, b), load(200, c), load(300, other_set)},
               {"load 1", "load 9", "load 17", "writeback 1", "load 2"});
}

SIMULATION(second_level_cache, a_written_back_line_from_above_is_a_store) {
  expect_below({writeback(0, a), load(100, a), load(200, b), load(300, c), load(400, other_set)},
               {"load 9", "load 17", "writeback 1", "load 2"});
}

SIMULATION(second_level_cache, a_use_by_a_store_counts) {
  // Least recently used at the third line: 9.
  expect_below({store(0, a), store(100, b), store(200, a), store(300, c)}, {"writeback 9"});
}

SIMULATION(second_level_cache, a_writeback_carries_the_address_of_its_line) {
  const uint64_t far = 0x1'0000'0000 / line_bytes + 8 * 12345 + 1;
  expect_below({store(0, far), store(100, b), store(200, c)}, {"writeback " + std::to_string(far)});
}

SIMULATION(second_level_cache, requests_come_in_order_of_arrival_then_of_ports) {
  cache_bench bench(second_level(), lookahead);
  bench.above.ask({load(0, a), load(10, b)});
  // Called in the reverse order of how they are served.
  bench.above.ask({load(205, a).from(1).called_early(50), load(200, a).from(2).called_early(20)});
  bench.above.ask({load(200, b).from(1).called_early(20), load(200, a).from(0).called_early(1)});
  sc_core::sc_start();
  EXPECT_THAT(bench.above.answers(), ElementsAre(miss, 10 + miss, 205 + hit, 202 + hit, 201 + hit, 200 + hit));
}

SIMULATION(second_level_cache, of_one_port_those_called_first_come_first) {
  cache_bench bench(second_level(), lookahead);
  bench.above.ask({load(100, a).from(1).called_early(20), load(100, a).from(1).called_early(10)});
  bench.above.ask(store(100, b).from(1).called_early(5));
  sc_core::sc_start();
  EXPECT_THAT(bench.above.answers(), ElementsAre(100 + miss, 100 + miss, 102 + hit));
  EXPECT_EQ(bench.statistics().merged, 1u);
}

SIMULATION(second_level_cache, sets_are_of_the_lines_that_a_bank_sees) {
  models::cache::parameters p = second_level();
  p.interleave = 4;
  cache_bench bench(p, lookahead);
  std::vector<cycle_t> expected;
  for (uint64_t n = 0; n < 32; ++n) {  // twice 16 lines: as many as there are places
    bench.above.ask(load(n * 100, 3 + n % 16 * 4));
    expected.push_back(n * 100 + (n < 16 ? miss : hit));
  }
  sc_core::sc_start();
  EXPECT_EQ(bench.above.answers(), expected);
}

SIMULATION(second_level_cache, a_store_takes_the_port_as_long_as_its_bytes_need) {
  models::cache::parameters p = second_level();
  p.bytes_per_cycle = 16;
  with_each_notice(
      p,
      [](cache_bench& bench) {
        bench.above.ask({store(0, a), load(0, a), atomic(0, a), load(0, a)});
      },
      [](cache_bench& bench) {
        EXPECT_THAT(bench.above.answers(), ElementsAre(hit, 4 + hit, 5 + hit, 6 + hit));
        EXPECT_THAT(bench.memory.seen(), IsEmpty());
      });
}

SIMULATION(second_level_cache, atomics_need_a_miss_register) {
  with_each_notice(
      second_level(),
      [](cache_bench& bench) {
        bench.above.ask({atomic(0, 1), load(10, 2), atomic(20, 3), store(25, 4)});
      },
      [](cache_bench& bench) {
        EXPECT_THAT(bench.above.answers(), ElementsAre(miss, 10 + miss, 51 + miss, 52 + hit));
        EXPECT_EQ(bench.statistics().blocked, 1u);
      });
}

}  // namespace
}  // namespace pws::test::cache_second_level_test
