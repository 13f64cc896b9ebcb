// SPDX-License-Identifier: Apache-2.0
// Resets in the middle of kernels: the next kernel is right, takes the cycles that it takes after any reset, and
// nothing is left of the one before.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::reset_test {
namespace {

namespace r = models::gpu_register;
using models::divergence_kind;
using models::fidelity;

void wait_for_reset(driver& d) {
  for (unsigned k = 0; k < 100000 && (d.reg(r::status) & 4) != 0; ++k) sc_core::sc_start(100, sc_core::SC_NS);
  ASSERT_EQ(d.reg(r::status), 0u);
}

unsigned resets() {
  const char* const n = std::getenv("PWS_RESETS");
  return n == nullptr ? 60 : static_cast<unsigned>(std::atoi(n));
}

void random_resets(const models::machine_config& c, uint64_t seed) {
  foreign_board board("board", c);
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(1 << 16);
  std::mt19937_64 random(seed);
  const unsigned n = resets();
  for (unsigned k = 0; k < n; ++k) {
    const char* const kernels[] = {"k0", "k3", "k4", "k5"};
    d.put(d.packet(kernels[random() % 4], out, static_cast<uint32_t>(1 + random() % 50), 64u << random() % 8));
    sc_core::sc_start(static_cast<double>(1 + random() % 3000), sc_core::SC_NS);
    d.set(r::control, 1);
    ASSERT_NO_FATAL_FAILURE(wait_for_reset(d));
    EXPECT_EQ(board.gpu().cus[0]->mif.in_flight(), 0u);
    EXPECT_TRUE(board.gpu().cus[0]->idle());
    d.set_up_queue();
    const std::vector<uint32_t> zeros(1024);
    d.write(out, zeros.data(), zeros.size() * 4);
    ASSERT_EQ(d.run(d.packet("k0", out, 3, 1024)), 1u) << "reset " << k << ": " << d.fault_text();
    const std::vector<uint32_t> found = d.words(out, 1024);
    for (uint32_t i = 0; i < 1024; ++i) ASSERT_EQ(found[i], 3 * i) << "reset " << k;
  }
  d.set(r::control, 1);
  ASSERT_NO_FATAL_FAILURE(wait_for_reset(d));
  EXPECT_EQ(board.gpu().cus[0]->mif.operations().in_use(), 0u);
}

SIMULATION(gpu_reset, at_random_times_with_splitting) {
  random_resets(small_gpu(fidelity::timing), 1);
}
SIMULATION(gpu_reset, at_random_times_with_a_stack) {
  models::machine_config c = small_gpu(fidelity::timing);
  c.divergence = divergence_kind::stack;
  random_resets(c, 2);
}
SIMULATION(gpu_reset, at_random_times_with_formed_warps) {
  models::machine_config c = small_gpu(fidelity::timing);
  c.divergence = divergence_kind::dwf;
  random_resets(c, 3);
}

// A slower clock ends with the reset, as its register says.
SIMULATION(gpu_reset, the_clock_ratio_is_1_again) {
  foreign_board board("board", small_gpu(fidelity::timing));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  sc_core::sc_start(5, sc_core::SC_US);
  d.set(r::clock_ratio, 200);
  d.put(d.packet("k5", out, 100));
  sc_core::sc_start(40, sc_core::SC_US);
  d.set(r::control, 1);
  ASSERT_NO_FATAL_FAILURE(wait_for_reset(d));
  EXPECT_EQ(d.reg(r::clock_ratio), 1u);
  d.set_up_queue();
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  ASSERT_EQ(d.run(d.packet("k5", out, 100)), 1u);
  const double ps = (sc_core::sc_time_stamp() - before).to_seconds() * 1e12;
  EXPECT_NEAR(ps, static_cast<double>(d.reg(r::cycles_busy) * d.reg(r::clock_period)), 2e6);
}

// The line: held, nothing runs and nothing is taken; released, it is as after the register's reset.
SIMULATION(gpu_reset, by_the_line) {
  foreign_board board("board", small_gpu(fidelity::timing));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  d.put(d.packet("k3", out, 0));
  sc_core::sc_start(2, sc_core::SC_US);
  EXPECT_EQ(d.reg(r::status), 1u);
  board.places[0]->reset.write(true);
  sc_core::sc_start(5, sc_core::SC_US);
  EXPECT_EQ(d.reg(r::status), 4u);
  EXPECT_EQ(d.reg(r::instructions), 0u);
  board.places[0]->reset.write(false);
  sc_core::sc_start(5, sc_core::SC_US);
  EXPECT_EQ(d.reg(r::status), 0u);
  d.set_up_queue();
  EXPECT_EQ(d.run(d.packet("k0", out, 2)), 1u);
  EXPECT_EQ(d.words(out, 2)[1], 2u);
}

}  // namespace
}  // namespace pws::test::reset_test
