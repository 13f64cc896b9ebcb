// SPDX-License-Identifier: Apache-2.0
// Barrier-AND and barrier-OR packets (HSA Platform System Architecture 2.9): what they wait for, and what waits for
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/dispatch/queue_bench.h"

namespace pws::test::barrier_packets_test {
namespace {

using isa::packet_type;
using ::testing::HasSubstr;

constexpr uint32_t shorter = 50, longer = 400;  // rounds

queued_kernel one_group(uint64_t number, uint32_t rounds = shorter) {
  queued_kernel k;
  k.number = number;
  k.rounds = rounds;
  return k;
}

// Kernels 1 (short) and 2 (long) in queues of their own; kernel 3 in a third, behind a barrier packet for both.
queue_report behind_both(packet_type type, uint32_t hardware_queues = 4) {
  return with_queues(small_machine(hardware_queues), [type](queue_bench& b) {
    const uint64_t first = b.add_signal(), second = b.add_signal();
    const uint32_t third = b.add_queue();
    b.put_barrier(third, type, {first, second});
    b.put(third, one_group(3));
    b.put(b.add_queue(), one_group(1, shorter), first);
    b.put(b.add_queue(), one_group(2, longer), second);
    b.run();
    EXPECT_EQ(b.value_of(first), 0);
    EXPECT_EQ(b.value_of(second), 0);
    const auto [began, ended] = b.span_of(second);
    b.report().times = {began, ended};
  });
}

TEST(barrier_packets, and_waits_for_all) {
  const queue_report r = behind_both(packet_type::barrier_and);
  EXPECT_TRUE(r.done);
  EXPECT_GT(r.start_of(3), r.end_of(2));
  EXPECT_GT(r.end_of(2), r.end_of(1));
}

TEST(barrier_packets, or_waits_for_one) {
  const queue_report r = behind_both(packet_type::barrier_or);
  EXPECT_TRUE(r.done);
  EXPECT_GT(r.start_of(3), r.end_of(1));
  EXPECT_LT(r.start_of(3), r.end_of(2));
}

TEST(barrier_packets, one_hardware_queue_is_enough) {  // a barrier packet that waits takes none
  const queue_report r = behind_both(packet_type::barrier_and, 1);
  EXPECT_TRUE(r.done);
  EXPECT_EQ(r.order(), "1 2 3");
}

TEST(barrier_packets, signals_have_the_times_of_their_kernels) {
  const queue_report r = behind_both(packet_type::barrier_and);
  EXPECT_EQ(r.times.at(0), 0u);
  EXPECT_EQ(r.times.at(1), r.end_of(2));
}

TEST(barrier_packets, without_signals_they_wait_for_nothing) {
  for (const packet_type type : {packet_type::barrier_and, packet_type::barrier_or}) {
    const queue_report r = with_queues(small_machine(1), [type](queue_bench& b) {
      const uint32_t queue = b.add_queue();
      const uint64_t done = b.add_signal(3);
      b.put_barrier(queue, type, {}, done);
      b.put_barrier(queue, type, {0, 0, 0, 0, 0}, done);
      b.put(queue, one_group(1));
      b.run();
      EXPECT_EQ(b.value_of(done), 1);
    });
    EXPECT_TRUE(r.done);
  }
}

TEST(barrier_packets, signals_that_are_not_there_are_left_out) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint64_t open = b.add_signal(1), closed = b.add_signal(0);
    const uint32_t queue = b.add_queue();
    b.put_barrier(queue, packet_type::barrier_or, {0, open, 0, 0, closed});
    b.put(queue, one_group(1));
    b.put_barrier(queue, packet_type::barrier_and, {0, closed, 0, 0, closed});
    b.put(queue, one_group(2));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_EQ(r.order(), "1 2");
}

TEST(barrier_packets, with_the_barrier_bit_they_wait_for_the_packets_before_them) {
  for (const bool waits : {true, false}) {
    const queue_report r = with_queues(small_machine(2), [waits](queue_bench& b) {
      const uint32_t queue = b.add_queue();
      const uint64_t done = b.add_signal();
      b.put(queue, one_group(1, longer));
      b.put_barrier(queue, packet_type::barrier_and, {}, done, waits);
      queued_kernel second = one_group(2);
      second.waits = false;
      b.put(queue, second);
      b.run();
      b.report().times.push_back(b.span_of(done).second);
    });
    EXPECT_EQ(r.times.at(0) > r.end_of(1), waits);
    EXPECT_EQ(r.start_of(2) > r.end_of(1), waits);
  }
}

TEST(barrier_packets, one_queue_s_barrier_does_not_hold_up_others) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint64_t never = b.add_signal();
    const uint32_t held = b.add_queue(5), other = b.add_queue(0);
    b.put_barrier(held, packet_type::barrier_and, {never});
    b.put(held, one_group(1));
    b.put(other, one_group(2));
    b.put(other, one_group(3));
    b.run();
  });
  EXPECT_FALSE(r.done);  // and that is told
  EXPECT_EQ(r.fault, "");
  EXPECT_EQ(r.order(), "2 3");
  EXPECT_EQ(r.waiting, "  AQL packet 0 of queue 1 waits for its signals\n");
}

TEST(barrier_packets, the_host_opens_a_barrier_with_a_doorbell) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint64_t gate = b.add_signal();
    const uint32_t held = b.add_queue(), other = b.add_queue();
    b.put_barrier(held, packet_type::barrier_and, {gate});
    b.put(held, one_group(1));
    b.run();
    EXPECT_FALSE(b.board().host.done());
    EXPECT_TRUE(b.report().workgroups.empty());
    b.set(gate, 0);
    b.put(other, one_group(2));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_EQ(r.workgroups.size(), 2u);
}

TEST(barrier_packets, two_queues_that_wait_for_each_other_do_not_go_on) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint64_t one = b.add_signal(), two = b.add_signal();
    const uint32_t first = b.add_queue(), second = b.add_queue();
    b.put_barrier(first, packet_type::barrier_and, {two});
    b.put(first, one_group(1), one);
    b.put_barrier(second, packet_type::barrier_and, {one});
    b.put(second, one_group(2), two);
    b.run();
  });
  EXPECT_FALSE(r.done);
  EXPECT_TRUE(r.workgroups.empty());
  EXPECT_THAT(r.waiting, HasSubstr("queue 1 waits for its signals"));
  EXPECT_THAT(r.waiting, HasSubstr("queue 2 waits for its signals"));
}

TEST(barrier_packets, a_chain_over_four_queues_is_in_order) {
  const queue_report r = with_queues(small_machine(4), [](queue_bench& b) {
    uint64_t before = 0;
    std::vector<std::pair<uint32_t, uint64_t>> links;  // queue, signal
    for (uint64_t k = 1; k <= 4; ++k) links.emplace_back(b.add_queue(), b.add_signal());
    for (uint64_t k = 4; k >= 1; --k) {  // the last one first
      before = k == 1 ? 0 : links[k - 2].second;
      b.put_barrier(links[k - 1].first, packet_type::barrier_and, {before});
      b.put(links[k - 1].first, one_group(k), links[k - 1].second);
    }
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_EQ(r.order(), "1 2 3 4");
  for (uint64_t k = 2; k <= 4; ++k) EXPECT_GT(r.start_of(k), r.end_of(k - 1));
}

}  // namespace
}  // namespace pws::test::barrier_packets_test
