// SPDX-License-Identifier: Apache-2.0
#include "tests/soc/soc_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "models/bus/socket_binding.h"
#include "models/bus/system_bus.h"
#include "models/soc/clint.h"
#include "models/soc/finisher.h"
#include "models/soc/plic.h"
#include "models/soc/ram.h"
#include "models/soc/rv64_cpu.h"
#include "models/soc/uart.h"
#include "sw/loader/firmware_image.h"
#include "tests/integration/child_process.h"
#include "tests/tlm/checked_sockets.h"

namespace pws::test {

namespace {

// Memory that grants no DMI.
class slow_memory : public models::device {
 public:
  explicit slow_memory(const sc_core::sc_module_name& name) : device(name) {}

 protected:
  tlm::tlm_response_status read(uint64_t offset, unsigned bytes, uint64_t& value) override {
    std::memcpy(&value, bytes_ + offset, bytes);
    return tlm::TLM_OK_RESPONSE;
  }
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override {
    std::memcpy(bytes_ + offset, &value, bytes);
    return tlm::TLM_OK_RESPONSE;
  }

 private:
  unsigned char bytes_[0x1000] = {};
};

// Two banks of memory at one place, the first at first; the one that is not chosen cannot be reached.
class banked_memory : public models::device {
 public:
  static constexpr uint64_t begin = 0x6000'0000, size = 0x1000;
  tlm_utils::simple_target_socket<banked_memory, models::bus_width> memory{"memory"};

  explicit banked_memory(const sc_core::sc_module_name& name) : device(name) {
    memory.register_get_direct_mem_ptr(this, &banked_memory::grant);
  }

 protected:
  tlm::tlm_response_status read(uint64_t, unsigned, uint64_t&) override { return tlm::TLM_COMMAND_ERROR_RESPONSE; }
  // At 0 the bank, at 8 a word that is written to where code is, without the hart.
  tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) override {
    if (offset != 0) {
      std::memcpy(banks_[bank_] + 16, &value, bytes);
      return tlm::TLM_OK_RESPONSE;
    }
    bank_ = value & 1;
    memory->invalidate_direct_mem_ptr(begin, begin + (size - 1));
    return tlm::TLM_OK_RESPONSE;
  }

 private:
  bool grant(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_dmi_ptr(banks_[bank_]);
    dmi.set_start_address(begin);
    dmi.set_end_address(begin + (size - 1));
    dmi.allow_read_write();
    return true;
  }
  size_t bank_ = 0;
  alignas(size) unsigned char banks_[2][size] = {};
};

struct soc : sc_core::sc_module {
  static constexpr uint64_t ram_begin = 0x8000'0000, ram_bytes = 0x10'0000;
  static constexpr uint32_t sources = 31, uart_source = 10;

  soc(const sc_core::sc_module_name& name, const program_options& o)
      : sc_module(name),
        cpu("cpu", {1000, o.cycles_per_instruction, 0, o.most_instructions}),
        serial(
            "uart", [this](char c) { sent += c; }, models::uart::text_source(o.input),
            sc_core::sc_time(10, sc_core::SC_US)) {
    using how = models::system_bus::addressing;
    using models::bind_sockets;
    bind_sockets(bus.map("ram", ram_begin, ram_bytes, how::absolute), memory.socket);
    bind_sockets(bus.map("rom", 0x2000'0000, 0x1000, how::absolute), rom.socket);
    bind_sockets(bus.map("slow", 0x5000'0000, 0x1000, how::relative), slow.socket);
    bind_sockets(bus.map("banks", banked_memory::begin, banked_memory::size, how::absolute), banks.memory);
    bind_sockets(bus.map("bank", 0x6001'0000, 0x1000, how::relative), banks.socket);
    bind_sockets(bus.map("clint", 0x200'0000, models::clint::window, how::relative), clint.socket);
    bind_sockets(bus.map("plic", 0xc00'0000, models::plic::window, how::relative), plic.socket);
    bind_sockets(bus.map("uart", 0x1000'0000, models::uart::window, how::relative), serial.socket);
    bind_sockets(bus.map("finisher", 0x10'0000, models::finisher::window, how::relative), finish.socket);
    bind_sockets(cpu.bus, *bus.from[0]);
    cpu.timer_interrupt(timer);
    cpu.software_interrupt(software);
    cpu.external_interrupt(external);
    (*clint.timer[0])(timer);
    (*clint.software[0])(software);
    (*plic.contexts[0])(external);
    for (uint32_t s = 1; s <= sources; ++s) (*plic.sources[s - 1])(s == uart_source ? uart_line : low);
    serial.interrupt(uart_line);
  }

  sc_core::sc_signal<bool> timer{"timer_line"}, software{"software_line"}, external{"external_line"},
      uart_line{"uart_line"}, low{"low_line"};
  models::system_bus bus{"bus", 1};
  models::rv64_cpu cpu;
  models::ram memory{"ram", ram_begin, ram_bytes};
  models::ram rom{"rom", 0x2000'0000, 0x1000, models::ram::access::read_only};
  slow_memory slow{"slow"};
  banked_memory banks{"banks"};
  models::clint clint{"clint", 1, sc_core::sc_time(100, sc_core::SC_NS)};
  models::plic plic{"plic", sources, 1};
  std::string sent;
  models::uart serial;
  models::finisher finish{"finisher"};
};

}  // namespace

rv64_result run_rv64_program(const std::string& name, const program_options& o) {
  const loader::firmware_image program = loader::load_firmware(std::string(PROGRAMS) + "/" + name + ".elf");
  const child_result child = in_child(
      [&](const message_sink& send) {
        tlm::tlm_global_quantum::instance().set(sc_core::sc_time(o.quantum_ns, sc_core::SC_NS));
        checked_sockets sockets;
        soc system("soc", o);
        for (const auto& s : program.segments())
          std::copy(s.bytes.begin(), s.bytes.end(), system.memory.storage() + (s.address - soc::ram_begin));
        system.cpu.set_reset_pc(program.entry());
        system.cpu.name_addresses_by([&](uint64_t address) { return program.name_of(address); });
        sc_core::sc_start();
        const nlohmann::json result = {
            {"code", system.finish.code() ? static_cast<int64_t>(*system.finish.code()) : -1},
            {"sent", system.sent},
            {"failure", system.cpu.failure()},
            {"waits", system.cpu.is_waiting()},
            {"ns", static_cast<uint64_t>(sc_core::sc_time_stamp().to_seconds() * 1e9 + 0.5)},
            {"retired", system.cpu.retired()}};
        const std::string text = result.dump();
        send(text.data(), text.size());
        EXPECT_EQ(sockets.log.text(), "");
        return testing::Test::HasFailure() ? 1 : 0;
      },
      60);
  EXPECT_EQ(child.status, 0) << name << ": " << describe_status(child.status) << child.log;
  rv64_result r;
  r.text.assign(child.message.begin(), child.message.end());
  if (r.text.empty()) return r;
  const auto j = nlohmann::json::parse(r.text);
  if (j["code"].get<int64_t>() >= 0) r.code = j["code"].get<uint32_t>();
  r.sent = j["sent"];
  r.failure = j["failure"];
  r.waits = j["waits"];
  r.ns = j["ns"];
  r.retired = j["retired"];
  return r;
}

}  // namespace pws::test
