// SPDX-License-Identifier: Apache-2.0
// Accesses to the device window that a driver gets wrong: each is answered, and the GPU works after them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "models/bus/bus_access.h"
#include "tests/gpu/foreign_board.h"
#include "tests/models/simulation.h"

namespace pws::test::device_window_test {
namespace {

namespace r = models::gpu_register;

// Addresses anywhere in the window and beyond, any size and value; the GPU meanwhile does what it makes of them.
SIMULATION(device_window, random_accesses) {
  models::machine_config c = small_gpu(models::fidelity::timing);
  c.limits.max_cycles = 20000;
  foreign_board board("board", c);
  board.broken_rules = {"data_length", "streaming_width"};  // accesses of no bytes
  driver d(board, 0, false);
  d.load(block_kernels());
  const uint64_t out = d.allocate(4096);
  const char* const many = std::getenv("PWS_ACCESSES");
  const unsigned n = many == nullptr ? 20000 : static_cast<unsigned>(std::atoi(many));
  std::mt19937_64 random(7);
  unsigned good = 0;
  for (unsigned k = 0; k < n; ++k) {
    std::vector<unsigned char> data(64);
    for (unsigned char& byte : data) byte = static_cast<unsigned char>(random());
    const uint64_t sizes[] = {8, 4, 8, 4, 1, 2, 16, 0, 64, 3};
    uint64_t address = random() % (board.gpu().window.size() + 4096);
    if (random() % 3 != 0) address = random() % 0x1800;  // where registers are
    if (random() % 4 != 0) address &= ~uint64_t{7};
    if (random() % 16 == 0) address = random();
    const bool reads = random() % 2 == 0;
    const auto size = static_cast<unsigned>(sizes[random() % 10]);
    const tlm::tlm_response_status s =
        d.access(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, address, data.data(), size);
    ASSERT_NE(s, tlm::TLM_INCOMPLETE_RESPONSE);
    good += s == tlm::TLM_OK_RESPONSE;
    if (random() % 64 == 0) sc_core::sc_start(static_cast<double>(1 + random() % 200), sc_core::SC_NS);
  }
  EXPECT_GT(good, n / 50);
  EXPECT_LT(good, n);
  uint64_t one = 1;
  ASSERT_EQ(d.access(tlm::TLM_WRITE_COMMAND, models::gpu_registers.address(r::control), &one, 8), tlm::TLM_OK_RESPONSE);
  sc_core::sc_start(100, sc_core::SC_US);
  EXPECT_EQ(d.reg(r::status), 0u);
  EXPECT_EQ(d.reg(r::bad_accesses), 0u);
  EXPECT_EQ(d.reg(r::clock_ratio), 1u);
  d.set_up_queue();
  ASSERT_EQ(d.run(d.packet("k0", out, 4)), 1u) << d.fault_text();
  EXPECT_EQ(d.words(out, 8)[7], 28u);
}

// What a debugger reads changes nothing, and the contexts' registers are behind the others.
SIMULATION(device_window, debug_accesses) {
  foreign_board board("board", small_gpu(models::fidelity::timing));
  driver d(board, 0, false);
  auto& window = board.places[0]->window;
  uint32_t version = 0;
  EXPECT_TRUE(models::debug_transfer(window, tlm::TLM_READ_COMMAND, models::device_window::debug_offset, &version, 4));
  EXPECT_EQ(version, 1u);
  uint64_t id = 0;
  EXPECT_TRUE(models::debug_transfer(window, tlm::TLM_READ_COMMAND, 1, &id, 3));  // any size and alignment
  EXPECT_EQ(id, 0x505753u);
  EXPECT_FALSE(models::debug_transfer(window, tlm::TLM_READ_COMMAND, 0xb0, &id, 8));
  EXPECT_FALSE(models::debug_transfer(window, tlm::TLM_READ_COMMAND, board.gpu().window.size(), &id, 8));
  EXPECT_EQ(d.reg(r::bad_accesses), 0u);
  uint32_t units = 0;
  EXPECT_EQ(d.access(tlm::TLM_READ_COMMAND, models::device_window::debug_offset + 4, &units, 4), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(units, 1u);
  EXPECT_EQ(d.access(tlm::TLM_WRITE_COMMAND, models::device_window::debug_offset, &units, 4),
            tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(d.access(tlm::TLM_READ_COMMAND, 0x80000, &units, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(d.reg(r::bad_accesses), 2u);
}

}  // namespace
}  // namespace pws::test::device_window_test
