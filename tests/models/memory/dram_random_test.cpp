// SPDX-License-Identifier: Apache-2.0
// Random requests: whatever the order, bursts do not overlap, banks keep their times, and rows are counted as they were
// met. The answers alone are enough to tell: a burst ends a constant time before them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <list>
#include <random>

#include "tests/models/memory/dram_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::dram_random_test {
namespace {

using models::dram_config;
using models::dram_scheduling;
using models::page_policy;

struct trial {
  trial(uint64_t s, const dram_config& c) : seed(s), config(c), bench(c, ports) {}
  static constexpr uint32_t ports = 3;
  uint64_t seed;
  dram_config config;
  dram_bench bench;
  std::vector<request> requests;
};

dram_config random_dram(std::mt19937_64& r) {
  const auto cycles = [&r] { return static_cast<uint32_t>(1 + r() % 20); };
  dram_config c = small_dram();
  c.channels = 1u << r() % 3;
  c.banks = 1u << r() % 3;
  c.row_bytes = line_bytes << r() % 4;
  c.t_rcd = cycles();
  c.t_rp = cycles();
  c.t_cl = cycles();
  c.t_burst = cycles();
  c.extra_latency = r() % 3 == 0 ? 0 : cycles();
  c.queue = 1 + static_cast<uint32_t>(r() % 8);
  c.scheduling = r() % 2 == 0 ? dram_scheduling::fcfs : dram_scheduling::fr_fcfs;
  c.page = r() % 3 == 0 ? page_policy::closed : page_policy::open;
  return c;
}

std::vector<request> random_requests(std::mt19937_64& r, unsigned count, bool writebacks) {
  std::vector<request> all;
  cycle_t at = 30;
  for (unsigned n = 0; n < count; ++n) {
    at += r() % 10 == 0 ? 150 : r() % 12;
    request q = load(at, first_line + r() % 64).from(static_cast<uint32_t>(r() % trial::ports));
    if (writebacks && r() % 3 == 0) q.kind = access_kind::writeback;
    all.push_back(q.called_early(1 + r() % 20));
  }
  return all;
}

struct burst {
  request what;
  size_t order;  // in which it would be served first come, first served
  cycle_t begin;
  uint64_t row, bank;
};

// A channel's bursts as they were on its bus.
std::vector<burst> bursts_of(const trial& t, uint64_t channel) {
  const dram_config& c = t.config;
  const std::vector<cycle_t> answers = t.bench.above.answers();
  std::vector<burst> all;
  for (size_t n = 0; n < t.requests.size(); ++n) {
    const uint64_t line = t.requests[n].line - first_line;
    if (line % c.channels != channel) continue;
    EXPECT_NE(answers[n], pending);
    const uint64_t rows = line / c.channels / (c.row_bytes / line_bytes);
    all.push_back({t.requests[n], n, answers[n] - c.extra_latency - c.t_burst, rows / c.banks, rows % c.banks});
  }
  // Bursts of one cycle and port come in the order of the calls.
  std::stable_sort(all.begin(), all.end(), [](const burst& x, const burst& y) {
    return std::make_tuple(x.what.at, x.what.port, x.what.at - x.what.early) <
           std::make_tuple(y.what.at, y.what.port, y.what.at - y.what.early);
  });
  for (size_t n = 0; n < all.size(); ++n) all[n].order = n;
  std::stable_sort(all.begin(), all.end(), [](const burst& x, const burst& y) { return x.begin < y.begin; });
  return all;
}

struct bank_history {
  uint64_t row = ~uint64_t{0};  // open
  cycle_t burst = 0;            // begin of the last one
  bool used = false;
};

// The earliest cycle in which the burst can begin, from what its bank did before.
cycle_t earliest(const dram_config& c, const burst& b, const bank_history& bank) {
  const cycle_t open = c.page == page_policy::closed || !bank.used ? c.t_rcd
                       : bank.row == b.row                         ? 0
                                                                   : cycle_t{c.t_rp} + c.t_rcd;
  cycle_t first = b.what.at + open + c.t_cl;
  if (bank.used && c.page == page_policy::closed)
    first = std::max(first, bank.burst + c.t_burst + c.t_rp + c.t_rcd + c.t_cl);
  // With several banks a burst may wait for the bus behind its column access, from which its bank goes on.
  if (bank.used && c.page == page_policy::open && c.banks == 1) first = std::max(first, bank.burst + c.t_burst + open);
  return first;
}

// Those that were overtaken, by row hits only, and never from beyond the queue.
void check_order(const trial& t, const std::vector<burst>& bursts) {
  std::vector<bank_history> banks(t.config.banks);
  std::vector<size_t> waiting;
  for (size_t n = 0; n < bursts.size(); ++n) waiting.push_back(n);
  for (const burst& b : bursts) {
    const auto place = static_cast<size_t>(std::find(waiting.begin(), waiting.end(), b.order) - waiting.begin());
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(place));
    if (place != 0) {
      ASSERT_EQ(t.config.scheduling, dram_scheduling::fr_fcfs);
      ASSERT_EQ(t.config.page, page_policy::open);
      ASSERT_LT(place, t.config.queue);
      ASSERT_EQ(banks[b.bank].row, b.row);
    }
    banks[b.bank].row = b.row;
  }
}

void check_times(const trial& t, const std::vector<burst>& bursts, models::dram_statistics& counted) {
  const dram_config& c = t.config;
  std::vector<bank_history> banks(c.banks);
  cycle_t bus_free = 0;
  for (const burst& b : bursts) {
    bank_history& bank = banks[b.bank];
    ASSERT_GE(b.begin, bus_free) << "two bursts overlap";
    ASSERT_GE(b.begin, earliest(c, b, bank)) << "row " << b.row << " of bank " << b.bank;
    ++counted.reads;
    counted.busy_cycles += c.t_burst;
    if (bank.used && c.page == page_policy::open) ++(bank.row == b.row ? counted.row_hits : counted.row_conflicts);
    bus_free = b.begin + c.t_burst;
    bank = {b.row, b.begin, true};
  }
}

SIMULATION(random_dram_requests, keep_the_times_of_bus_and_banks) {
  std::list<trial> trials;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 r(seed);
    trials.emplace_back(seed, random_dram(r));
    trials.back().requests = random_requests(r, 120, false);
    trials.back().bench.above.ask(trials.back().requests);
  }
  sc_core::sc_start();
  models::dram_statistics sum;
  for (const trial& t : trials) {
    SCOPED_TRACE(fmt::format("seed {}", t.seed));
    models::dram_statistics counted;
    for (uint64_t channel = 0; channel < t.config.channels; ++channel) {
      const std::vector<burst> bursts = bursts_of(t, channel);
      check_order(t, bursts);
      check_times(t, bursts, counted);
      if (testing::Test::HasFailure()) return;
    }
    const models::dram_statistics& s = t.bench.statistics();
    ASSERT_EQ(s.reads, counted.reads);
    ASSERT_EQ(s.row_hits, counted.row_hits);
    ASSERT_EQ(s.row_conflicts, counted.row_conflicts);
    ASSERT_EQ(s.busy_cycles, counted.busy_cycles);
    sum.row_hits += s.row_hits;
    sum.row_conflicts += s.row_conflicts;
  }
  EXPECT_GT(sum.row_hits, 1000u);
  EXPECT_GT(sum.row_conflicts, 1000u);
}

// Write-backs cannot be seen, but they leave the reads room for so many bursts.
SIMULATION(random_dram_requests, with_writebacks) {
  std::list<trial> trials;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 r(seed);
    dram_config c = random_dram(r);
    c.channels = 1;
    trials.emplace_back(seed, c);
    trials.back().requests = random_requests(r, 120, true);
    trials.back().bench.above.ask(trials.back().requests);
  }
  sc_core::sc_start();
  for (const trial& t : trials) {
    SCOPED_TRACE(fmt::format("seed {}", t.seed));
    const std::vector<cycle_t> answers = t.bench.above.answers();
    std::vector<cycle_t> reads;
    uint64_t writes = 0;
    for (size_t n = 0; n < t.requests.size(); ++n) {
      if (t.requests[n].kind == access_kind::writeback) {
        ++writes;
        ASSERT_EQ(answers[n], t.requests[n].at) << "nobody waits for it";
      } else {
        reads.push_back(answers[n]);
      }
    }
    std::sort(reads.begin(), reads.end());
    for (size_t n = 1; n < reads.size(); ++n) ASSERT_GE(reads[n], reads[n - 1] + t.config.t_burst);
    ASSERT_EQ(t.bench.statistics().writes, writes);
    ASSERT_EQ(t.bench.statistics().reads, reads.size());
    ASSERT_EQ(t.bench.statistics().busy_cycles, t.config.t_burst * t.requests.size());
    ASSERT_EQ(t.bench.tested.queued(), 0u);
  }
}

}  // namespace
}  // namespace pws::test::dram_random_test
