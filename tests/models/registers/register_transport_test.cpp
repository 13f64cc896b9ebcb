// SPDX-License-Identifier: Apache-2.0
// Registers behind a TLM socket: what every wrong access to every register is answered with, and random ones held
// against a model.
#include "models/registers/register_transport.h"

#include <gmock/gmock.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <systemc>

#include "models/bus/bus_width.h"
#include "models/registers/gpu_register_map.h"
#include "tests/models/registers/allocation_count.h"
#include "tests/models/registers/register_model.h"
#include "tests/models/simulation.h"

namespace pws::test::register_transport_test {
namespace {

using models::access_outcome;
using models::gpu_registers;
using models::register_access;
using models::register_row;
namespace gpu_register = models::gpu_register;

// A device that is its registers and nothing else.
struct device : sc_core::sc_module {
  tlm_utils::simple_target_socket<device, models::bus_width> socket{"socket"};
  models::register_bank bank{gpu_registers};
  explicit device(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &device::b_transport);
    socket.register_transport_dbg(this, &device::transport_dbg);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) { access_registers(bank, t); }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) { return peek_registers(bank, t); }
};

struct driver : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<driver, models::bus_width> socket{"socket"};
  explicit driver(const sc_core::sc_module_name& name) : sc_module(name) {}
};

struct transport_bench {
  driver above{"above"};
  device tested{"tested"};
  models::register_bank& bank = tested.bank;

  transport_bench() {
    above.socket.bind(tested.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  tlm::tlm_response_status access(register_access_request& r, bool with_data = true) {
    tlm::tlm_generic_payload t;
    fill(t, r);
    if (!with_data) t.set_data_ptr(nullptr);
    sc_core::sc_time delay(3, sc_core::SC_NS);
    above.socket->b_transport(t, delay);
    EXPECT_EQ(delay, sc_core::sc_time(3, sc_core::SC_NS));
    EXPECT_EQ(t.get_address(), r.address);
    EXPECT_FALSE(t.is_dmi_allowed());
    return t.get_response_status();
  }
  unsigned peek(register_access_request& r) {
    tlm::tlm_generic_payload t;
    fill(t, r);
    return above.socket->transport_dbg(t);
  }
  std::vector<uint64_t> held() const {
    std::vector<uint64_t> all;
    for (uint32_t row = 0; row < gpu_registers.rows.size(); ++row)
      for (uint32_t k = 0; k < gpu_registers.blocks[gpu_registers.rows[row].block].count; ++k)
        for (uint32_t word = 0; word < gpu_registers.rows[row].words; ++word) all.push_back(bank.held(row, k, word));
    return all;
  }

 private:
  void fill(tlm::tlm_generic_payload& t, register_access_request& r) {
    t.set_command(r.command);
    t.set_address(r.address);
    t.set_data_ptr(r.data.data());
    t.set_data_length(r.bytes);
    t.set_streaming_width(r.streaming_width);
    t.set_byte_enable_ptr(r.byte_enables ? enables_ : nullptr);
    t.set_byte_enable_length(r.byte_enables ? sizeof enables_ : 0);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  unsigned char enables_[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
};

struct wrong_access {
  register_access_request request;
  access_outcome outcome;
};

// Every way in which an access to a register may be wrong.
std::vector<wrong_access> wrong_accesses(uint64_t address, register_access kind) {
  std::vector<wrong_access> all;
  const auto add = [&all](access_outcome o, tlm::tlm_command c, uint64_t at, unsigned bytes, unsigned width,
                          bool byte_enables = false) {
    all.push_back({{c, at, bytes, width, byte_enables, std::vector<unsigned char>(64, 0xa5)}, o});
  };
  for (const tlm::tlm_command c : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    for (const unsigned bytes : {0u, 1u, 2u, 3u, 5u, 6u, 7u, 9u, 12u, 16u, 64u, ~0u})
      add(access_outcome::burst_error, c, address, bytes, bytes);
    for (const unsigned skew : {1u, 2u, 3u, 5u, 6u, 7u}) add(access_outcome::burst_error, c, address + skew, 4, 4);
    for (const unsigned skew : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) add(access_outcome::burst_error, c, address + skew, 8, 8);
    for (const unsigned bytes : {4u, 8u})
      for (const unsigned width : {0u, 1u, bytes - 1}) add(access_outcome::burst_error, c, address, bytes, width);
    add(access_outcome::byte_enable_error, c, address, 8, 8, true);
  }
  add(access_outcome::command_error, tlm::TLM_IGNORE_COMMAND, address, 8, 8);
  for (const unsigned bytes : {4u, 8u}) {
    if (!is_readable(kind)) add(access_outcome::command_error, tlm::TLM_READ_COMMAND, address, bytes, bytes);
    if (!is_writable(kind)) add(access_outcome::command_error, tlm::TLM_WRITE_COMMAND, address, bytes, bytes);
  }
  return all;
}

// Makes a wrong access: it is answered and counted so, and changes nothing.
void expect_refused(transport_bench& b, wrong_access& w, const std::vector<uint64_t>& before) {
  const uint64_t all = b.bank.wrong(), alike = b.bank.wrong(w.outcome);
  const std::vector<unsigned char> data = w.request.data;
  ASSERT_EQ(b.access(w.request), models::response_of(w.outcome))
      << std::hex << w.request.address << " " << w.request.bytes << " " << w.request.command;
  ASSERT_EQ(b.bank.wrong(), all + 1);
  ASSERT_EQ(b.bank.wrong(w.outcome), alike + 1);
  ASSERT_EQ(w.request.data, data);
  ASSERT_EQ(b.held(), before);
}

SIMULATION(register_transport, every_wrong_access_to_every_register) {
  transport_bench b;
  const std::vector<uint64_t> before = b.held();
  size_t made = 0;
  for (uint32_t row = 0; row < gpu_registers.rows.size(); ++row) {
    const register_row& r = gpu_registers.rows[row];
    const uint32_t last = gpu_registers.blocks[r.block].count - 1;
    for (const uint32_t k : std::set<uint32_t>{0, last})
      for (const uint32_t word : std::set<uint32_t>{0, r.words - 1})
        for (wrong_access& w : wrong_accesses(gpu_registers.address(row, k, word), r.access)) {
          expect_refused(b, w, before);
          ++made;
        }
  }
  EXPECT_GT(made, 60 * gpu_registers.rows.size());
  register_access_request sum;
  sum.address = gpu_registers.address(gpu_register::bad_accesses);
  EXPECT_EQ(b.access(sum), tlm::TLM_OK_RESPONSE);
  uint64_t shown = 0;
  std::memcpy(&shown, sum.data.data(), sizeof shown);
  EXPECT_EQ(shown, made);
}

SIMULATION(register_transport, every_address_without_a_register) {
  transport_bench b;
  const std::vector<uint64_t> before = b.held();
  std::set<uint64_t> there;
  for (uint32_t row = 0; row < gpu_registers.rows.size(); ++row)
    for (uint32_t k = 0; k < gpu_registers.blocks[gpu_registers.rows[row].block].count; ++k)
      for (uint32_t word = 0; word < gpu_registers.rows[row].words; ++word)
        there.insert(gpu_registers.address(row, k, word));
  uint64_t gaps = 0;
  register_access_request r;
  for (uint64_t at = 0; at < gpu_registers.size() + 0x100; at += 8) {
    r.address = at;
    r.command = at / 8 % 2 == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
    if (there.count(at) != 0) continue;
    ASSERT_EQ(b.access(r), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
    ++gaps;
  }
  r.address = ~uint64_t{7};
  EXPECT_EQ(b.access(r), tlm::TLM_ADDRESS_ERROR_RESPONSE) << "the end of the address space";
  EXPECT_EQ(b.bank.wrong(access_outcome::address_error), gaps + 1);
  EXPECT_EQ(b.held(), before);
}

SIMULATION(register_transport, a_transaction_without_data) {
  transport_bench b;
  register_access_request r;
  for (const tlm::tlm_command c : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    r.command = c;
    EXPECT_EQ(b.access(r, false), tlm::TLM_BURST_ERROR_RESPONSE);
  }
  EXPECT_EQ(b.bank.wrong(), 2u);
}

SIMULATION(register_transport, no_direct_memory_access) {
  transport_bench b;
  tlm::tlm_generic_payload t;
  t.set_read();
  tlm::tlm_dmi granted;
  EXPECT_FALSE(b.above.socket->get_direct_mem_ptr(t, granted));
}

// Right and wrong ones, with hooks and without.
SIMULATION(register_transport, accesses_allocate_nothing) {
  transport_bench b;
  uint64_t sum = 0, written = 0;
  b.bank.on_read(gpu_register::status, [&sum](const models::register_place& p) { return sum += p.row; });
  b.bank.on_write(gpu_register::queue_doorbell, [&written](const models::register_write& w) {
    written += w.value;
    return w.place.instance < 128;
  });
  register_access_request r;
  size_t most = 0;
  for (uint32_t row = 0; row < gpu_registers.rows.size(); ++row)
    for (const uint32_t k : {0u, 255u})
      for (const tlm::tlm_command c : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND})
        for (const unsigned bytes : {4u, 8u, 5u}) {
          tlm::tlm_generic_payload t;
          t.set_command(c);
          t.set_address(gpu_registers.address(row, k));
          t.set_data_ptr(r.data.data());
          t.set_data_length(bytes);
          t.set_streaming_width(bytes);
          const size_t before = allocation_count();
          access_registers(b.bank, t);
          peek_registers(b.bank, t);
          b.bank.hold_text(gpu_register::fault_text, "a message that is longer than what a string holds in itself");
          most = std::max(most, allocation_count() - before);
        }
  EXPECT_EQ(most, 0u);
  EXPECT_NE(allocation_count(), 0u) << "it counts";
  EXPECT_NE(sum + written, 0u);
}

// A device's hook that computes or refuses has no part here: the model knows none.
SIMULATION(register_transport, random_accesses_as_the_model_says) {
  transport_bench b;
  register_model model(gpu_registers);
  std::mt19937_64 random(20'26);
  const auto below = [&random](uint64_t n) { return random() % n; };
  const auto is = [&below](unsigned percent) { return below(100) < percent; };
  size_t done = 0;
  for (int k = 0; k < 100'000; ++k) {
    register_access_request r;
    const auto row = static_cast<uint32_t>(below(gpu_registers.rows.size()));
    const register_row& there = gpu_registers.rows[row];
    r.address = gpu_registers.address(row, static_cast<uint32_t>(below(gpu_registers.blocks[there.block].count)),
                                      static_cast<uint32_t>(below(there.words)));
    r.bytes = is(50) ? 8 : 4;
    if (r.bytes == 4 && is(50)) r.address += 4;
    if (is(10)) r.address = is(50) ? below(gpu_registers.size() + 64) : random();
    if (is(5)) r.address += below(16);
    if (is(5)) r.bytes = static_cast<unsigned>(below(20));
    r.streaming_width = is(3) ? static_cast<unsigned>(below(10)) : r.bytes + static_cast<unsigned>(below(3));
    r.byte_enables = is(2);
    r.command = is(1) ? tlm::TLM_IGNORE_COMMAND : is(50) ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
    r.data.resize(32);
    for (unsigned char& byte : r.data) byte = static_cast<unsigned char>(random());
    register_access_request expected = r;
    const tlm::tlm_response_status status = model.access(expected);
    ASSERT_EQ(b.access(r), status) << k << ": " << std::hex << r.address;
    ASSERT_EQ(r.data, expected.data) << k << ": " << std::hex << r.address;
    if (status == tlm::TLM_OK_RESPONSE) ++done;
    r.command = tlm::TLM_READ_COMMAND;  // where it went, as a debugger sees it
    const unsigned there_are = model.peek(r.address, r.bytes, expected.data);
    ASSERT_EQ(b.peek(r), there_are) << k << ": " << std::hex << r.address;
    ASSERT_EQ(r.data, expected.data) << k << ": " << std::hex << r.address;
  }
  EXPECT_GT(done, 40'000u);
  EXPECT_GT(b.bank.wrong(), 20'000u);
}

}  // namespace
}  // namespace pws::test::register_transport_test
