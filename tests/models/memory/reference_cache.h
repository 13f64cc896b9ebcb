// SPDX-License-Identifier: Apache-2.0
// What a cache should do, written down once more as plainly as possible: cycle by cycle, sets as lists, everything
// known in advance. For requests in the order in which they are served.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "tests/models/memory/cache_bench.h"

namespace pws::test {

class reference_cache {
 public:
  // `latency` of the memory below, by line.
  reference_cache(const models::cache::parameters& p, std::function<cycle_t(uint64_t)> latency)
      : parameters_(p), latency_(std::move(latency)) {}

  // Cycle of the answer.
  cycle_t serve(const request& r);
  // What went to the memory below, as memory_below::seen_at() has it, without write-backs.
  std::vector<std::string> below;
  // Lines that were written back, in order.
  std::vector<std::string> writebacks;
  models::cache_statistics statistics;

 private:
  struct line_state {
    uint64_t line;
    bool dirty;
  };
  struct line_on_its_way : line_state {
    cycle_t arrives;
  };
  std::list<line_state>& set_of(uint64_t line);
  line_state* find(uint64_t line);
  line_on_its_way* find_on_its_way(uint64_t line);
  void insert(uint64_t line, bool dirty);
  void arrive_until(cycle_t cycle);
  cycle_t ask_below(const request& r, cycle_t at);
  cycle_t pass_on(const request& r, cycle_t start);
  cycle_t fetch(const request& r, cycle_t start);

  models::cache::parameters parameters_;
  std::function<cycle_t(uint64_t)> latency_;
  std::map<uint64_t, std::list<line_state>> sets_;  // most recently used first
  std::vector<line_on_its_way> on_their_way_;
  cycle_t port_free_ = 0;
};

}  // namespace pws::test
