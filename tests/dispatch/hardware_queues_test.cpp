// SPDX-License-Identifier: Apache-2.0
// Kernels of several queues on the machine: how many there are at a time, whose workgroups start first, and what a
// fault in one of them does.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/dispatch/queue_bench.h"

namespace pws::test::hardware_queues_test {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t half_of_lds = 40 * 1024;  // of 64 KiB: two such workgroups do not fit a compute unit

queued_kernel kernel(uint64_t number, uint32_t workgroups = 1, uint32_t rounds = 100) {
  queued_kernel k;
  k.number = number;
  k.workgroups = workgroups;
  k.rounds = rounds;
  return k;
}

queued_kernel large(uint64_t number, uint32_t workgroups, uint32_t rounds = 100) {
  queued_kernel k = kernel(number, workgroups, rounds);
  k.lds = half_of_lds;
  return k;
}

TEST(hardware_queues, one_serves_kernels_of_two_queues_one_after_the_other) {
  const queue_report r = with_queues(small_machine(1), [](queue_bench& b) {
    const uint32_t first = b.add_queue(), second = b.add_queue();
    b.put(first, kernel(1));
    b.put(second, kernel(2));
    b.put(first, kernel(3));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_EQ(r.order(), "1 2 3");  // in turn: the first queue has had it
  EXPECT_GT(r.start_of(2), r.end_of(1));
  EXPECT_GT(r.start_of(3), r.end_of(2));
}

TEST(hardware_queues, two_run_kernels_of_two_queues_beside_each_other) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint32_t first = b.add_queue(), second = b.add_queue();
    b.put(first, kernel(1));
    b.put(second, kernel(2));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_EQ(r.start_of(2), r.start_of(1) + 1);  // one workgroup per cycle
  EXPECT_GT(r.end_of(1), r.start_of(2));
}

TEST(hardware_queues, a_third_kernel_waits_until_one_of_two_is_complete) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    for (uint32_t k = 1; k <= 3; ++k) b.put(b.add_queue(), kernel(k, 1, k == 2 ? 20 : 200));
    b.run();
  });
  EXPECT_EQ(r.order(), "1 2 3");
  EXPECT_GT(r.start_of(3), r.end_of(2));
  EXPECT_LT(r.start_of(3), r.end_of(1));
}

TEST(hardware_queues, the_next_kernel_is_that_of_the_highest_priority) {
  const queue_report r = with_queues(small_machine(1), [](queue_bench& b) {
    const uint32_t low = b.add_queue(0), middle = b.add_queue(1), high = b.add_queue(2);
    b.put(low, kernel(1));
    b.put(low, kernel(2));
    b.put(middle, kernel(3));
    b.put(high, kernel(4));
    b.put(high, kernel(5));
    b.run();
  });
  EXPECT_EQ(r.order(), "4 5 3 1 2");
}

// In which order workgroups start that each come from a queue of their own, with that priority.
std::string order_of(const std::vector<std::pair<uint64_t, queued_kernel>>& launches) {
  return with_queues(small_machine(static_cast<uint32_t>(launches.size())),
                     [&](queue_bench& b) {
                       for (const auto& [priority, launch] : launches) b.put(b.add_queue(priority), launch);
                       b.run();
                     })
      .order();
}

TEST(hardware_queues, workgroups_of_equal_queues_start_in_turn) {
  EXPECT_EQ(order_of({{1, large(1, 3)}, {1, large(2, 2)}, {1, large(3, 4)}}), "1 2 3 1 2 3 1 3 3");
}

TEST(hardware_queues, workgroups_of_the_higher_priority_start_first) {
  EXPECT_EQ(order_of({{0, large(1, 3)}, {7, large(2, 3)}, {0, large(3, 2)}}), "2 2 2 1 3 1 3 1");
}

TEST(hardware_queues, a_later_kernel_of_higher_priority_overtakes_one_that_has_begun) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint32_t low = b.add_queue(0), high = b.add_queue(1);
    b.put(low, large(1, 4));
    b.board().host.return_at_each(true);
    sc_core::sc_start(400 * b.gpu().clock.period());
    b.board().host.return_at_each(false);
    b.put(high, large(2, 2));
    b.run();
  });
  ASSERT_TRUE(r.done);
  EXPECT_EQ(r.order(), "1 2 2 1 1 1");  // what runs goes on
}

TEST(hardware_queues, where_a_workgroup_does_not_fit_the_next_kernel_s_does) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    b.put(b.add_queue(1), large(1, 2, 200));
    b.put(b.add_queue(0), kernel(2, 2, 20));
    b.run();
  });
  EXPECT_EQ(r.order(), "1 2 2 1");
  EXPECT_LT(r.end_of(2), r.end_of(1));
}

TEST(hardware_queues, a_kernel_too_large_to_fit_beside_another_waits_for_its_end) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    b.put(b.add_queue(), large(1, 1));
    b.put(b.add_queue(), large(2, 1));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_GT(r.start_of(2), r.end_of(1));
}

TEST(hardware_queues, kernels_share_all_contexts_of_all_compute_units) {
  models::machine_config machine = small_machine(4);
  machine.n_cu = 2;
  const queue_report r = with_queues(machine, [](queue_bench& b) {
    for (uint32_t k = 1; k <= 4; ++k) b.put(b.add_queue(), kernel(k, 6, 50 * k));
    b.run();
  });
  ASSERT_TRUE(r.done);
  ASSERT_EQ(r.workgroups.size(), 24u);
  for (size_t k = 0; k < 8; ++k) {  // eight contexts: two of each kernel, on both units
    EXPECT_EQ(r.workgroups[k].kernel, k % 4 + 1);
    EXPECT_EQ(r.workgroups[k].cu, k % 2);
    EXPECT_EQ(r.workgroups[k].workgroup, k / 4);
    EXPECT_EQ(r.workgroups[k].start, r.workgroups[0].start + k);
  }
  for (const placed_workgroup& w : r.workgroups) {
    size_t beside = 0;
    for (const placed_workgroup& v : r.workgroups) beside += v.cu == w.cu && v.start <= w.start && w.start <= v.end;
    EXPECT_LE(beside, 4u) << "contexts of unit " << w.cu;
  }
}

TEST(hardware_queues, a_packet_with_the_barrier_bit_waits_for_those_before_it) {
  const queue_report r = with_queues(small_machine(4), [](queue_bench& b) {
    const uint32_t queue = b.add_queue();
    queued_kernel second = kernel(2, 1, 20), fourth = kernel(4);
    second.waits = fourth.waits = false;
    b.put(queue, kernel(1));
    b.put(queue, second);
    b.put(queue, kernel(3));
    b.put(queue, fourth);
    b.run();
  });
  EXPECT_EQ(r.order(), "1 2 3 4");
  EXPECT_LT(r.end_of(2), r.end_of(1));
  EXPECT_GT(r.start_of(3), r.end_of(1));
  EXPECT_LT(r.start_of(4), r.end_of(3));
}

TEST(hardware_queues, kernels_of_one_queue_with_other_scratch_do_not_share_it) {
  for (const auto& [first, second, beside] : {std::tuple{64u, 128u, false}, {64u, 64u, true}, {0u, 64u, true}}) {
    const queue_report r = with_queues(small_machine(2), [&, a = first, c = second](queue_bench& b) {
      const uint32_t queue = b.add_queue();
      queued_kernel one = kernel(1), two = kernel(2);
      one.scratch_per_lane = a;
      two.scratch_per_lane = c;
      two.waits = false;
      b.put(queue, one);
      b.put(queue, two);
      b.run();
    });
    EXPECT_EQ(r.start_of(2) < r.end_of(1), beside) << first << ", " << second;
  }
}

TEST(hardware_queues, a_ring_is_written_over_and_over) {
  static constexpr uint64_t packets = 4, kernels = 23;
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint32_t first = b.add_queue(0, packets), second = b.add_queue(0, packets);
    uint64_t put = 0;
    while (put < kernels) {
      while (put < kernels && b.board().host.room(put % 2 == 0 ? first : second) != 0) {
        b.put(put % 2 == 0 ? first : second, kernel(put + 1, 1, 20 + static_cast<uint32_t>(put)));
        ++put;
      }
      b.board().host.return_at_each(true);
      sc_core::sc_start();
      b.board().host.return_at_each(false);
    }
    b.run();
    EXPECT_EQ(b.board().host.room(first), packets);
  });
  ASSERT_TRUE(r.done);
  ASSERT_EQ(r.workgroups.size(), kernels);
  for (uint64_t k = 3; k <= kernels; ++k) EXPECT_GT(r.start_of(k), r.end_of(k - 2)) << k;
}

TEST(hardware_queues, a_packet_keeps_its_place_until_those_before_it_are_complete) {  // its kernel may read it
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    const uint32_t queue = b.add_queue(0, 4);
    queued_kernel second = kernel(2, 1, 20);
    second.waits = false;
    b.put(queue, kernel(1, 1, 500));
    b.put(queue, second);
    EXPECT_EQ(b.board().host.room(queue), 2u);
    b.board().host.return_at_each(true);
    sc_core::sc_start();  // until the second one is complete
    EXPECT_EQ(b.board().host.room(queue), 2u);
    b.board().host.return_at_each(false);
    b.run();
    EXPECT_EQ(b.board().host.room(queue), 4u);
  });
  EXPECT_LT(r.end_of(2), r.end_of(1));
}

TEST(hardware_queues, a_full_ring_takes_no_packet) {
  EXPECT_THAT(
      [] {
        with_queues(small_machine(1), [](queue_bench& b) {
          platform::quiet_systemc();
          const uint32_t queue = b.add_queue(0, 2);
          for (uint64_t k = 1; k <= 3; ++k) b.put(queue, kernel(k));
        });
      },
      ::testing::ThrowsMessage<std::runtime_error>(HasSubstr("exit status")));
}

TEST(hardware_queues, a_fault_in_one_queue_stops_the_machine) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    queued_kernel bad = kernel(2);
    bad.faults = true;
    const uint64_t signal = b.add_signal(), of_bad = b.add_signal();
    b.put(b.add_queue(), kernel(1, 1, 1000), signal);
    b.put(b.add_queue(), bad, of_bad);
    b.run();
    EXPECT_EQ(b.value_of(signal), 1);
    EXPECT_EQ(b.value_of(of_bad), 1);
    EXPECT_TRUE(b.gpu().dispatcher.busy());
    EXPECT_EQ(b.gpu().dispatcher.noted()->launch, 2u);
  });
  EXPECT_FALSE(r.done);
  EXPECT_THAT(r.fault, HasSubstr("kernel k1, workgroup (0,0,0)"));
}

TEST(hardware_queues, a_packet_that_is_none_is_named_with_its_queue) {
  const queue_report r = with_queues(small_machine(2), [](queue_bench& b) {
    b.put(b.add_queue(), kernel(1, 1, 1000));
    const uint32_t second = b.add_queue();
    b.put(second, kernel(2, 1, 20));
    b.put_barrier(second, isa::packet_type::agent_dispatch, {});
    b.run();
  });
  EXPECT_EQ(r.fault, "AQL packet 1 of queue 2: type 4 is neither a kernel dispatch nor a barrier");
}

// Two producers share a queue: the second one's doorbell rings before the first one has written its packet's header. It
// does so later, or never.
queue_report shared_queue(bool is_written) {
  return with_queues(small_machine(2), [is_written](queue_bench& b) {
    const uint32_t shared = b.add_queue(), other = b.add_queue();
    isa::kernel_dispatch_packet first = b.packet_of(kernel(1));
    const uint16_t header = first.header;
    first.header = isa::packet_header(isa::packet_type::invalid, true, isa::fence_scope::none, isa::fence_scope::none);
    const uint64_t place = b.gpu().dispatcher.queue(shared).address_of_next();
    b.board().host.submit(first, shared);
    b.put(shared, kernel(2));
    b.put(other, kernel(3));
    b.run();
    b.report().times.push_back(b.report().workgroups.size());
    if (!is_written) return;
    b.board().host.write(place, &header, sizeof header);
    b.gpu().dispatcher.ring(shared, 0);
    b.run();
  });
}

TEST(hardware_queues, an_invalid_packet_is_waited_for_until_its_doorbell) {
  const queue_report r = shared_queue(true);
  EXPECT_EQ(r.times.at(0), 1u);
  EXPECT_EQ(r.order(), "3 1 2");
  EXPECT_TRUE(r.done) << r.fault;
  EXPECT_EQ(r.waiting, "");
}

TEST(hardware_queues, a_packet_that_stays_invalid_is_named) {
  const queue_report r = shared_queue(false);
  EXPECT_EQ(r.order(), "3");
  EXPECT_FALSE(r.done);
  EXPECT_EQ(r.fault, "");
  EXPECT_EQ(r.waiting,
            "  AQL packet 0 of queue 1 is of type INVALID: the queue waits for the doorbell behind its header\n");
}

TEST(hardware_queues, the_limit_of_cycles_is_each_kernel_s_own) {
  models::machine_config machine = small_machine(2);
  machine.limits.max_cycles = 20'000;
  const queue_report r = with_queues(machine, [](queue_bench& b) {
    const uint32_t first = b.add_queue(), second = b.add_queue();
    for (uint64_t k = 1; k <= 6; ++k) b.put(first, kernel(k, 1, 300));  // the six take longer than the limit
    b.put(second, kernel(7, 1, 50));
    b.run();
    b.report().times.push_back(b.gpu().clock.now());
  });
  EXPECT_TRUE(r.done) << r.fault;
  EXPECT_GT(r.times.at(0), machine.limits.max_cycles);
  const queue_report stopped = with_queues(machine, [](queue_bench& b) {
    b.put(b.add_queue(), kernel(1, 1, 50));
    b.put(b.add_queue(), kernel(2, 1, 100'000));
    b.run();
    b.report().times.push_back(b.gpu().clock.now());
  });
  EXPECT_THAT(stopped.fault, HasSubstr("limits.max_cycles reached"));
  EXPECT_EQ(stopped.times.at(0), machine.limits.max_cycles);
}

TEST(hardware_queues, two_runs_are_the_same) {
  models::machine_config machine = small_machine(3);
  machine.n_cu = 2;
  const auto body = [](queue_bench& b) {
    for (uint32_t k = 1; k <= 5; ++k) b.put(b.add_queue(k % 2), kernel(k, 7, 10 * k));
    b.run();
  };
  const queue_report one = with_queues(machine, body), two = with_queues(machine, body);
  ASSERT_EQ(one.workgroups.size(), 35u);
  ASSERT_EQ(two.workgroups.size(), 35u);
  for (size_t k = 0; k < 35; ++k) {
    EXPECT_EQ(one.workgroups[k].kernel, two.workgroups[k].kernel);
    EXPECT_EQ(one.workgroups[k].start, two.workgroups[k].start);
    EXPECT_EQ(one.workgroups[k].end, two.workgroups[k].end);
  }
}

TEST(hardware_queues, functional_fidelity_runs_them_all) {
  models::machine_config machine = small_machine(2);
  machine.fidelity = models::fidelity::functional;
  const queue_report r = with_queues(machine, [](queue_bench& b) {
    b.put(b.add_queue(), large(1, 2));
    b.put(b.add_queue(), large(2, 2));
    b.put(b.add_queue(), kernel(3, 9));
    b.run();
  });
  EXPECT_TRUE(r.done) << r.fault;
  EXPECT_EQ(r.workgroups.size(), 13u);
}

}  // namespace
}  // namespace pws::test::hardware_queues_test
