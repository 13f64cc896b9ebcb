// SPDX-License-Identifier: Apache-2.0
// Random requests against a reference of its own; and the same requests called for earlier, in front of memories that
// announce their answers earlier or later, which must change nothing.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "tests/models/memory/reference_cache.h"
#include "tests/models/simulation.h"

namespace pws::test::cache_random_test {
namespace {

using random = std::mt19937_64;

models::cache::parameters random_cache(random& r, models::write_policy policy) {
  models::cache::parameters p = policy == models::write_policy::write_back ? second_level() : first_level();
  p.tags.ways = 1u << r() % 5;  // up to all 16 lines in one set
  p.tags.mshrs = 1 + static_cast<uint32_t>(r() % 5);
  p.tags.hit_latency = 1 + static_cast<uint32_t>(r() % 12);
  p.bytes_per_cycle = 16u << r() % 3;
  p.interleave = r() % 2 == 0 ? 1 : 4;
  return p;
}

// Few lines of few sets; every now and then a pause in which everything arrives.
std::vector<request> random_requests(random& r, const models::cache::parameters& p, unsigned count, cycle_t gap) {
  constexpr access_kind kinds[] = {access_kind::load, access_kind::load, access_kind::store, access_kind::atomic};
  std::vector<request> all;
  cycle_t at = 0;
  for (unsigned n = 0; n < count; ++n) {
    at += r() % 20 == 0 ? 200 : r() % 3 == 0 ? 0 : r() % (gap + 1);
    request q = load(at, (1 + r() % 24) * p.interleave);
    q.kind = kinds[r() % 4];
    q.bypass_l1 = r() % 8 == 0;
    q.bytes = r() % 4 == 0 ? 16 : line_bytes;
    all.push_back(q);
  }
  return all;
}

std::vector<std::string> without_writebacks(const memory_below& m) {
  std::vector<std::string> all;
  const std::vector<std::string> seen = m.seen_at();
  for (size_t n = 0; n < seen.size(); ++n)
    if (m.arrivals[n].kind != access_kind::writeback) all.push_back(seen[n]);
  return all;
}
std::vector<std::string> only_writebacks(const memory_below& m) {
  std::vector<std::string> all;
  const std::vector<std::string> seen = m.seen();
  for (size_t n = 0; n < seen.size(); ++n)
    if (m.arrivals[n].kind == access_kind::writeback) all.push_back(seen[n]);
  return all;
}

void expect_equal(const models::cache_statistics& is, const models::cache_statistics& should) {
  EXPECT_EQ(is.reads, should.reads);
  EXPECT_EQ(is.read_hits, should.read_hits);
  EXPECT_EQ(is.writes, should.writes);
  EXPECT_EQ(is.atomics, should.atomics);
  EXPECT_EQ(is.merged, should.merged);
  EXPECT_EQ(is.blocked, should.blocked);
  EXPECT_EQ(is.writebacks, should.writebacks);
}

struct trial {
  trial(uint64_t s, const models::cache::parameters& p, cycle_t notice) : seed(s), bench(p, notice) {}
  uint64_t seed;
  cache_bench bench;
  std::vector<cycle_t> expected;
  std::unique_ptr<reference_cache> reference;
};

// Calls go out in the order of `all`, each at most `most` cycles ahead.
void call_ahead(random& r, std::vector<request>& all, cycle_t most) {
  cycle_t call = 0;
  for (request& q : all) {
    const cycle_t ahead = std::min(q.at, r() % (most + 1));
    call = std::max(call, q.at - ahead);
    q.early = q.at - call;
  }
}

void prepare(trial& t, const models::cache::parameters& p, const std::vector<request>& requests,
             const std::vector<request>& as_called) {
  memory_below& memory = t.bench.memory;
  memory.spread = 4;  // lines arrive, and are announced, out of order
  memory.spread_cycles = 9;
  memory.spread_notice = 6;
  t.reference = std::make_unique<reference_cache>(p, [&memory](uint64_t line) { return memory.latency_of(line); });
  for (const request& q : requests) t.expected.push_back(t.reference->serve(q));
  t.bench.above.ask(as_called);
}

void run(std::list<trial>& trials) {
  sc_core::sc_start();
  models::cache_statistics sum;
  for (trial& t : trials) {
    SCOPED_TRACE(fmt::format("seed {}", t.seed));
    ASSERT_EQ(t.bench.above.answers(), t.expected);
    ASSERT_EQ(without_writebacks(t.bench.memory), t.reference->below);
    ASSERT_EQ(only_writebacks(t.bench.memory), t.reference->writebacks);
    expect_equal(t.bench.statistics(), t.reference->statistics);
    sum.blocked += t.bench.statistics().blocked;
    sum.merged += t.bench.statistics().merged;
    sum.read_hits += t.bench.statistics().read_hits;
  }
  EXPECT_GT(sum.read_hits, 1000u);
  EXPECT_GT(sum.merged, 200u);
  EXPECT_GT(sum.blocked, 200u);
}

constexpr cycle_t notices[] = {memory_below::in_call, lookahead, below / 2};

SIMULATION(random_requests, of_one_initiator) {
  std::list<trial> trials;
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    random r(seed);
    const models::cache::parameters p = random_cache(r, models::write_policy::write_through);
    const std::vector<request> requests = random_requests(r, p, 150, 30);
    for (const cycle_t notice : notices)
      for (const cycle_t ahead : {cycle_t{0}, lookahead, cycle_t{500}}) {
        std::vector<request> as_called = requests;
        call_ahead(r, as_called, ahead);
        trials.emplace_back(seed, p, notice);
        prepare(trials.back(), p, requests, as_called);
      }
  }
  run(trials);
}

// Calls in any order; the bank serves by arrival and port.
SIMULATION(random_requests, of_several_initiators) {
  std::list<trial> trials;
  for (uint64_t seed = 1; seed <= 25; ++seed) {
    random r(seed);
    const models::cache::parameters p = random_cache(r, models::write_policy::write_back);
    std::vector<request> requests = random_requests(r, p, 150, 30);
    for (request& q : requests) {
      q.port = static_cast<uint32_t>(r() % 4);
      q.at += 1;
      q.early = 1 + r() % std::min<cycle_t>(q.at, 20);
    }
    // Requests of one cycle and port come in the order of the calls; the timetable keeps the order of asking within a
    // cycle.
    std::stable_sort(requests.begin(), requests.end(), [](const request& x, const request& y) {
      return std::make_tuple(x.at, x.port, x.at - x.early) < std::make_tuple(y.at, y.port, y.at - y.early);
    });
    requests.push_back(store(requests.back().at + 1000, 0));  // so that the last lines enter too
    for (const cycle_t notice : notices) {
      trials.emplace_back(seed, p, notice);
      prepare(trials.back(), p, requests, requests);
    }
  }
  run(trials);
}

}  // namespace
}  // namespace pws::test::cache_random_test
