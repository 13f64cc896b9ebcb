// SPDX-License-Identifier: Apache-2.0
// Packets, code, arguments, signals, buffers and scratch in a memory that is not in the GPU: the board's, at the socket
// `system`, or the GPU's own, at the socket `local`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "models/bus/bus_access.h"
#include "platform/machine/virtual_platform.h"
#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::outside_memory_test {
namespace {

namespace r = models::gpu_register;
using models::fidelity;
using testing::HasSubstr;

enum class at { system, local };

models::machine_config machine_of(at where, fidelity f) {
  return where == at::system ? with_system_memory(f) : with_local_socket(f);
}
foreign_memory& memory_of(foreign_board& board, at where) {
  return *(where == at::system ? board.memories : board.locals).front();
}
models::memory_port& port_of(foreign_board& board, at where) {
  return where == at::system ? board.gpu().memory.system : board.gpu().memory.local;
}

memory_manner closed_in_four_phases() {
  memory_manner m;
  m.dmi = false;
  m.waits = true;
  return m;
}

void all_of_it_outside(at where, fidelity f, const memory_manner& manner) {
  foreign_board board("board", machine_of(where, f), manner);
  driver d(board, 0, where == at::system);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  ASSERT_TRUE(port_of(board, where).holds(out));
  ASSERT_EQ(d.run(d.packet("k0", out, 9)), 1u) << d.fault_text();
  const std::vector<uint32_t> found = d.words(out, 256);
  for (uint32_t k = 0; k < 256; ++k) ASSERT_EQ(found[k], 9 * k);
  const uint32_t zero = 0;
  d.write(out, &zero, sizeof zero);
  ASSERT_EQ(d.run(d.packet("k4", out, 3)), 1u) << d.fault_text();
  EXPECT_EQ(d.words(out, 1)[0], 3u * 256);
  const foreign_memory& m = memory_of(board, where);
  EXPECT_GT(m.blocking, 0u);  // the packets
  EXPECT_EQ(m.reads != 0, f == fidelity::timing);
  EXPECT_TRUE(manner.dmi || m.debugs > 256);
  EXPECT_EQ(port_of(board, where).errors(), 0u);
  EXPECT_EQ(d.reg(r::dram_reads) != 0, where == at::local && f == fidelity::timing);
}

SIMULATION(gpu_system_memory, timing_with_dmi) {
  all_of_it_outside(at::system, fidelity::timing, {});
}
SIMULATION(gpu_system_memory, timing_without_dmi_in_four_phases) {
  all_of_it_outside(at::system, fidelity::timing, closed_in_four_phases());
}
SIMULATION(gpu_system_memory, functional_with_dmi) {
  all_of_it_outside(at::system, fidelity::functional, {});
}
SIMULATION(gpu_system_memory, functional_without_dmi) {
  all_of_it_outside(at::system, fidelity::functional, closed_in_four_phases());
}
SIMULATION(gpu_local_memory, timing_with_dmi) {
  all_of_it_outside(at::local, fidelity::timing, {});
}
SIMULATION(gpu_local_memory, timing_without_dmi_in_four_phases) {
  all_of_it_outside(at::local, fidelity::timing, closed_in_four_phases());
}
SIMULATION(gpu_local_memory, functional_with_dmi) {
  all_of_it_outside(at::local, fidelity::functional, {});
}
SIMULATION(gpu_local_memory, functional_without_dmi) {
  all_of_it_outside(at::local, fidelity::functional, closed_in_four_phases());
}

// A memory that grants access to a part at a time, of an odd number of bytes: accesses lie across the ends.
SIMULATION(gpu_local_memory, dmi_in_parts) {
  memory_manner parts;
  parts.dmi_part = 1001;
  all_of_it_outside(at::local, fidelity::timing, parts);
}
SIMULATION(gpu_local_memory, dmi_in_parts_alone) {
  memory_manner parts;
  parts.dmi_part = 4096 + 12;
  foreign_board board("board", with_local_socket(fidelity::functional), parts);
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(1 << 16);
  ASSERT_EQ(d.run(d.packet("k0", out, 7, 16384)), 1u) << d.fault_text();
  const std::vector<uint32_t> found = d.words(out, 16384);
  for (uint32_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], 7 * k);
}

// Lines that are written back: many times as many as the L2 holds, and the bytes are the kernel's.
void written_back(at where) {
  models::machine_config c = machine_of(where, fidelity::timing);
  c.memory.l2.banks = 2;
  c.memory.l2.bank.size_kib = 1;
  c.memory.l2.bank.ways = 2;
  foreign_board board("board", c, closed_in_four_phases());
  driver d(board, 0, where == at::system);
  d.load(block_kernels());
  const uint64_t out = d.allocate(1 << 16);
  ASSERT_EQ(d.run(d.packet("k0", out, 5, 16384)), 1u) << d.fault_text();
  sc_core::sc_start(1, sc_core::SC_MS);  // nobody has waited for them
  EXPECT_GT(memory_of(board, where).writes, 500u);
  const std::vector<uint32_t> found = d.words(out, 16384);
  for (uint32_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], 5 * k);
}
SIMULATION(gpu_system_memory, lines_are_written_back) {
  written_back(at::system);
}
SIMULATION(gpu_local_memory, lines_are_written_back) {
  written_back(at::local);
}

// A slower memory takes longer, and a grant that is taken back is not used.
void latency_and_revoked_dmi(at where) {
  memory_manner slow;
  slow.latency = sc_core::sc_time(2, sc_core::SC_US);
  foreign_board board("board", machine_of(where, fidelity::timing), slow);
  driver d(board, 0, where == at::system);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  ASSERT_EQ(d.run(d.packet("k0", out, 1)), 1u);
  EXPECT_GT(d.reg(r::cycles_busy), 2 * 2000u);  // code and arguments one after the other, at 1 GHz
  foreign_memory& m = memory_of(board, where);
  m.revoke_dmi();
  const uint64_t before = m.debugs;
  ASSERT_EQ(d.run(d.packet("k0", out, 2)), 1u);
  EXPECT_EQ(d.words(out, 2)[1], 2u);
  EXPECT_GT(m.debugs, before + 256);
}
SIMULATION(gpu_system_memory, latency_and_revoked_dmi) {
  latency_and_revoked_dmi(at::system);
}
SIMULATION(gpu_local_memory, latency_and_revoked_dmi) {
  latency_and_revoked_dmi(at::local);
}

void behind_it_is_a_fault(at where) {
  foreign_board board("board", machine_of(where, fidelity::timing));
  driver d(board, 0, false);
  d.load(block_kernels());
  const models::memory_config& m = board.gpu().config.memory;
  const uint64_t behind =
      where == at::system ? m.system.base + m.system.bytes() : m.dram.base() + m.dram.bytes();  // the keys' range
  EXPECT_EQ(d.run(d.packet("k0", behind, 1)), 2u);
  EXPECT_EQ(d.reg(r::fault_address), behind);
}
SIMULATION(gpu_system_memory, behind_it_is_a_fault) {
  behind_it_is_a_fault(at::system);
}
SIMULATION(gpu_local_memory, behind_it_is_a_fault) {
  behind_it_is_a_fault(at::local);
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
// There the code is not to be had either: the packet's fault.
SIMULATION(gpu_local_memory, neither_dmi_nor_debug_is_a_fault) {
  memory_manner closed;
  closed.dmi = closed.debug = false;
  foreign_board board("board", with_local_socket(fidelity::timing), closed);
  driver d(board, 0, false);
  d.load(block_kernels());
  EXPECT_EQ(d.run(d.packet("k0", d.allocate(4096), 1)), 2u);
  EXPECT_THAT(d.fault_text(), HasSubstr("there is no memory at"));
}

// A reset while the dispatcher waits for a packet on the bus.
void reset_during_a_transfer(at where) {
  memory_manner slow;
  slow.waits = true;
  slow.latency = sc_core::sc_time(5, sc_core::SC_US);
  foreign_board board("board", machine_of(where, fidelity::timing), slow);
  driver d(board, 0, where == at::system);
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
  sc_core::sc_start(1, sc_core::SC_MS);  // the dispatcher's last transfers end, of which its stack has parts
}
SIMULATION(gpu_system_memory, reset_during_a_transfer) {
  reset_during_a_transfer(at::system);
}
SIMULATION(gpu_local_memory, reset_during_a_transfer) {
  reset_during_a_transfer(at::local);
}

// All kernels that end, on a GPU with memory in it and on one with the same addresses at its socket: the same memory,
// but for the times in the signal. In timing, which part of scratch a wavefront has depends on when others end.
void the_same_memory_as_inside(fidelity f, const memory_manner& manner) {
  models::machine_config inside = with_local_socket(f), outside = inside;
  inside.memory.local.at = models::local_memory::internal;
  inside.memory.fill = outside.memory.fill = models::memory_fill::random;  // scratch begins with it
  foreign_board board("board", {inside, outside}, manner);
  driver drivers[] = {{board, 0, false}, {board, 1, false}};
  std::vector<uint32_t> memories[2];
  for (size_t n = 0; n < 2; ++n) {
    driver& d = drivers[n];
    d.load(block_kernels());
    const uint64_t out = d.allocate(1 << 16);
    for (const char* kernel : {"k0", "k6", "k5", "k4", "k6"})
      ASSERT_EQ(d.run(d.packet(kernel, out, 11, 4096)), 1u) << kernel << ": " << d.fault_text();
    const std::vector<uint32_t> found = d.words(out, 4096);
    for (uint32_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], 12 * k);
    const models::dram& addresses = board.gpu(n).memory.dram;
    memories[n] = d.words(addresses.base(), addresses.size() / sizeof(uint32_t));
    const uint64_t times = d.queue().signal + offsetof(isa::amd_signal, start_ts) - addresses.base();
    const auto forget = [&](uint64_t at, uint64_t bytes) {
      std::fill_n(memories[n].begin() + static_cast<std::ptrdiff_t>(at / sizeof(uint32_t)), bytes / sizeof(uint32_t),
                  0);
    };
    forget(times, 2 * sizeof(uint64_t));
    ASSERT_NE(d.queue().scratch, 0u);
    if (f == fidelity::timing) forget(d.queue().scratch - addresses.base(), d.queue().scratch_bytes);
  }
  EXPECT_EQ(drivers[0].queue().scratch, drivers[1].queue().scratch);
  EXPECT_TRUE(memories[0] == memories[1]);
  EXPECT_EQ(drivers[0].reg(r::instructions), drivers[1].reg(r::instructions));
}
SIMULATION(gpu_local_memory, is_as_inside_in_timing) {
  the_same_memory_as_inside(fidelity::timing, {});
}
SIMULATION(gpu_local_memory, is_as_inside_in_timing_without_dmi) {
  the_same_memory_as_inside(fidelity::timing, closed_in_four_phases());
}
SIMULATION(gpu_local_memory, is_as_inside_in_functional) {
  the_same_memory_as_inside(fidelity::functional, {});
}
SIMULATION(gpu_local_memory, is_as_inside_in_functional_without_dmi) {
  the_same_memory_as_inside(fidelity::functional, closed_in_four_phases());
}

// Both sockets at once: the driver's things in the one, what the kernel reads and writes in the other.
SIMULATION(gpu_local_memory, beside_system_memory) {
  models::machine_config c = with_local_socket(fidelity::timing);
  c.memory.system.size_mib = 1;
  foreign_board board("board", c, closed_in_four_phases());
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = c.memory.system.base + 4096;
  ASSERT_EQ(d.run(d.packet("k6", out, 2, 1024)), 1u) << d.fault_text();
  const std::vector<uint32_t> found = d.words(out, 1024);
  for (uint32_t k = 0; k < found.size(); ++k) ASSERT_EQ(found[k], 3 * k);
  EXPECT_GT(board.memories[0]->debugs, 0u);
  EXPECT_NE(board.locals[0]->reads, 0u);
}

// The aperture leads there too, and passes on what the memory grants and takes back.
SIMULATION(gpu_local_memory, the_aperture_leads_there) {
  foreign_board board("board", with_local_socket(fidelity::timing));
  driver d(board, 0, false);
  auto& aperture = board.places[0]->aperture;
  const uint64_t place = d.allocate(4096);
  const uint32_t value = 0x1234;
  uint32_t found = 0;
  models::bus_transfer(aperture, tlm::TLM_WRITE_COMMAND, place, const_cast<uint32_t*>(&value), sizeof value);
  EXPECT_EQ(d.words(place, 1)[0], value);
  EXPECT_TRUE(models::debug_transfer(aperture, tlm::TLM_READ_COMMAND, place, &found, sizeof found));
  EXPECT_EQ(found, value);
  tlm::tlm_generic_payload t;
  tlm::tlm_dmi dmi;
  t.set_address(place);
  ASSERT_TRUE(aperture->get_direct_mem_ptr(t, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr() + (place - dmi.get_start_address()), board.locals[0]->at(place));
  EXPECT_EQ(board.places[0]->invalidations, 0u);
  board.locals[0]->revoke_dmi();
  EXPECT_EQ(board.places[0]->invalidations, 1u);
  EXPECT_EQ(board.gpu().memory.dram.storage(), nullptr);
}

// Whoever has no memory for it says so before anything runs.
SIMULATION(gpu_local_memory, is_refused_where_it_cannot_be) {
  const auto error_of = [](auto make) {
    try {
      make();
    } catch (const input_error& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  models::machine_config c = with_local_socket(fidelity::timing);
  EXPECT_THAT(error_of([&] { platform::virtual_platform("board", c); }),
              HasSubstr("machine.memory.local.at socket: this board has no memory for the socket"));
  c.memory.dram.place.machines = 2;
  EXPECT_THAT(error_of([&] { models::gpu("gpu", c); }),
              HasSubstr("machine.memory.local.at socket: device memory that several machines of a process share"));
}

}  // namespace
}  // namespace pws::test::outside_memory_test
