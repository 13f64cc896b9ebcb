// SPDX-License-Identifier: Apache-2.0
// The router between the host and what it reaches without time.
#include "models/bus/system_bus.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/models/memory/memory_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::system_bus_test {
namespace {

using models::system_bus;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Notes what reaches it; takes two cycles.
class noting_target : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<noting_target> socket;
  std::vector<std::string> log;

  explicit noting_target(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_b_transport(this, &noting_target::b_transport);
    socket.register_transport_dbg(this, &noting_target::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &noting_target::get_direct_mem_ptr);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    log.push_back(fmt::format("{} {:#x}", t.is_write() ? "write" : "read", t.get_address()));
    delay += sc_core::sc_time(2, sc_core::SC_NS);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) {
    log.push_back(fmt::format("debug {:#x}", t.get_address()));
    return t.get_data_length();
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
    log.push_back(fmt::format("dmi {:#x}", t.get_address()));
    dmi.allow_read();
    return true;
  }
};

constexpr uint64_t memory_begin = 0x1000, memory_size = 0x100, device_begin = 0x1100, device_size = 0x10;
constexpr uint64_t top_begin = ~uint64_t{0} - 0xf;  // to the end of the address space

// The bus and what is mapped there: it makes a socket for each, which has to be inside of a module.
struct mapped_bus : sc_core::sc_module {
  explicit mapped_bus(const sc_core::sc_module_name& name) : sc_module(name) {
    bus.map("memory", memory_begin, memory_size, system_bus::addressing::absolute).bind(memory.socket);
    bus.map("device", device_begin, device_size, system_bus::addressing::relative).bind(device.socket);
    bus.map("top", top_begin, 0x10, system_bus::addressing::relative).bind(top.socket);
  }
  system_bus bus{"bus", 2};
  noting_target memory{"memory"}, device{"device"}, top{"top"};
};

struct bus_bench {
  bus_bench() {
    for (uint32_t i = 0; i < 2; ++i) above.sockets[i]->bind(*tested.bus.from[i]);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  // A transfer of four bytes; the address is left as it was.
  tlm::tlm_response_status transfer(uint64_t address, uint32_t from = 0, bool write = false) {
    tlm::tlm_generic_payload t;
    prepare(t, address);
    if (write) t.set_write();
    sc_core::sc_time delay(1, sc_core::SC_NS);
    (*above.sockets[from])->b_transport(t, delay);
    EXPECT_EQ(t.get_address(), address);
    EXPECT_EQ(delay, sc_core::sc_time(t.is_response_ok() ? 3 : 1, sc_core::SC_NS));
    return t.get_response_status();
  }
  unsigned debug(uint64_t address) {
    tlm::tlm_generic_payload t;
    prepare(t, address);
    const unsigned moved = (*above.sockets[0])->transport_dbg(t);
    EXPECT_EQ(t.get_address(), address);
    return moved;
  }
  bool dmi(uint64_t address) {
    tlm::tlm_generic_payload t;
    prepare(t, address);
    tlm::tlm_dmi granted;
    return (*above.sockets[0])->get_direct_mem_ptr(t, granted);
  }

  models::gpu_clock clock{1000};
  timetable times{clock};
  initiators above{times, clock, 2};
  mapped_bus tested{"mapped"};
  noting_target &memory = tested.memory, &device = tested.device, &top = tested.top;

 private:
  void prepare(tlm::tlm_generic_payload& t, uint64_t address) {
    t.set_read();
    t.set_address(address);
    t.set_data_ptr(word_);
    t.set_data_length(4);
    t.set_streaming_width(4);
  }
  unsigned char word_[4] = {};
};

SIMULATION(system_bus, first_and_last_addresses_of_each_target) {
  bus_bench b;
  for (const uint64_t at : {memory_begin, memory_begin + memory_size - 1, device_begin, device_begin + device_size - 1,
                            top_begin, ~uint64_t{0}})
    EXPECT_EQ(b.transfer(at), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(b.memory.log, ElementsAre("read 0x1000", "read 0x10ff"));
  EXPECT_THAT(b.device.log, ElementsAre("read 0x0", "read 0xf"));
  EXPECT_THAT(b.top.log, ElementsAre("read 0x0", "read 0xf"));
}

SIMULATION(system_bus, addresses_that_nobody_has) {
  bus_bench b;
  for (const uint64_t at : {uint64_t{0}, memory_begin - 1, device_begin + device_size, top_begin - 1}) {
    EXPECT_EQ(b.transfer(at), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
    EXPECT_EQ(b.debug(at), 0u);
    EXPECT_FALSE(b.dmi(at));
  }
  for (const noting_target* t : {&b.memory, &b.device, &b.top}) EXPECT_THAT(t->log, IsEmpty());
}

SIMULATION(system_bus, every_initiator_reaches_every_target) {
  bus_bench b;
  for (const uint32_t from : {0u, 1u}) {
    b.transfer(memory_begin + from, from, true);
    b.transfer(device_begin + from, from, true);
  }
  EXPECT_THAT(b.memory.log, ElementsAre("write 0x1000", "write 0x1001"));
  EXPECT_THAT(b.device.log, ElementsAre("write 0x0", "write 0x1"));
}

SIMULATION(system_bus, debug_access_goes_the_same_way) {
  bus_bench b;
  EXPECT_EQ(b.debug(memory_begin + 8), 4u);
  EXPECT_EQ(b.debug(device_begin + 8), 4u);
  EXPECT_THAT(b.memory.log, ElementsAre("debug 0x1008"));
  EXPECT_THAT(b.device.log, ElementsAre("debug 0x8"));
}

SIMULATION(system_bus, only_memory_grants_dmi) {
  bus_bench b;
  EXPECT_TRUE(b.dmi(memory_begin + 8));
  EXPECT_FALSE(b.dmi(device_begin + 8));
  EXPECT_THAT(b.memory.log, ElementsAre("dmi 0x1008"));
  EXPECT_THAT(b.device.log, IsEmpty()) << "its answer would have the wrong addresses";
}

}  // namespace
}  // namespace pws::test::system_bus_test
