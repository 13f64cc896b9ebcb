// SPDX-License-Identifier: Apache-2.0
// A fault of a program is a record, an interrupt and a halted queue; after a reset the next kernel is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::faults_test {
namespace {

namespace r = models::gpu_register;
namespace v = models::gpu_value;
using models::fidelity;
using testing::HasSubstr;

constexpr uint64_t none = ~uint64_t{0};

// Sees the fault, resets, and sees a right kernel.
void recovers(driver& d, uint64_t out) {
  EXPECT_EQ(d.reg(r::status) & 2, 2u);
  EXPECT_EQ(d.reg(r::queue_state), v::queue_state_halted);
  d.set(r::control, 1);
  for (unsigned k = 0; k < 1000 && (d.reg(r::status) & 4) != 0; ++k) sc_core::sc_start(100, sc_core::SC_NS);
  EXPECT_EQ(d.reg(r::status), 0u);
  EXPECT_EQ(d.reg(r::fault_cause), 0u);
  EXPECT_EQ(d.reg(r::queue_state), v::queue_state_none);
  d.set_up_queue();
  EXPECT_EQ(d.run(d.packet("k0", out, 7)), 1u);
  EXPECT_EQ(d.words(out, 256)[255], 255u * 7);
}

void faults(fidelity f) {
  foreign_board board("board", small_gpu(f));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);

  isa::kernel_dispatch_packet p = d.packet("k1", out, 0);
  EXPECT_EQ(d.run(p), 2u);
  EXPECT_EQ(d.reg(r::fault_cause), v::fault_cause_program);
  EXPECT_EQ(d.reg(r::fault_queue), 0u);
  EXPECT_EQ(d.reg(r::fault_packet), 0u);
  EXPECT_EQ(d.reg(r::fault_kernel), p.kernel_object);
  EXPECT_NE(d.reg(r::fault_pc), 0u);
  EXPECT_EQ(d.reg(r::fault_lane), none);
  recovers(d, out);

  p = d.packet("k2", out, 0);
  EXPECT_EQ(d.run(p), 2u);
  EXPECT_EQ(d.reg(r::fault_cause), v::fault_cause_memory);
  EXPECT_EQ(d.reg(r::fault_packet), 1u);  // behind the right kernel
  EXPECT_EQ(d.reg(r::fault_lane), 37u);
  EXPECT_EQ(d.reg(r::fault_address), 16u);
  EXPECT_EQ(d.reg(r::fault_workgroup, 0, 0), 0u);
  EXPECT_THAT(d.fault_text(), HasSubstr("flat_store_dword v[8:9], v1, lane 37: write of 4 bytes at 0x10"));
  recovers(d, out);
}

SIMULATION(gpu_faults, programs_in_timing) {
  faults(fidelity::timing);
}
SIMULATION(gpu_faults, programs_in_functional) {
  faults(fidelity::functional);
}

SIMULATION(gpu_faults, a_kernel_without_end_ends_at_the_limit) {
  models::machine_config c = small_gpu(fidelity::timing);
  c.limits.max_cycles = 5000;
  foreign_board board("board", c);
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  EXPECT_EQ(d.run(d.packet("k3", out, 0)), 2u);
  EXPECT_EQ(d.reg(r::fault_cause), v::fault_cause_limit);
  EXPECT_THAT(d.fault_text(), HasSubstr("limits.max_cycles reached: 5000 cycles"));
  recovers(d, out);
}

// The limit counts cycles, however long they are.
SIMULATION(gpu_faults, the_limit_is_of_cycles_at_each_clock_ratio) {
  models::machine_config c = small_gpu(fidelity::timing);
  c.limits.max_cycles = 5000;
  foreign_board board("board", c);
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  sc_core::sc_start(20, sc_core::SC_US);
  d.set(r::clock_ratio, 3);
  const sc_core::sc_time before = sc_core::sc_time_stamp();
  EXPECT_EQ(d.run(d.packet("k3", out, 0)), 2u);
  EXPECT_EQ(d.reg(r::fault_cause), v::fault_cause_limit);
  const double ps = (sc_core::sc_time_stamp() - before).to_seconds() * 1e12;
  EXPECT_NEAR(ps, 5000 * 3.0 * static_cast<double>(d.reg(r::clock_period)), 2e6);  // time is looked at each 1 us
}

// What a packet, a queue or a signal names where nothing is, in either fidelity.
void wrong_packets(fidelity f) {
  foreign_board board("board", small_gpu(f));
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  const isa::kernel_dispatch_packet good = d.packet("k0", out, 1);
  constexpr uint64_t nowhere = 0x7000'0000'0000;
  const auto expect = [&](const std::string& text) {
    ASSERT_TRUE(d.wait()) << text;
    EXPECT_EQ(d.reg(r::fault_cause), v::fault_cause_packet) << text;
    EXPECT_EQ(d.reg(r::fault_queue), 0u) << text;
    EXPECT_THAT(d.fault_text(), HasSubstr(text));
    recovers(d, out);
    d.set(r::control, 1);
    sc_core::sc_start(10, sc_core::SC_US);
    d.set_up_queue();
  };
  isa::kernel_dispatch_packet p = good;
  p.kernel_object = nowhere;
  d.put(p);
  expect("the kernel's descriptor is at 0x700000000000, where no memory is");
  p = good;
  p.header = 0;
  d.put(p);
  expect("type 0 is neither a kernel dispatch nor a barrier");
  p = good;
  p.workgroup_size_x = 0;
  d.put(p);
  expect("grid and workgroup sizes must not be zero");
  p = good;
  p.grid_size_x = p.grid_size_y = p.grid_size_z = ~0u;
  p.workgroup_size_x = 1;
  d.put(p);
  expect("has 2^64 workgroups or more");
  p = good;
  p.group_segment_size = 1 << 30;
  d.put(p);
  expect("LDS");
  p = good;
  p.private_segment_size = 64;
  d.put(p);
  expect("bytes of scratch for every context of the machine; the queue has 0");
  p = good;
  p.completion_signal = nowhere;
  d.put(p);
  expect("the packet's completion signal is at 0x700000000020, where no memory is");
  d.set(r::queue_base, nowhere);
  d.set(r::queue_doorbell, 0);
  expect("the next packet is at 0x700000000000, where no memory is");
  d.set(r::queue_object, 0);
  d.put(good);
  expect("the queue's amd_queue_t is at 0x0, where no memory is");
}

SIMULATION(gpu_faults, packets_in_timing) {
  wrong_packets(fidelity::timing);
}
SIMULATION(gpu_faults, packets_in_functional) {
  wrong_packets(fidelity::functional);
}

// A descriptor whose entry point lies where no memory is, be that the last address of all: the fault says whose kernel
// it is, as every other one does.
void code_outside_memory(const models::machine_config& c, uint64_t nowhere, const std::string& text) {
  foreign_board board("board", c);
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096), descriptor = d.allocate(64);
  isa::kernel_dispatch_packet p = d.packet("k0", out, 1, 64);  // one workgroup
  std::array<uint8_t, 64> bytes{};
  d.read(p.kernel_object, bytes.data(), bytes.size());
  constexpr size_t entry_offset = 16;
  const uint64_t offset = nowhere - descriptor;
  std::memcpy(bytes.data() + entry_offset, &offset, sizeof offset);
  d.write(descriptor, bytes.data(), bytes.size());
  p.kernel_object = descriptor;
  EXPECT_EQ(d.run(p), 2u);
  EXPECT_EQ(d.reg(r::fault_cause), v::fault_cause_program);
  EXPECT_EQ(d.reg(r::fault_queue), 0u);
  EXPECT_EQ(d.reg(r::fault_packet), 0u);
  EXPECT_EQ(d.reg(r::fault_kernel), descriptor);
  EXPECT_EQ(d.reg(r::fault_pc), nowhere);
  EXPECT_EQ(d.reg(r::fault_workgroup, 0, 0), 0u);
  EXPECT_THAT(d.fault_text(), HasSubstr(text));
  recovers(d, out);
}

constexpr uint64_t hole = 0x7000'0000'0000, last_block = 0xffff'ffff'ffff'fff0;

SIMULATION(gpu_faults, code_outside_memory_in_timing) {
  code_outside_memory(small_gpu(fidelity::timing), hole, "there is no memory at 0x700000000000");
}
SIMULATION(gpu_faults, code_outside_memory_in_functional) {
  code_outside_memory(small_gpu(fidelity::functional), hole, "there is no memory at 0x700000000000");
}
SIMULATION(gpu_faults, code_at_the_last_address_in_timing) {
  code_outside_memory(small_gpu(fidelity::timing), last_block, "of all addresses cannot be fetched");
}
SIMULATION(gpu_faults, code_at_the_last_address_in_functional) {
  code_outside_memory(small_gpu(fidelity::functional), last_block, "0xfffffffffffffff0");
}

// With slots the instruction is there, and decoded, as soon as its fetch begins.
SIMULATION(gpu_faults, code_outside_memory_with_slots) {
  models::machine_config c = small_gpu(fidelity::timing);
  c.memory.arbitration = models::memory_arbitration::tdm;
  c.schedule = models::schedule_policy::tdm;
  code_outside_memory(c, hole, "there is no memory at 0x700000000000");
}

// The doorbell of a ring without room for so many, or of no ring, is refused.
SIMULATION(gpu_faults, doorbells) {
  foreign_board board("board", small_gpu(fidelity::timing));
  driver d(board, 0, false);
  const auto ring = [&](uint32_t queue, uint64_t last) {
    const uint64_t at = models::gpu_registers.address(r::queue_doorbell, queue);
    return d.access(tlm::TLM_WRITE_COMMAND, at, &last, 8);
  };
  EXPECT_EQ(ring(1, 0), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(ring(0, platform::device_layout::queue_packets), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(ring(0, ~uint64_t{0}), tlm::TLM_OK_RESPONSE);  // none: the index before the first
  EXPECT_EQ(ring(0, ~uint64_t{1}), tlm::TLM_GENERIC_ERROR_RESPONSE);
  sc_core::sc_start(1, sc_core::SC_US);
  EXPECT_EQ(d.reg(r::status), 0u);
}

}  // namespace
}  // namespace pws::test::faults_test
