// SPDX-License-Identifier: Apache-2.0
#include "models/soc/plic.h"

#include <gmock/gmock.h>

#include "tests/models/simulation.h"
#include "tests/soc/device_bench.h"

namespace pws::test::plic_test {
namespace {

constexpr uint64_t pending = 0x1000, enable = 0x2000, context = 0x20'0000;
constexpr uint32_t n_sources = 40, n_contexts = 2;

struct plic_bench {
  plic_bench() : source("source", n_sources + 1), line("line", n_contexts) {
    master.bus.bind(plic.socket);
    for (uint32_t s = 1; s <= n_sources; ++s) (*plic.sources[s - 1])(source[s]);
    for (uint32_t c = 0; c < n_contexts; ++c) (*plic.contexts[c])(line[c]);
    settle();
  }
  void set(uint32_t s, bool high) {
    source[s] = high;
    settle();
  }
  void prioritise(uint32_t s, uint32_t priority) { EXPECT_EQ(master.write(4 * s, priority), tlm::TLM_OK_RESPONSE); }
  void allow(uint32_t c, uint32_t s) {
    const uint64_t at = enable + 0x80 * c + s / 32 * 4;
    master.write(at, master.read(at).value | 1U << s % 32);
    settle();
  }
  void threshold(uint32_t c, uint32_t value) {
    master.write(context + 0x1000 * c, value);
    settle();
  }
  uint64_t claim(uint32_t c) {
    const answer a = master.read(context + 0x1000 * c + 4);
    EXPECT_EQ(a.status, tlm::TLM_OK_RESPONSE);
    settle();
    return a.value;
  }
  void complete(uint32_t c, uint32_t s) {
    EXPECT_EQ(master.write(context + 0x1000 * c + 4, s), tlm::TLM_OK_RESPONSE);
    settle();
  }
  bool is_pending(uint32_t s) { return (master.read(pending + s / 32 * 4).value >> s % 32 & 1) != 0; }

  bus_master master{"master"};
  models::plic plic{"plic", n_sources, n_contexts};
  sc_core::sc_vector<sc_core::sc_signal<bool>> source, line;
};

SIMULATION(plic, an_interrupt_from_source_to_completion) {
  plic_bench b;
  b.prioritise(5, 3);
  b.allow(0, 5);
  EXPECT_FALSE(b.line[0]);
  b.set(5, true);
  EXPECT_TRUE(b.is_pending(5));
  EXPECT_TRUE(b.line[0]);
  EXPECT_FALSE(b.line[1]);
  EXPECT_EQ(b.claim(0), 5u);
  EXPECT_FALSE(b.is_pending(5)) << "claimed";
  EXPECT_FALSE(b.line[0]);
  b.set(6, true);  // the sources are looked at again
  EXPECT_FALSE(b.is_pending(5)) << "while it is in service, though its level is high";
  EXPECT_EQ(b.claim(0), 0u);
  b.set(5, false);
  b.complete(0, 5);
  EXPECT_FALSE(b.line[0]);
}

SIMULATION(plic, a_level_that_stays_asks_again_when_it_is_completed) {
  plic_bench b;
  b.prioritise(5, 1);
  b.allow(0, 5);
  b.set(5, true);
  EXPECT_EQ(b.claim(0), 5u);
  b.complete(0, 5);
  EXPECT_TRUE(b.line[0]);
  EXPECT_EQ(b.claim(0), 5u);
}

// A level that goes before it is claimed stays pending: the gateway has asked.
SIMULATION(plic, a_short_level_is_not_lost) {
  plic_bench b;
  b.prioritise(5, 1);
  b.allow(0, 5);
  b.set(5, true);
  b.set(5, false);
  EXPECT_TRUE(b.line[0]);
  EXPECT_EQ(b.claim(0), 5u);
  b.complete(0, 5);
  EXPECT_FALSE(b.line[0]);
}

SIMULATION(plic, priorities_then_numbers) {
  plic_bench b;
  for (const auto& [s, priority] : {std::pair{40u, 7u}, {7u, 2u}, {3u, 2u}, {33u, 5u}, {1u, 0u}}) {
    b.prioritise(s, priority);
    b.allow(0, s);
    b.set(s, true);
  }
  std::vector<uint64_t> order;
  for (int k = 0; k < 5; ++k) order.push_back(b.claim(0));
  EXPECT_THAT(order, testing::ElementsAre(40, 33, 3, 7, 0)) << "priority 0: never";
  EXPECT_FALSE(b.line[0]);
  EXPECT_TRUE(b.is_pending(1));
}

// (PLIC Specification, chapters 7 and 9)
SIMULATION(plic, the_threshold_hides_the_line_but_not_the_claim) {
  plic_bench b;
  b.prioritise(9, 4);
  b.allow(0, 9);
  b.set(9, true);
  b.threshold(0, 4);
  EXPECT_FALSE(b.line[0]);
  b.threshold(0, 3);
  EXPECT_TRUE(b.line[0]);
  b.threshold(0, 7);
  EXPECT_FALSE(b.line[0]);
  EXPECT_EQ(b.claim(0), 9u);
}

SIMULATION(plic, two_contexts_and_one_source) {
  plic_bench b;
  b.prioritise(2, 1);
  b.allow(0, 2);
  b.allow(1, 2);
  b.set(2, true);
  EXPECT_TRUE(b.line[0]);
  EXPECT_TRUE(b.line[1]);
  EXPECT_EQ(b.claim(1), 2u);
  EXPECT_EQ(b.claim(0), 0u) << "the first to claim has it";
  b.complete(1, 2);
  EXPECT_TRUE(b.line[0]);
}

SIMULATION(plic, completions_of_what_is_not_there_are_ignored) {
  plic_bench b;
  b.prioritise(2, 1);
  b.allow(0, 2);
  b.set(2, true);
  EXPECT_EQ(b.claim(0), 2u);
  for (const uint32_t s : {0u, 3u, 41u, 0xffff'ffffu}) b.complete(0, s);
  b.complete(1, 2);  // has not enabled it
  EXPECT_FALSE(b.line[0]);
  b.complete(0, 2);
  EXPECT_TRUE(b.line[0]);
}

SIMULATION(plic, registers_hold_what_there_is) {
  plic_bench b;
  b.prioritise(4, 0xffff'ffff);
  EXPECT_EQ(b.master.read(4 * 4), ok(7));
  b.master.write(enable, 0xffff'ffff);
  b.master.write(enable + 4, 0xffff'ffff);
  EXPECT_EQ(b.master.read(enable), ok(0xffff'fffe)) << "there is no source 0";
  EXPECT_EQ(b.master.read(enable + 4), ok(0x1ff)) << "32 to 40";
  b.master.write(context, 0xff);
  EXPECT_EQ(b.master.read(context), ok(7));
  EXPECT_EQ(b.master.write(pending, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

SIMULATION(plic, wrong_accesses) {
  plic_bench b;
  for (const uint64_t at : {uint64_t{0}, uint64_t{4 * 41}, pending + 8, enable + 8, enable + 0x100, context + 8,
                            context + 0x2000, context + 0x2004, uint64_t{0x3ff'fffc}}) {
    EXPECT_EQ(b.master.read(at), refused(tlm::TLM_ADDRESS_ERROR_RESPONSE)) << at;
    EXPECT_EQ(b.master.write(at, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
  }
  for (const unsigned bytes : {1, 2, 8}) {
    EXPECT_EQ(b.master.read(context, bytes), refused(tlm::TLM_BURST_ERROR_RESPONSE));
    EXPECT_EQ(b.master.write(enable, 1, bytes), tlm::TLM_BURST_ERROR_RESPONSE);
  }
}

}  // namespace
}  // namespace pws::test::plic_test
