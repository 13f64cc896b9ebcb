// SPDX-License-Identifier: Apache-2.0
#include "models/memory/arrival_queue.h"

#include <gtest/gtest.h>

#include <random>

namespace pws::test::arrival_queue_test {
namespace {

using models::arrival_queue;
using models::cycle_t;

TEST(arrival_queue, by_cycle_then_port_then_call) {
  arrival_queue q;
  tlm::tlm_generic_payload t[6];
  q.push(t[5], 11, 0);
  q.push(t[2], 10, 1);
  q.push(t[3], 10, 1);
  q.push(t[4], 10, 2);
  q.push(t[1], 10, 0);
  q.push(t[0], 9, 7);
  for (auto& expected : t) {
    EXPECT_EQ(q.next(), &expected == &t[0] ? 9u : &expected == &t[5] ? 11u : 10u);
    EXPECT_EQ(&q.pop(), &expected);
  }
  EXPECT_TRUE(q.empty());
}

TEST(arrival_queue, random_use) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 r(seed);
    arrival_queue q;
    std::vector<tlm::tlm_generic_payload> all(200);
    std::vector<std::tuple<cycle_t, uint32_t, size_t>> waiting;
    size_t pushed = 0;
    while (pushed < all.size() || !waiting.empty()) {
      ASSERT_EQ(q.size(), waiting.size());
      ASSERT_EQ(q.empty(), waiting.empty());
      if (pushed < all.size() && r() % 5 < 3) {
        const cycle_t cycle = r() % 20;
        const auto port = static_cast<uint32_t>(r() % 3);
        q.push(all[pushed], cycle, port);
        waiting.emplace_back(cycle, port, pushed++);
      } else if (!waiting.empty()) {
        const auto first = std::min_element(waiting.begin(), waiting.end());
        ASSERT_EQ(q.next(), std::get<0>(*first)) << "seed " << seed;
        ASSERT_EQ(&q.pop(), &all[std::get<2>(*first)]) << "seed " << seed;
        waiting.erase(first);
      }
    }
  }
}

}  // namespace
}  // namespace pws::test::arrival_queue_test
