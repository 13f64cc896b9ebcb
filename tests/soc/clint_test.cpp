// SPDX-License-Identifier: Apache-2.0
#include "models/soc/clint.h"

#include <gmock/gmock.h>

#include "tests/models/simulation.h"
#include "tests/soc/device_bench.h"

namespace pws::test::clint_test {
namespace {

using sc_core::sc_time;

constexpr uint64_t mtimecmp = 0x4000, mtime = 0xbff8;

// Two harts, a tick of 100 ns.
struct clint_bench {
  clint_bench() {
    master.bus.bind(clint.socket);
    for (unsigned h = 0; h < 2; ++h) {
      (*clint.timer[h])(timer[h]);
      (*clint.software[h])(software[h]);
    }
    settle();
  }
  static void run_to(uint64_t ns) {
    sc_core::sc_start(sc_time(static_cast<double>(ns), sc_core::SC_NS) - sc_core::sc_time_stamp());
  }
  bus_master master{"master"};
  models::clint clint{"clint", 2, sc_time(100, sc_core::SC_NS)};
  sc_core::sc_signal<bool> timer[2], software[2];
};

SIMULATION(clint, at_reset) {
  clint_bench b;
  for (unsigned h = 0; h < 2; ++h) {
    EXPECT_EQ(b.master.read(4 * h), ok(0));
    EXPECT_EQ(b.master.read(mtimecmp + 8 * h, 8), ok(~uint64_t{0}));
    EXPECT_FALSE(b.timer[h]);
    EXPECT_FALSE(b.software[h]);
  }
  EXPECT_EQ(b.master.read(mtime, 8), ok(0));
}

SIMULATION(clint, software_interrupts) {
  clint_bench b;
  b.master.write(4, 0xffff'ffff);
  settle();
  EXPECT_EQ(b.master.read(4), ok(1)) << "one bit";
  EXPECT_TRUE(b.software[1]);
  EXPECT_FALSE(b.software[0]);
  b.master.write(4, 0xffff'fffe);
  settle();
  EXPECT_FALSE(b.software[1]);
}

SIMULATION(clint, the_line_rises_with_the_tick) {
  clint_bench b;
  b.master.write(mtimecmp + 8, 7, 8);
  b.run_to(699);
  EXPECT_FALSE(b.timer[1]);
  EXPECT_EQ(b.master.read(mtime, 8), ok(6));
  b.run_to(701);
  EXPECT_TRUE(b.timer[1]);
  EXPECT_FALSE(b.timer[0]);
  EXPECT_EQ(b.master.read(mtime, 8), ok(7));
  b.master.write(mtimecmp + 8, 8, 8);
  settle();
  EXPECT_FALSE(b.timer[1]) << "until the next";
  b.run_to(801);
  EXPECT_TRUE(b.timer[1]);
}

SIMULATION(clint, a_time_that_is_over_or_now) {
  clint_bench b;
  b.run_to(550);
  for (const uint64_t at : {0, 4, 5}) {
    b.master.write(mtimecmp, at, 8);
    settle();
    EXPECT_TRUE(b.timer[0]) << at;
  }
  b.master.write(mtimecmp, 6, 8);
  settle();
  EXPECT_FALSE(b.timer[0]);
}

// Software on a 32-bit bus writes one half, then the other.
SIMULATION(clint, halves) {
  clint_bench b;
  b.master.write(mtimecmp, 0x1111'2222'3333'4444, 8);
  EXPECT_EQ(b.master.read(mtimecmp), ok(0x3333'4444));
  EXPECT_EQ(b.master.read(mtimecmp + 4), ok(0x1111'2222));
  b.master.write(mtimecmp + 4, 0);
  b.master.write(mtimecmp, 3);
  EXPECT_EQ(b.master.read(mtimecmp, 8), ok(3));
  b.run_to(301);
  EXPECT_TRUE(b.timer[0]);
}

SIMULATION(clint, mtime_can_be_set_and_wraps) {
  clint_bench b;
  b.master.write(mtimecmp, 1000, 8);
  b.master.write(mtime, 999, 8);
  EXPECT_EQ(b.master.read(mtime, 8), ok(999));
  b.run_to(99);
  EXPECT_FALSE(b.timer[0]);
  b.run_to(101);
  EXPECT_TRUE(b.timer[0]);
  b.master.write(mtime, ~uint64_t{0}, 8);
  settle();
  EXPECT_TRUE(b.timer[0]);
  b.run_to(201);
  EXPECT_EQ(b.master.read(mtime, 8), ok(0));
  b.master.write(mtime + 4, 7);
  EXPECT_EQ(b.master.read(mtime, 8), ok(uint64_t{7} << 32));
}

// A time that SystemC does not reach: no line, no event, and a nearer one is heard.
SIMULATION(clint, a_time_that_never_comes) {
  clint_bench b;
  b.master.write(mtimecmp, ~uint64_t{0} - 1, 8);
  b.master.write(mtimecmp + 8, 2, 8);
  b.run_to(201);
  EXPECT_TRUE(b.timer[1]);
  EXPECT_FALSE(sc_core::sc_pending_activity()) << "nothing more happens";
}

SIMULATION(clint, wrong_accesses) {
  clint_bench b;
  for (const uint64_t at : {0x8, 0x3ffc, 0x4010, 0xbff4, 0xc000, 0xfffc}) {
    EXPECT_EQ(b.master.read(at), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE)) << at;
    EXPECT_EQ(b.master.write(at, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
  }
  for (const unsigned bytes : {1, 2})
    for (const uint64_t at : {uint64_t{0}, mtimecmp, mtime})
      EXPECT_EQ(b.master.read(at, bytes), refused(tlm::TLM_BURST_ERROR_RESPONSE));
  EXPECT_EQ(b.master.read(0, 8), refused(tlm::TLM_BURST_ERROR_RESPONSE)) << "two msip";
  EXPECT_EQ(b.master.write(0, 0x1'0000'0001, 8), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.master.read(4), ok(0));
}

// What every device refuses before it looks at the address.
SIMULATION(clint, malformed_payloads) {
  clint_bench b;
  uint64_t value = 1;
  unsigned char enable = TLM_BYTE_ENABLED;
  const auto send = [&](uint64_t address, unsigned length, unsigned width, bool with_enable) {
    tlm::tlm_generic_payload t;
    t.set_write();
    t.set_address(address);
    t.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    t.set_data_length(length);
    t.set_streaming_width(width);
    if (with_enable) {
      t.set_byte_enable_ptr(&enable);
      t.set_byte_enable_length(1);
    }
    return b.master.send(t);
  };
  EXPECT_EQ(send(0, 4, 4, true), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  for (const unsigned length : {0, 3, 5, 16}) EXPECT_EQ(send(0, length, length, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(send(0, 4, 2, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(send(2, 4, 4, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.master.read(0), ok(0));
}

}  // namespace
}  // namespace pws::test::clint_test
