// SPDX-License-Identifier: Apache-2.0
// Queues that may use some of the compute units alone.
#include <gtest/gtest.h>

#include <set>

#include "tests/dispatch/queue_bench.h"

namespace pws::test::cu_masks_test {
namespace {

using models::cu_mask;

models::machine_config machine_of(uint32_t n_cu, uint32_t hardware_queues = 1) {
  models::machine_config c = small_machine(hardware_queues);
  c.n_cu = n_cu;
  return c;
}

cu_mask mask_of(const std::vector<uint32_t>& cus) {
  cu_mask m = cu_mask::none();
  for (const uint32_t cu : cus) m.add(cu);
  return m;
}

queued_kernel of_workgroups(uint64_t number, uint32_t workgroups, uint32_t rounds = 100) {
  queued_kernel k;
  k.number = number;
  k.workgroups = workgroups;
  k.rounds = rounds;
  return k;
}

std::set<uint32_t> units_of(const queue_report& r, uint64_t kernel) {
  std::set<uint32_t> all;
  for (const placed_workgroup& w : r.workgroups)
    if (w.kernel == kernel) all.insert(w.cu);
  return all;
}

TEST(cu_masks, all_units_at_first) {
  const queue_report r = with_queues(machine_of(3), [](queue_bench& b) {
    b.put(b.add_queue(), of_workgroups(1, 6));
    b.run();
  });
  EXPECT_EQ(units_of(r, 1), (std::set<uint32_t>{0, 1, 2}));
}

TEST(cu_masks, workgroups_go_to_the_queues_units) {
  const queue_report r = with_queues(machine_of(4), [](queue_bench& b) {
    const uint32_t masked = b.add_queue(0, 16, mask_of({1, 3})), all = b.add_queue();
    b.put(masked, of_workgroups(1, 20));
    b.put(all, of_workgroups(2, 8));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_EQ(units_of(r, 1), (std::set<uint32_t>{1, 3}));
  EXPECT_EQ(units_of(r, 2), (std::set<uint32_t>{0, 1, 2, 3}));
}

TEST(cu_masks, units_above_63_have_words_of_their_own) {
  const queue_report r = with_queues(machine_of(200), [](queue_bench& b) {
    b.put(b.add_queue(0, 16, mask_of({63, 64, 199})), of_workgroups(1, 6));
    b.run();
  });
  EXPECT_EQ(units_of(r, 1), (std::set<uint32_t>{63, 64, 199}));
}

TEST(cu_masks, kernels_on_units_of_their_own_run_beside_each_other) {
  const queue_report r = with_queues(machine_of(2, 2), [](queue_bench& b) {
    b.put(b.add_queue(0, 16, mask_of({0})), of_workgroups(1, 12));
    b.put(b.add_queue(0, 16, mask_of({1})), of_workgroups(2, 12));
    b.run();
  });
  EXPECT_EQ(units_of(r, 1), std::set<uint32_t>{0});
  EXPECT_EQ(units_of(r, 2), std::set<uint32_t>{1});
  EXPECT_LT(r.start_of(2), r.end_of(1));
}

TEST(cu_masks, a_masks_units_take_turns_whatever_is_placed_in_between) {
  const queue_report r = with_queues(machine_of(4, 2), [](queue_bench& b) {
    b.put(b.add_queue(0, 16, mask_of({1})), of_workgroups(1, 2));
    b.put(b.add_queue(0, 16, mask_of({0, 3})), of_workgroups(2, 2));
    b.run();
  });
  EXPECT_EQ(units_of(r, 2), (std::set<uint32_t>{0, 3}));
}

// What fits nowhere in its mask lets the next kernel pass, on other units.
TEST(cu_masks, a_full_unit_holds_up_its_own_queue_alone) {
  const queue_report r = with_queues(machine_of(2, 3), [](queue_bench& b) {
    b.put(b.add_queue(0, 16, mask_of({0})), of_workgroups(1, 4, 2000));
    b.put(b.add_queue(1, 16, mask_of({0})), of_workgroups(2, 1));
    b.put(b.add_queue(0, 16, mask_of({1})), of_workgroups(3, 1));
    b.run();
  });
  EXPECT_TRUE(r.done);
  EXPECT_LT(r.end_of(3), r.end_of(1));
}

TEST(cu_masks, a_queue_of_no_units_never_begins) {
  const queue_report r = with_queues(machine_of(2), [](queue_bench& b) {
    b.put(b.add_queue(0, 16, cu_mask::none()), of_workgroups(1, 1));
    b.run();
  });
  EXPECT_FALSE(r.done);
  EXPECT_TRUE(r.workgroups.empty());
  EXPECT_NE(r.fault.find("limits.max_cycles reached"), std::string::npos) << r.fault;
}

}  // namespace
}  // namespace pws::test::cu_masks_test
