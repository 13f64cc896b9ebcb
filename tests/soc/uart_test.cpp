// SPDX-License-Identifier: Apache-2.0
#include "models/soc/uart.h"

#include <gmock/gmock.h>

#include "tests/models/simulation.h"
#include "tests/soc/device_bench.h"

namespace pws::test::uart_test {
namespace {

struct uart_bench {
  explicit uart_bench(const std::string& input = "") : uart_bench(models::uart::text_source(input)) {}
  explicit uart_bench(models::uart::byte_source input)
      : uart(
            "uart", [this](char c) { sent += c; }, std::move(input), sc_core::sc_time(10, sc_core::SC_US)) {
    master.bus.bind(uart.socket);
    uart.interrupt(line);
    settle();
  }
  uint64_t get(uint64_t offset) {
    const answer a = master.read(offset, 1);
    EXPECT_EQ(a.status, tlm::TLM_OK_RESPONSE);
    settle();
    return a.value;
  }
  void put(uint64_t offset, uint64_t value) {
    EXPECT_EQ(master.write(offset, value, 1), tlm::TLM_OK_RESPONSE);
    settle();
  }
  static void run_us(unsigned us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); }

  std::string sent;
  bus_master master{"master"};
  sc_core::sc_signal<bool> line{"line"};
  models::uart uart;
};

SIMULATION(uart, sends_every_byte) {
  uart_bench b;
  std::string all;
  for (unsigned c = 0; c < 256; ++c) {
    b.put(0, c);
    all += static_cast<char>(c);
    EXPECT_EQ(b.get(5), 0x60u);
  }
  EXPECT_EQ(b.sent, all);
  EXPECT_EQ(b.uart.sent(), 256u);
}

SIMULATION(uart, receives_a_byte_at_a_time) {
  uart_bench b("ab");
  EXPECT_EQ(b.get(5) & 1, 0u);
  EXPECT_EQ(b.get(0), 0u) << "nothing has come";
  b.run_us(10);
  EXPECT_EQ(b.get(5) & 1, 1u);
  EXPECT_EQ(b.get(0), 'a');
  EXPECT_EQ(b.get(5) & 1, 0u);
  b.run_us(100);
  EXPECT_EQ(b.get(0), 'b');
  EXPECT_EQ(b.uart.received(), 2u);
}

SIMULATION(uart, the_interrupt_of_received_bytes_stays_until_they_are_read) {
  uart_bench b("ab");
  b.run_us(30);
  EXPECT_FALSE(b.line) << "not enabled";
  b.put(1, 1);
  EXPECT_TRUE(b.line);
  EXPECT_EQ(b.get(2), 4u);
  b.get(0);
  EXPECT_TRUE(b.line);
  b.get(0);
  EXPECT_FALSE(b.line);
  EXPECT_EQ(b.get(2), 1u);
}

SIMULATION(uart, the_interrupt_of_the_transmitter_goes_when_it_is_identified) {
  uart_bench b("a");
  b.put(1, 2);
  EXPECT_TRUE(b.line) << "it is empty";
  EXPECT_EQ(b.get(2), 2u);
  EXPECT_FALSE(b.line);
  b.put(0, 'x');
  EXPECT_TRUE(b.line) << "and again after each byte";
  b.run_us(20);
  b.put(1, 3);
  EXPECT_EQ(b.get(2), 4u) << "received bytes go first";
  b.get(0);
  EXPECT_EQ(b.get(2), 2u);
  EXPECT_FALSE(b.line);
}

SIMULATION(uart, the_divisor_and_other_registers) {
  uart_bench b("abc");
  b.run_us(40);
  b.put(3, 0x83);
  b.put(0, 0x34);
  b.put(1, 0x12);
  EXPECT_EQ(b.get(0), 0x34u);
  EXPECT_EQ(b.get(1), 0x12u);
  b.put(3, 0x03);
  EXPECT_EQ(b.get(3), 3u);
  EXPECT_EQ(b.get(1), 0u) << "the divisor is behind the enables";
  EXPECT_EQ(b.sent, "");
  b.put(7, 0x5a);
  EXPECT_EQ(b.get(7), 0x5au);
  b.put(4, 0x0b);
  EXPECT_EQ(b.get(4), 0x0bu);
  b.put(2, 1);
  EXPECT_EQ(b.get(2), 0xc1u) << "FIFOs on, no interrupt";
  b.put(2, 3);
  EXPECT_EQ(b.get(5), 0x60u) << "the FIFO is cleared";
}

// A source that has nothing for now is asked again when it says so, and then the first byte takes its time.
SIMULATION(uart, a_source_that_pauses) {
  std::string typed = "a";
  const auto source = [&]() -> std::optional<char> {
    if (typed.empty()) return std::nullopt;
    const char c = typed.front();
    typed.erase(0, 1);
    return c;
  };
  uart_bench b(source);
  b.run_us(50);
  EXPECT_EQ(b.get(0), 'a');
  typed = "bc";
  b.run_us(50);
  EXPECT_EQ(b.get(5) & 1, 0u) << "nobody has said so";
  b.uart.resume_input();
  b.uart.resume_input();
  b.run_us(9);
  EXPECT_EQ(b.get(5) & 1, 0u) << "not yet";
  b.run_us(1);
  EXPECT_EQ(b.get(0), 'b');
  EXPECT_EQ(b.get(5) & 1, 0u) << "one at a time";
  b.run_us(10);
  EXPECT_EQ(b.get(0), 'c');
  EXPECT_FALSE(b.uart.wakes_on_input());
  b.put(1, 1);
  EXPECT_TRUE(b.uart.wakes_on_input());
}

SIMULATION(uart, wrong_accesses) {
  uart_bench b;
  EXPECT_EQ(b.master.read(8, 1), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE));
  EXPECT_EQ(b.master.write(0xff, 1, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(b.master.read(0, 4), refused(tlm::TLM_BURST_ERROR_RESPONSE));
  EXPECT_EQ(b.master.write(5, 0, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(b.master.write(6, 0, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

}  // namespace
}  // namespace pws::test::uart_test
