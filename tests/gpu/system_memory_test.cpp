// SPDX-License-Identifier: Apache-2.0
// Packets, code, arguments, signals and buffers in a memory that is not the GPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::system_memory_test {
namespace {

namespace r = models::gpu_register;
using models::fidelity;
using testing::HasSubstr;

void all_of_it_outside(fidelity f, const memory_manner& manner) {
  foreign_board board("board", with_system_memory(f), manner);
  driver d(board, 0, true);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  ASSERT_TRUE(board.gpu().memory.system.holds(out));
  ASSERT_EQ(d.run(d.packet("k0", out, 9)), 1u) << d.fault_text();
  const std::vector<uint32_t> found = d.words(out, 256);
  for (uint32_t k = 0; k < 256; ++k) ASSERT_EQ(found[k], 9 * k);
  const uint32_t zero = 0;
  d.write(out, &zero, sizeof zero);
  ASSERT_EQ(d.run(d.packet("k4", out, 3)), 1u) << d.fault_text();
  EXPECT_EQ(d.words(out, 1)[0], 3u * 256);
  const foreign_memory& m = *board.memories[0];
  EXPECT_GT(m.blocking, 0u);  // the packets
  EXPECT_EQ(m.reads != 0, f == fidelity::timing);
  EXPECT_EQ(m.debugs != 0, !manner.dmi || m.debugs != 0);
  EXPECT_EQ(board.gpu().memory.system.errors(), 0u);
}

SIMULATION(gpu_system_memory, timing_with_dmi) {
  all_of_it_outside(fidelity::timing, {});
}
SIMULATION(gpu_system_memory, timing_without_dmi_in_four_phases) {
  memory_manner m;
  m.dmi = false;
  m.waits = true;
  all_of_it_outside(fidelity::timing, m);
}
SIMULATION(gpu_system_memory, functional_with_dmi) {
  all_of_it_outside(fidelity::functional, {});
}
SIMULATION(gpu_system_memory, functional_without_dmi) {
  memory_manner m;
  m.dmi = false;
  m.waits = true;
  all_of_it_outside(fidelity::functional, m);
}

// A slower memory takes longer, and a grant that is taken back is not used.
SIMULATION(gpu_system_memory, latency_and_revoked_dmi) {
  memory_manner slow;
  slow.latency = sc_core::sc_time(2, sc_core::SC_US);
  foreign_board board("board", with_system_memory(fidelity::timing), slow);
  driver d(board, 0, true);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  ASSERT_EQ(d.run(d.packet("k0", out, 1)), 1u);
  EXPECT_GT(d.reg(r::cycles_busy), 2 * 2000u);  // code and arguments one after the other, at 1 GHz
  board.memories[0]->revoke_dmi();
  const uint64_t before = board.memories[0]->debugs;
  ASSERT_EQ(d.run(d.packet("k0", out, 2)), 1u);
  EXPECT_EQ(d.words(out, 2)[1], 2u);
  EXPECT_GT(board.memories[0]->debugs, before);
}

SIMULATION(gpu_system_memory, without_any_access_it_is_a_fault) {
  memory_manner closed;
  foreign_board board("board", with_system_memory(fidelity::timing), closed);
  driver d(board, 0, false);
  d.load(block_kernels());
  // Behind the memory: the range of the key ends before.
  const uint64_t behind = board.gpu().config.memory.system.base + board.gpu().config.memory.system.bytes();
  EXPECT_EQ(d.run(d.packet("k0", behind, 1)), 2u);
  EXPECT_EQ(d.reg(r::fault_address), behind);
}

SIMULATION(gpu_system_memory, neither_dmi_nor_debug_is_a_fault) {
  memory_manner closed;
  closed.dmi = closed.debug = false;
  foreign_board board("board", with_system_memory(fidelity::timing), closed);
  driver d(board, 0, false);
  d.load(block_kernels());
  EXPECT_EQ(d.run(d.packet("k0", board.gpu().config.memory.system.base, 1)), 2u);
  EXPECT_THAT(d.fault_text(), HasSubstr("system memory, which gives neither direct nor debug access"));
}

// A reset while the dispatcher waits for a packet on the bus.
SIMULATION(gpu_system_memory, reset_during_a_transfer) {
  memory_manner slow;
  slow.waits = true;
  slow.latency = sc_core::sc_time(5, sc_core::SC_US);
  foreign_board board("board", with_system_memory(fidelity::timing), slow);
  driver d(board, 0, true);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  for (unsigned k = 1; k < 40; ++k) {
    d.put(d.packet("k0", out, k));
    sc_core::sc_start(k * 1300.0, sc_core::SC_NS);
    d.set(r::control, 1);
    for (unsigned n = 0; n < 1000 && (d.reg(r::status) & 4) != 0; ++n) sc_core::sc_start(1, sc_core::SC_US);
    ASSERT_EQ(d.reg(r::status), 0u) << k;
    d.set_up_queue();
  }
  ASSERT_EQ(d.run(d.packet("k0", out, 5)), 1u) << d.fault_text();
  EXPECT_EQ(d.words(out, 4)[3], 15u);
}

}  // namespace
}  // namespace pws::test::system_memory_test
