// SPDX-License-Identifier: Apache-2.0
// Two GPUs in one simulation, each with its memory, at the same time.
#include <gtest/gtest.h>

#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::two_gpus_test {
namespace {

namespace r = models::gpu_register;

SIMULATION(two_gpus, run_beside_each_other) {
  foreign_board board("board", small_gpu(models::fidelity::timing), {}, 2);
  driver first(board, 0, false), second(board, 1, false);
  uint64_t out[2];
  driver* const all[2] = {&first, &second};
  for (size_t k = 0; k < 2; ++k) {
    all[k]->load(block_kernels());
    out[k] = all[k]->allocate(4096);
  }
  EXPECT_NE(out[0], out[1]);
  first.put(first.packet("k5", out[0], 300));
  second.put(second.packet("k5", out[1], 400));
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(first.reg(r::status), 1u);
  EXPECT_EQ(second.reg(r::status), 1u);
  ASSERT_TRUE(first.wait());
  ASSERT_TRUE(second.wait());
  EXPECT_EQ(first.words(out[0], 4)[3], 900u);
  EXPECT_EQ(second.words(out[1], 4)[3], 1200u);
  // A fault of one is not the other's.
  EXPECT_EQ(first.reg(r::interrupt_status), 1u);
  first.set(r::interrupt_status, 3);
  second.set(r::interrupt_status, 3);
  first.put(first.packet("k1", out[0], 0));
  second.put(second.packet("k0", out[1], 1));
  sc_core::sc_start(20, sc_core::SC_US);
  EXPECT_EQ(first.reg(r::interrupt_status), 2u);
  EXPECT_EQ(second.reg(r::interrupt_status), 1u);
}

// The same kernel at the same time on cold machines, one with a slower clock: the same cycles, to the last one.
void same_cycles_at(uint32_t ratio, const models::machine_config& machine) {
  foreign_board board("board", machine, {}, 2);
  driver first(board, 0, false), second(board, 1, false);
  driver* const all[2] = {&first, &second};
  sc_core::sc_start(3, sc_core::SC_US);
  isa::kernel_dispatch_packet packets[2];
  for (size_t k = 0; k < 2; ++k) {
    all[k]->load(block_kernels());
    packets[k] = all[k]->packet("k5", all[k]->allocate(1 << 16), 100, 4096);
    all[k]->set(r::clock_ratio, k == 0 ? 1 : ratio);
  }
  for (size_t k = 0; k < 2; ++k) all[k]->put(packets[k]);
  ASSERT_TRUE(first.wait());
  ASSERT_TRUE(second.wait());
  EXPECT_GT(first.reg(r::cycles_busy), 1000u);
  EXPECT_EQ(first.reg(r::cycles_busy), second.reg(r::cycles_busy));
  EXPECT_EQ(first.reg(r::l2_read_hits), second.reg(r::l2_read_hits));
}

SIMULATION(two_gpus, a_slower_clock_changes_no_cycle) {
  same_cycles_at(7, small_gpu(models::fidelity::timing));
}
SIMULATION(two_gpus, a_slower_clock_changes_no_cycle_of_divided_time) {
  models::machine_config c = small_gpu(models::fidelity::timing);
  c.memory.arbitration = models::memory_arbitration::tdm;
  c.memory.dram.page = models::page_policy::closed;
  c.schedule = models::schedule_policy::tdm;
  same_cycles_at(3, c);
}

}  // namespace
}  // namespace pws::test::two_gpus_test
