// SPDX-License-Identifier: Apache-2.0
// The router between the host and what it reaches without time.
#include "models/bus/system_bus.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>

#include "models/bus/bus_width.h"
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
  tlm_utils::simple_target_socket<noting_target, models::bus_width> socket;
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
    dmi.set_dmi_ptr(bytes.data());
    return true;
  }

 public:
  std::array<unsigned char, 0x2000> bytes{};
};

// An initiator that notes which ranges are invalidated.
class listener : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<listener, models::bus_width> socket;
  std::vector<std::string> heard;

  explicit listener(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.register_invalidate_direct_mem_ptr(this, &listener::invalidate);
  }

 private:
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) { heard.push_back(fmt::format("{:#x} {:#x}", begin, end)); }
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
  system_bus bus{"bus", 4};
  noting_target memory{"memory"}, device{"device"}, top{"top"};
};

struct bus_bench {
  bus_bench() {
    for (uint32_t i = 0; i < 2; ++i) {
      above.sockets[i]->bind(*tested.bus.from[i]);
      listening[i].socket.bind(*tested.bus.from[2 + i]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  // The address is left as it was.
  tlm::tlm_response_status transfer(uint64_t address, uint32_t from = 0, bool write = false, unsigned bytes = 1) {
    tlm::tlm_generic_payload t;
    prepare(t, address, bytes);
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
  bool dmi(uint64_t address, tlm::tlm_dmi granted = {}) {
    tlm::tlm_generic_payload t;
    prepare(t, address);
    const bool is = (*above.sockets[0])->get_direct_mem_ptr(t, granted);
    EXPECT_EQ(t.get_address(), address);
    begin = granted.get_start_address();
    end = granted.get_end_address();
    pointer = granted.get_dmi_ptr();
    return is;
  }
  uint64_t begin = 0, end = 0;  // of the last DMI
  unsigned char* pointer = nullptr;

  models::gpu_clock clock{1000};
  timetable times{clock};
  initiators above{times, clock, 2};
  std::array<listener, 2> listening{listener("first"), listener("second")};
  mapped_bus tested{"mapped"};
  noting_target &memory = tested.memory, &device = tested.device, &top = tested.top;

 private:
  void prepare(tlm::tlm_generic_payload& t, uint64_t address, unsigned bytes = 4) {
    t.set_read();
    t.set_address(address);
    t.set_data_ptr(word_);
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
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

SIMULATION(system_bus, a_debug_access_ends_where_its_target_does) {
  bus_bench b;
  EXPECT_EQ(b.debug(memory_begin + memory_size - 3), 3u) << "and not in the device behind it";
  EXPECT_EQ(b.debug(device_begin + device_size - 1), 1u);
  EXPECT_EQ(b.debug(~uint64_t{0}), 1u);
  EXPECT_THAT(b.memory.log, ElementsAre("debug 0x10fd"));
  EXPECT_THAT(b.device.log, ElementsAre("debug 0xf"));
}

SIMULATION(system_bus, a_transfer_beyond_its_target_is_an_address_error) {
  bus_bench b;
  for (const uint64_t end : {memory_begin + memory_size, device_begin + device_size, uint64_t{0}}) {
    EXPECT_EQ(b.transfer(end - 4, 0, false, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(b.transfer(end - 3, 0, false, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  EXPECT_THAT(b.memory.log, ElementsAre("read 0x10fc"));
}

// A target grants all that it has. Each initiator gets what is mapped of it, in the bus's addresses.
SIMULATION(system_bus, dmi_is_of_what_is_mapped) {
  bus_bench b;
  EXPECT_TRUE(b.dmi(memory_begin + 8));
  EXPECT_EQ(b.begin, memory_begin);
  EXPECT_EQ(b.end, memory_begin + memory_size - 1);
  EXPECT_EQ(b.pointer, b.memory.bytes.data() + memory_begin) << "what is in front of the region is cut off";
  EXPECT_TRUE(b.dmi(device_begin + 8));
  EXPECT_EQ(b.begin, device_begin);
  EXPECT_EQ(b.end, device_begin + device_size - 1);
  EXPECT_EQ(b.pointer, b.device.bytes.data());
  EXPECT_TRUE(b.dmi(~uint64_t{0}));
  EXPECT_EQ(b.begin, top_begin);
  EXPECT_EQ(b.end, ~uint64_t{0});
  EXPECT_THAT(b.memory.log, ElementsAre("dmi 0x1008"));
  EXPECT_THAT(b.device.log, ElementsAre("dmi 0x8"));
  // Between the targets is nothing.
  EXPECT_FALSE(b.dmi(0x1110));
  EXPECT_EQ(b.begin, device_begin + device_size);
  EXPECT_EQ(b.end, top_begin - 1);
  EXPECT_FALSE(b.dmi(5));
  EXPECT_EQ(b.begin, 0u);
  EXPECT_EQ(b.end, memory_begin - 1);
}

SIMULATION(system_bus, every_initiator_hears_of_an_invalidation) {
  bus_bench b;
  b.memory.socket->invalidate_direct_mem_ptr(0, ~uint64_t{0});
  b.memory.socket->invalidate_direct_mem_ptr(memory_begin + 4, memory_begin + 7);
  b.device.socket->invalidate_direct_mem_ptr(8, 100);
  b.device.socket->invalidate_direct_mem_ptr(device_size, 100);  // not mapped
  const auto heard = ElementsAre("0x1000 0x10ff", "0x1004 0x1007", "0x1108 0x110f");
  EXPECT_THAT(b.listening[0].heard, heard);
  EXPECT_THAT(b.listening[1].heard, heard);
}

}  // namespace
}  // namespace pws::test::system_bus_test
