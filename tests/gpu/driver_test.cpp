// SPDX-License-Identifier: Apache-2.0
// Kernels that a driver starts who knows the registers alone.
#include <gtest/gtest.h>

#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::driver_test {
namespace {

namespace r = models::gpu_register;
using models::fidelity;

void a_kernel_runs(fidelity f) {
  block_kernels();
  foreign_board board("board", small_gpu(f));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  EXPECT_EQ(d.reg(r::status), 0u);
  EXPECT_EQ(d.reg(r::queue_state), models::gpu_value::queue_state_ready);
  for (uint32_t value = 1; value <= 3; ++value) {
    EXPECT_EQ(d.run(d.packet("k0", out, value)), 1u);
    const std::vector<uint32_t> found = d.words(out, 256);
    for (uint32_t k = 0; k < 256; ++k) ASSERT_EQ(found[k], k * value);
    EXPECT_FALSE(board.places[0]->interrupt.read());
    EXPECT_EQ(d.reg(r::queue_read_index), value);
  }
  EXPECT_EQ(d.reg(r::kernels), 3u);
  EXPECT_EQ(d.reg(r::workgroups), 12u);
  EXPECT_EQ(d.reg(r::wavefronts), 12u);
  EXPECT_GT(d.reg(r::instructions), 12u * 10);
  EXPECT_GT(d.reg(r::cycles_busy), f == fidelity::timing ? 100u : 0u);
  EXPECT_EQ(d.reg(r::bad_accesses), 0u);
}

SIMULATION(gpu_driver, a_kernel_runs_in_timing) {
  a_kernel_runs(fidelity::timing);
}
SIMULATION(gpu_driver, a_kernel_runs_in_functional) {
  a_kernel_runs(fidelity::functional);
}

// Other code at the same place, as a driver puts it there that reuses memory.
SIMULATION(gpu_driver, code_that_changes_is_decoded_again) {
  foreign_board board("board", small_gpu(fidelity::timing));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  const isa::kernel_dispatch_packet p = d.packet("k0", out, 3);
  EXPECT_EQ(d.run(p), 1u);
  EXPECT_EQ(d.words(out, 8)[7], 21u);
  // v_mul_lo_u32 of k0 becomes one of k4's instructions: all that is left is to find it.
  std::vector<uint8_t> descriptor(64);
  d.read(p.kernel_object, descriptor.data(), descriptor.size());
  int64_t offset = 0;
  std::memcpy(&offset, &descriptor[16], sizeof offset);
  const uint64_t entry = p.kernel_object + static_cast<uint64_t>(offset);
  std::vector<uint32_t> code = d.words(entry, 32);
  size_t mul = 0;
  while (code[mul] >> 16 != 0xd285) ++mul;
  const uint32_t mov[2] = {0x7e040206, 0xbf800000};  // v_mov_b32 v2, s6; s_nop 0
  d.write(entry + 4 * mul, mov, sizeof mov);
  EXPECT_EQ(d.run(p), 1u);
  EXPECT_EQ(d.words(out, 8)[7], 3u);
}

SIMULATION(gpu_driver, polling_sees_what_the_interrupt_says) {
  foreign_board board("board", small_gpu(fidelity::timing));
  driver d(board, 0, false);
  d.load(block_kernels());
  d.set(r::interrupt_mask, 0);
  const uint64_t out = d.allocate(4096);
  d.put(d.packet("k0", out, 5));
  unsigned polls = 0;
  while (d.reg(r::queue_read_index) == 0 && ++polls < 10000) sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_LT(polls, 10000u);
  EXPECT_FALSE(board.places[0]->interrupt.read());
  EXPECT_EQ(d.reg(r::interrupt_status), 1u);
  // Unmasked, what has happened raises the line.
  d.set(r::interrupt_mask, 1);
  EXPECT_TRUE(d.wait());
  EXPECT_EQ(d.words(out, 2)[1], 5u);
}

// GPU cycles of `ratio` periods: the same cycles, so many times the time.
SIMULATION(gpu_driver, the_clock_ratio_stretches_time) {
  foreign_board board("board", small_gpu(fidelity::timing));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  const isa::kernel_dispatch_packet p = d.packet("k5", out, 500);
  for (unsigned k = 0; k < 2; ++k) d.run(p);  // warms the caches
  const uint64_t warm = d.reg(r::cycles_busy);
  d.run(p);
  const uint64_t cycles = d.reg(r::cycles_busy) - warm;
  d.set(r::clock_ratio, 7);
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  d.run(p);
  const double ps = (sc_core::sc_time_stamp() - before).to_seconds() * 1e12;
  const double kernel = static_cast<double>(cycles * 7 * d.reg(r::clock_period));
  // Whose turn it is first depends on the cycle's number; and time is looked at each 1 us.
  EXPECT_NEAR(ps, kernel, 0.03 * kernel + 1e6);
  // Not below 1, and not while it works.
  uint64_t zero = 0, two = 2;
  const uint64_t at = models::gpu_registers.address(r::clock_ratio);
  EXPECT_EQ(d.access(tlm::TLM_WRITE_COMMAND, at, &zero, 8), tlm::TLM_GENERIC_ERROR_RESPONSE);
  d.put(p);
  EXPECT_EQ(d.access(tlm::TLM_WRITE_COMMAND, at, &two, 8), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(d.reg(r::clock_ratio), 7u);
  EXPECT_EQ(d.reg(r::bad_accesses), 2u);
}

}  // namespace
}  // namespace pws::test::driver_test
