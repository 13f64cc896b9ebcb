// SPDX-License-Identifier: Apache-2.0
// A cache alone, with initiators above it and a memory below.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <list>

#include "models/memory/cache.h"
#include "tests/models/memory/memory_bench.h"

namespace pws::test {

// Latencies of the caches on these benches, unless a test says otherwise. A miss goes below in the cycle after it was
// seen.
constexpr cycle_t hit = 10, below = 50, miss = 1 + below + hit;
constexpr cycle_t lookahead = 5;

// 1 KiB, 2 ways: 8 sets. Two miss registers.
inline models::cache::parameters first_level() {
  models::cache::parameters p;
  p.tags = {1, 2, line_bytes, hit, 2};
  p.lookahead = lookahead;
  return p;
}
inline models::cache::parameters second_level() {
  models::cache::parameters p = first_level();
  p.policy = models::write_policy::write_back;
  return p;
}

struct cache_bench {
  // A cache with write-back has several initiators, and a sequencer for them.
  cache_bench(const models::cache::parameters& p, cycle_t notice)
      : times(clock),
        sequencer(unique("sequencer"), clock),
        above(times, clock),
        tested(unique("cache"), completed(p), clock),
        memory(times, clock, below, notice) {
    above.sockets[0]->bind(tested.upstream);
    tested.downstream.bind(memory.socket);
  }
  // Says so at that cycle.
  void invalidate(cycle_t at) {
    times.at(at, [this, at] { tested.invalidate(at); });
  }
  const models::cache_statistics& statistics() const { return tested.statistics(); }

  models::gpu_clock clock{1000};
  timetable times;
  models::event_sequencer sequencer;
  initiators above;
  models::cache tested;
  memory_below memory;

 private:
  models::cache::parameters completed(models::cache::parameters p) {
    if (p.policy == models::write_policy::write_back) p.sequencer = &sequencer;
    return p;
  }
};

// The same requests in front of memories that announce their answers in the call, as late as they may, and in between:
// what comes out must be the same.
inline void with_each_notice(const models::cache::parameters& p, const std::function<void(cache_bench&)>& prepare,
                             const std::function<void(cache_bench&)>& check) {
  std::list<cache_bench> benches;
  for (const cycle_t notice : {memory_below::in_call, p.lookahead, below / 2}) {
    benches.emplace_back(p, notice);
    prepare(benches.back());
  }
  sc_core::sc_start();
  const char* when[] = {"in the call", "as late as it may", "between"};
  size_t n = 0;
  for (cache_bench& b : benches) {
    SCOPED_TRACE(std::string("the memory below announces ") + when[n++]);
    check(b);
  }
}

}  // namespace pws::test
