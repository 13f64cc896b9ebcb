// SPDX-License-Identifier: Apache-2.0
// Memory behind the bus: what it takes, what it refuses, and which pointers it grants.
#include <gmock/gmock.h>

#include "models/bus/system_bus.h"
#include "models/soc/finisher.h"
#include "models/soc/ram.h"
#include "tests/models/simulation.h"
#include "tests/soc/device_bench.h"

namespace pws::test::soc_memory_test {
namespace {

constexpr uint64_t begin = 0x8000'0000, bytes = 0x2000;

// The bus shows a part of the memory: from its second page on.
struct memory_bench : sc_core::sc_module {
  explicit memory_bench(const sc_core::sc_module_name& name) : sc_module(name) {
    using how = models::system_bus::addressing;
    bus.map("ram", begin + 0x1000, 0x1000, how::absolute).bind(ram.socket);
    bus.map("rom", 0x1000, 0x1000, how::absolute).bind(rom.socket);
    bus.map("finisher", 0x10'0000, 0x1000, how::relative).bind(finisher.socket);
    for (unsigned k = 0; k < 2; ++k) master[k].bus.bind(*bus.from[k]);
  }
  models::system_bus bus{"bus", 2};
  models::ram ram{"ram", begin, bytes}, rom{"rom", 0x1000, 0x1000, models::ram::access::read_only};
  models::finisher finisher{"finisher"};
  sc_core::sc_vector<bus_master> master{"master", 2};
};

SIMULATION(soc_memory, begins_as_zeros_and_keeps_what_is_written) {
  memory_bench b("bench");
  EXPECT_EQ(b.master[0].read(begin + 0x1ff8, 8), ok(0));
  EXPECT_EQ(b.master[0].write(begin + 0x1ff9, 0x0102'0304), tlm::TLM_OK_RESPONSE) << "any alignment";
  EXPECT_EQ(b.master[1].read(begin + 0x1ffa, 2), ok(0x0203));
  EXPECT_EQ(b.ram.storage()[0x1ff9], 4);
}

SIMULATION(soc_memory, byte_enables) {
  memory_bench b("bench");
  uint64_t value = 0x8877'6655'4433'2211;
  unsigned char enables[2] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};  // repeated
  tlm::tlm_generic_payload t;
  t.set_write();
  t.set_address(begin + 0x1000);
  t.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  t.set_data_length(8);
  t.set_streaming_width(8);
  t.set_byte_enable_ptr(enables);
  t.set_byte_enable_length(2);
  EXPECT_EQ(b.master[0].send(t), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.master[0].read(begin + 0x1000, 8), ok(0x0077'0055'0033'0011));
  t.set_byte_enable_length(0);
  EXPECT_EQ(b.master[0].send(t), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

SIMULATION(soc_memory, refuses_what_is_not_there_and_writes_to_rom) {
  memory_bench b("bench");
  EXPECT_EQ(b.master[0].write(0x1000, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(b.master[0].read(0x1000), ok(0));
  EXPECT_EQ(b.master[0].read(begin + 0x1ffe), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE)) << "ends behind the memory";
  EXPECT_EQ(b.master[0].read(begin + 0x2000), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE));
  EXPECT_EQ(b.master[0].read(begin + 0xfff, 1), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE)) << "not on the bus";
}

// A pointer is for what the bus shows, by bus addresses.
SIMULATION(soc_memory, direct_access) {
  memory_bench b("bench");
  tlm::tlm_generic_payload t;
  t.set_read();
  t.set_address(begin + 0x1800);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE(b.master[0].bus->get_direct_mem_ptr(t, dmi));
  EXPECT_EQ(dmi.get_start_address(), begin + 0x1000);
  EXPECT_EQ(dmi.get_end_address(), begin + 0x1fff);
  EXPECT_EQ(dmi.get_dmi_ptr(), b.ram.storage() + 0x1000);
  EXPECT_TRUE(dmi.is_read_write_allowed());
  t.set_address(0x1000);
  ASSERT_TRUE(b.master[0].bus->get_direct_mem_ptr(t, dmi));
  EXPECT_FALSE(dmi.is_write_allowed());
  t.set_write();
  EXPECT_FALSE(b.master[0].bus->get_direct_mem_ptr(t, dmi)) << "what was asked for is to write";
  t.set_read();
  t.set_address(0x10'0000);
  EXPECT_FALSE(b.master[0].bus->get_direct_mem_ptr(t, dmi)) << "a device";
}

SIMULATION(soc_memory, pointers_that_are_taken_back_are_taken_from_every_initiator) {
  memory_bench b("bench");
  b.ram.socket->invalidate_direct_mem_ptr(begin, begin + 0x1fff);
  EXPECT_EQ(b.master[0].revoked, 1u);
  EXPECT_EQ(b.master[1].revoked, 1u);
}

SIMULATION(soc_memory, debug_access) {
  memory_bench b("bench");
  unsigned char data[16] = {1, 2, 3};
  tlm::tlm_generic_payload t;
  t.set_write();
  t.set_address(begin + 0x1ff8);
  t.set_data_ptr(data);
  t.set_data_length(16);
  EXPECT_EQ(b.master[0].bus->transport_dbg(t), 8u) << "as many as there are";
  EXPECT_EQ(b.ram.storage()[0x1ffa], 3);
  t.set_address(0x1000);
  EXPECT_EQ(b.master[0].bus->transport_dbg(t), 16u) << "a loader may write what the bus may not";
  EXPECT_EQ(b.rom.storage()[1], 2);
}

SIMULATION(soc_memory, the_finisher_takes_the_first_end) {
  memory_bench b("bench");
  for (const uint64_t nothing : {0x0, 0x1234, 0x7777}) b.master[0].write(0x10'0000, nothing);
  EXPECT_FALSE(b.finisher.code());
  b.master[0].write(0x10'0000, 0x7'3333);
  b.master[0].write(0x10'0000, 0x5555);
  EXPECT_EQ(b.finisher.code(), 7u);
  EXPECT_EQ(b.master[0].read(0x10'0000), ok(0));
  EXPECT_EQ(b.master[0].read(0x10'0004), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE));
  EXPECT_EQ(b.master[0].write(0x10'0000, 0x5555, 2), tlm::TLM_BURST_ERROR_RESPONSE);
}

}  // namespace
}  // namespace pws::test::soc_memory_test
