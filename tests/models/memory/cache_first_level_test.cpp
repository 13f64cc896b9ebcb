// SPDX-License-Identifier: Apache-2.0
// A vector L1, scalar or instruction cache: stores and atomics go on to the next level, one initiator.
#include <gmock/gmock.h>

#include "tests/models/memory/cache_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::cache_first_level_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SIMULATION(first_level_cache, a_miss_and_a_hit) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 3), load(100, 3)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 100 + hit));
        EXPECT_THAT(b.memory.seen_at(), ElementsAre("load 3 at 1"));
        EXPECT_EQ(b.memory.arrivals.at(0).bytes, line_bytes);
        EXPECT_EQ(b.statistics().reads, 2u);
        EXPECT_EQ(b.statistics().read_hits, 1u);
      });
}

SIMULATION(first_level_cache, a_hit_is_known_in_the_call) {
  cache_bench b(first_level(), lookahead);
  b.above.ask({load(0, 3), load(100, 3)});
  sc_core::sc_start();
  EXPECT_EQ(b.above.answered_in_call(), 1u);
}

SIMULATION(first_level_cache, requests_for_a_line_on_its_way_join_it) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        // It arrives at cycle 51: the last one finds it there.
        b.above.ask({load(0, 3), load(1, 3), load(40, 3), load(below, 3), load(1 + below, 3)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, miss, miss, miss, miss));
        EXPECT_THAT(b.memory.seen(), ElementsAre("load 3"));
        EXPECT_EQ(b.statistics().merged, 3u);
        EXPECT_EQ(b.statistics().read_hits, 1u);
      });
}

SIMULATION(first_level_cache, hits_overtake_misses) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 1), load(100, 2), load(101, 1), load(102, 3)});
      },
      [](cache_bench& b) { EXPECT_THAT(b.above.answers(), ElementsAre(miss, 100 + miss, 101 + hit, 102 + miss)); });
}

SIMULATION(first_level_cache, one_request_per_cycle) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 1), load(0, 2), load(100, 1), load(100, 2)});
      },
      [](cache_bench& b) { EXPECT_THAT(b.above.answers(), ElementsAre(miss, 1 + miss, 100 + hit, 101 + hit)); });
}

SIMULATION(first_level_cache, or_one_per_initiator) {
  models::cache::parameters p = first_level();
  p.port_per_initiator = true;
  with_each_notice(
      p,
      [](cache_bench& b) {
        b.above.ask({load(0, 1), load(0, 2), load(100, 1), load(100, 2)});
      },
      [](cache_bench& b) { EXPECT_THAT(b.above.answers(), ElementsAre(miss, miss, 100 + hit, 100 + hit)); });
}

SIMULATION(first_level_cache, a_store_takes_the_port_as_long_as_its_bytes_need) {
  models::cache::parameters p = first_level();
  p.bytes_per_cycle = 16;
  with_each_notice(
      p,
      [](cache_bench& b) {
        b.above.ask({load(0, 1), store(100, 2), load(100, 1), store(200, 2).of(17), load(200, 1)});
        b.above.ask({store(300, 2).of(1), load(300, 1), atomic(400, 2), load(400, 1)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 101 + below, 104 + hit, 201 + below, 202 + hit, 301 + below,
                                                   301 + hit, 401 + below, 401 + hit));
      });
}

SIMULATION(first_level_cache, a_miss_waits_for_a_register_and_others_behind_it) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 9), load(1000, 1), load(1010, 2), load(1020, 3), load(1030, 9), load(1040, 4)});
      },
      [](cache_bench& b) {
        // Line 1 arrives at 1051 and line 2 at 1061.
        EXPECT_THAT(b.above.answers(),
                    ElementsAre(miss, 1000 + miss, 1010 + miss, 1051 + miss, 1052 + hit, 1061 + miss));
        EXPECT_THAT(b.memory.seen_at(),
                    ElementsAre("load 9 at 1", "load 1 at 1001", "load 2 at 1011", "load 3 at 1052", "load 4 at 1062"));
        EXPECT_EQ(b.statistics().blocked, 2u);
      });
}

SIMULATION(first_level_cache, what_needs_no_register_does_not_wait) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 9), load(1000, 1), load(1010, 2), load(1020, 1), load(1021, 9), store(1022, 3),
                     load(1023, 4).past_l1(), atomic(1024, 5)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 1000 + miss, 1010 + miss, 1000 + miss, 1021 + hit,
                                                   1023 + below, 1024 + below, 1025 + below));
        EXPECT_EQ(b.statistics().blocked, 0u);
      });
}

SIMULATION(first_level_cache, stores_go_on_and_allocate_nothing) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({store(0, 3), load(100, 3), store(200, 3), load(300, 3)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(1 + below, 100 + miss, 201 + below, 300 + hit));
        EXPECT_THAT(b.memory.seen(), ElementsAre("store 3", "load 3", "store 3"));
        EXPECT_EQ(b.statistics().writes, 2u);
        EXPECT_EQ(b.statistics().reads, 2u);
      });
}

SIMULATION(first_level_cache, an_atomic_goes_on_and_drops_the_line) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 3), atomic(100, 3), load(200, 3)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 101 + below, 200 + miss));
        EXPECT_THAT(b.memory.seen(), ElementsAre("load 3", "atomic 3", "load 3"));
        EXPECT_EQ(b.statistics().atomics, 1u);
        EXPECT_EQ(b.statistics().reads, 2u);
      });
}

SIMULATION(first_level_cache, a_load_past_it_neither_hits_nor_allocates) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 3), load(100, 3).past_l1(), load(200, 3), load(300, 4).past_l1(), load(400, 4)});
        b.above.ask(load(410, 4).past_l1());  // and does not join
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 101 + below, 200 + hit, 301 + below, 400 + miss, 411 + below));
        EXPECT_EQ(b.statistics().reads, 6u);
        EXPECT_EQ(b.statistics().read_hits, 1u);
        EXPECT_EQ(b.statistics().merged, 0u);
      });
}

SIMULATION(first_level_cache, the_least_recently_used_line_of_the_set_leaves) {
  models::cache::parameters p = first_level();
  p.tags.ways = 4;  // 4 sets
  with_each_notice(
      p,
      [](cache_bench& b) {
        b.above.ask({load(0, 0), load(100, 4), load(200, 8), load(300, 12)});  // set 0 is full
        b.above.ask({load(400, 8), load(500, 0)});                             // least recently used: 4, then 12
        b.above.ask({store(550, 4), load(570, 4).past_l1()});                  // these are no use
        b.above.ask({load(600, 16), load(700, 17), load(800, 20)});            // 17 is in another set
        b.above.ask({load(900, 0), load(1000, 8), load(1100, 16), load(1200, 20), load(1300, 4), load(1400, 0)});
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(),
                    ElementsAre(miss, 100 + miss, 200 + miss, 300 + miss, 400 + hit, 500 + hit, 551 + below,
                                571 + below, 600 + miss, 700 + miss, 800 + miss, 900 + hit, 1000 + hit, 1100 + hit,
                                1200 + hit, 1300 + miss, 1400 + miss));
        EXPECT_EQ(b.statistics().writebacks, 0u);
      });
}

SIMULATION(first_level_cache, invalidation_drops_what_is_there) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 1), load(100, 2), load(200, 1), load(300, 2), load(400, 1)});
        b.invalidate(150);  // line 2 comes at 151
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 100 + miss, 200 + miss, 300 + hit, 400 + hit));
      });
}

SIMULATION(first_level_cache, invalidation_in_the_cycle_in_which_a_line_arrives_drops_it) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 1), load(100, 1)});
        b.invalidate(1 + below);
      },
      [](cache_bench& b) { EXPECT_THAT(b.above.answers(), ElementsAre(miss, 100 + miss)); });
}

SIMULATION(first_level_cache, invalidation_keeps_its_place_among_requests_that_wait) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        // Line 3 waits until line 1 has come, at 51; the invalidation comes behind it and meets line 1, but not line 2.
        b.above.ask({load(0, 1), load(10, 2), load(20, 3), load(200, 2), load(300, 1), load(400, 3)});
        b.invalidate(30);
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, 10 + miss, 51 + miss, 200 + hit, 300 + miss, 400 + hit));
      });
}

SIMULATION(first_level_cache, a_cold_cache_is_empty_after_invalidation_too) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.invalidate(0);
        b.above.ask(load(10, 0));
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(10 + miss));
        EXPECT_THAT(b.memory.seen(), ElementsAre("load 0"));
      });
}

// What it is called for early waits until all lines that arrive before are known, and then meets what it would have met
// in its own cycle.
SIMULATION(first_level_cache, a_call_far_ahead_changes_nothing) {
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, 1), load(below, 1).called_early(below), load(1 + below, 1).called_early(1 + below)});
        b.above.ask(load(1000, 1).called_early(1000));
      },
      [](cache_bench& b) {
        EXPECT_THAT(b.above.answers(), ElementsAre(miss, miss, miss, 1000 + hit));
        EXPECT_EQ(b.statistics().merged, 1u);
        EXPECT_EQ(b.statistics().read_hits, 2u);
      });
}

SIMULATION(first_level_cache, the_last_line_of_the_address_space) {
  const uint64_t last = ~uint64_t{0} / line_bytes;
  with_each_notice(
      first_level(),
      [](cache_bench& b) {
        b.above.ask({load(0, last), load(100, last), load(200, last - 8)});
      },
      [](cache_bench& b) { EXPECT_THAT(b.above.answers(), ElementsAre(miss, 100 + hit, 200 + miss)); });
}

}  // namespace
}  // namespace pws::test::cache_first_level_test
