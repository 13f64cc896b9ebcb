// SPDX-License-Identifier: Apache-2.0
// Random initiators at the machine's bus: loosely and approximately timed and both, with and without DMI, with byte
// enables, streaming and odd sizes. Whatever they are, the same memory is left, every read gives what was written, and
// wrong accesses have the standard's error responses.
#include <gmock/gmock.h>

#include <algorithm>
#include <list>
#include <map>

#include "models/bus/socket_binding.h"
#include "tests/integration/child_process.h"
#include "tests/models/simulation.h"
#include "tests/tlm/bus_machine.h"
#include "tests/tlm/checked_sockets.h"
#include "tests/tlm/test_initiator.h"

namespace pws::test::random_initiators_test {
namespace {

using sc_core::sc_time;

constexpr size_t slots = 4;  // that an initiator uses in turn, each for one access at a time
constexpr uint64_t slot_bytes = 1003, share = slots * slot_bytes;
constexpr unsigned accesses = 600, initiators = 4;

enum class style { loose, approximate, mixed };
const char* name_of(style s) {
  return s == style::loose ? "loose" : s == style::approximate ? "approximate" : "mixed";
}

// Accesses that the machine refuses, and how.
struct wrong_access {
  uint64_t address;
  tlm::tlm_command command;
  unsigned bytes, width;
  bool enables;
  tlm::tlm_response_status response;
};

std::vector<wrong_access> wrong_accesses(const bus_machine& m) {
  constexpr auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
  constexpr uint64_t registers = bus_machine::window, debug = registers + models::device_window::debug_offset;
  constexpr uint64_t mask = registers + models::gpu_registers.address(models::gpu_register::interrupt_mask);
  constexpr uint64_t doorbell = registers + models::gpu_registers.address(models::gpu_register::queue_doorbell);
  return {
      {0, read, 4, 4, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {m.memory_begin() - 1, write, 4, 4, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {m.memory_end() - 4, write, 8, 8, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {m.memory_end() - 4, read, 8, 5, true, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {m.memory_end(), read, 1, 1, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {~uint64_t{0}, read, 2, 2, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},
      {registers, write, 8, 8, false, tlm::TLM_COMMAND_ERROR_RESPONSE},  // read only
      {doorbell, read, 8, 8, false, tlm::TLM_COMMAND_ERROR_RESPONSE},    // write only
      {registers, tlm::TLM_IGNORE_COMMAND, 8, 8, false, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {mask, write, 2, 2, false, tlm::TLM_BURST_ERROR_RESPONSE},
      {mask + 2, write, 4, 4, false, tlm::TLM_BURST_ERROR_RESPONSE},
      {mask, write, 8, 4, false, tlm::TLM_BURST_ERROR_RESPONSE},
      {mask, write, 8, 8, true, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
      {registers + 0xb0, write, 8, 8, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},  // no register
      {doorbell, write, 8, 8, false, tlm::TLM_GENERIC_ERROR_RESPONSE},          // no queue
      {debug, write, 4, 4, false, tlm::TLM_COMMAND_ERROR_RESPONSE},
      {debug, read, 4, 2, false, tlm::TLM_BURST_ERROR_RESPONSE},
      {debug, read, 4, 4, true, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE},
      {registers + m.gpu.window.size() - 2, read, 4, 4, false, tlm::TLM_ADDRESS_ERROR_RESPONSE},
  };
}

class random_initiator : public test_initiator {
 public:
  random_initiator(const sc_core::sc_module_name& name, const bus_machine& m, uint32_t number, style s, bool dmi)
      : test_initiator(name, 100 + number),
        begin_(m.memory_begin() + 5 + number * share),
        style_(s),
        dmi_(dmi),
        what_(number),
        how_(number + 1000),
        wrong_(wrong_accesses(m)),
        expected(share) {
    SC_HAS_PROCESS(random_initiator);
    SC_THREAD(run);
  }
  bool finished = false;

 private:
  const uint64_t begin_;
  const style style_;
  const bool dmi_;
  std::mt19937_64 what_, how_;  // what is accessed does not depend on how
  const std::vector<wrong_access> wrong_;
  struct slot {
    test_access access;
    std::vector<unsigned char> result;  // of the data
    tlm::tlm_response_status response = tlm::TLM_OK_RESPONSE;
    bool busy = false;
  };
  std::array<slot, slots> slots_;
  sc_core::sc_event slot_free_;

 public:
  std::vector<unsigned char> expected;
  std::map<tlm::tlm_response_status, unsigned> responses;

 private:
  uint64_t below(uint64_t n) { return what_() % n; }

  // What is to be there afterwards goes into `expected` and the slot's result.
  void choose(size_t n) {
    slot& s = slots_[n];
    test_access& a = s.access;
    a = {};
    a.tag = n;
    if (below(10) == 0) {
      const wrong_access& w = wrong_[below(wrong_.size())];
      a.command = w.command;
      a.address = w.address;
      a.data.assign(w.bytes, 0x77);
      a.streaming_width = w.width;
      if (w.enables) a.byte_enables.assign(1, TLM_BYTE_ENABLED);
      s.response = w.response;
      s.result = a.data;
      return;
    }
    s.response = tlm::TLM_OK_RESPONSE;
    const auto bytes = static_cast<unsigned>(1 + below(below(8) == 0 ? 700 : 20));
    unsigned width = bytes;
    if (below(4) == 0) a.streaming_width = width = static_cast<unsigned>(1 + below(bytes));
    if (below(4) == 0)
      for (uint64_t k = 1 + below(9); k != 0; --k)
        a.byte_enables.push_back(below(2) == 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
    const uint64_t kind = below(20);
    a.command = kind == 0 ? tlm::TLM_IGNORE_COMMAND : kind < 10 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
    const uint64_t at = n * slot_bytes + below(slot_bytes - width + 1);
    a.address = begin_ + at;
    for (unsigned k = 0; k < bytes; ++k) a.data.push_back(static_cast<unsigned char>(what_()));
    s.result = a.data;
    for (unsigned k = 0; k < bytes; ++k) {
      if (!a.byte_enables.empty() && a.byte_enables[k % a.byte_enables.size()] == TLM_BYTE_DISABLED) continue;
      unsigned char& there = expected[at + k % width];
      if (a.command == tlm::TLM_READ_COMMAND) s.result[k] = there;
      if (a.command == tlm::TLM_WRITE_COMMAND) there = a.data[k];
    }
  }

  void run() {
    for (unsigned n = 0; n < accesses; ++n) {
      slot& s = slots_[n % slots];
      while (s.busy) wait(slot_free_);
      choose(n % slots);
      s.busy = true;
      test_access& a = s.access;
      const bool plain = a.byte_enables.empty() && a.streaming_width == 0 && a.command != tlm::TLM_IGNORE_COMMAND;
      const bool by_phases = style_ == style::approximate || (style_ == style::mixed && how_() % 2 == 0);
      const uint64_t way = how_() % 8;
      if (plain && s.response == tlm::TLM_OK_RESPONSE && way == 0) {
        EXPECT_EQ(debug(a), a.data.size());
        a.response = tlm::TLM_OK_RESPONSE;
        completed(a);
      } else if (dmi_ && plain && way < 4 && direct(a)) {
        completed(a);
      } else if (by_phases) {
        begin(a);
      } else {
        blocking(a);
        completed(a);
      }
      if (way == 7) compute(sc_time(10, sc_core::SC_NS));
    }
    for (slot& s : slots_)
      while (s.busy) wait(slot_free_);
    finished = true;
  }

  void completed(test_access& a) override {
    slot& s = slots_[a.tag];
    EXPECT_EQ(a.response, s.response) << std::hex << a.address;
    EXPECT_EQ(a.data, s.result) << std::hex << a.address;
    ++responses[a.response];
    s.busy = false;
    slot_free_.notify(sc_core::SC_ZERO_TIME);
  }
};

// Takes away what has been granted, now and then.
class invalidator : public sc_core::sc_module {
 public:
  invalidator(const sc_core::sc_module_name& name, bus_machine& m) : sc_module(name), m_(m) {
    SC_HAS_PROCESS(invalidator);
    SC_THREAD(run);
  }

 private:
  void run() {
    for (int n = 0; n < 20; ++n) {
      wait(sc_time(1, sc_core::SC_US));
      (*m_.gpu.memory.dram.ports.back())->invalidate_direct_mem_ptr(m_.memory_begin(), m_.memory_end() - 1);
    }
  }
  bus_machine& m_;
};

// Runs the initiators and gives the memory that they leave.
std::vector<unsigned char> memory_after(style s, const sc_time& quantum, bool dmi) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const auto body = [&](const message_sink& sink) {
    checked_sockets sockets;
    tlm::tlm_global_quantum::instance().set(quantum);
    bus_machine machine("machine", initiators);
    std::list<random_initiator> all;
    for (uint32_t k = 0; k < initiators; ++k) {
      all.emplace_back(sc_core::sc_gen_unique_name("initiator"), machine, k, s, dmi);
      models::bind_sockets(all.back().socket, *machine.bus.from[k]);
    }
    std::optional<invalidator> takes_away;
    if (dmi) takes_away.emplace("invalidator", machine);
    sc_core::sc_start();
    EXPECT_EQ(sockets.log.text(), "");
    std::vector<unsigned char> expected(5), memory(machine.storage(), machine.storage() + 5 + initiators * share);
    for (const random_initiator& i : all) {
      EXPECT_TRUE(i.finished) << i.name();
      EXPECT_EQ(i.responses.size(), 6u) << "of every kind";
      EXPECT_EQ(i.direct_accesses() != 0, dmi);
      EXPECT_EQ(i.invalidations() != 0, dmi);
      expected.insert(expected.end(), i.expected.begin(), i.expected.end());
    }
    EXPECT_TRUE(memory == expected);
    EXPECT_EQ(sockets.calls().forward != 0, s != style::loose);
    EXPECT_EQ(sockets.calls().blocking != 0, s != style::approximate);
    sink(memory.data(), memory.size());
    return testing::Test::HasFailure() ? 1 : 0;
  };
  const child_result child = in_child(body, 60);
  EXPECT_EQ(child.status, 0) << describe_status(child.status) << "\n" << child.log;
  return child.message;
}

TEST(random_initiators, leave_the_same_memory_whatever_they_are) {
  const std::vector<unsigned char> memory = memory_after(style::loose, sc_core::SC_ZERO_TIME, false);
  ASSERT_FALSE(memory.empty());
  for (const style s : {style::loose, style::approximate, style::mixed})
    for (const unsigned quantum : {0u, 1u, 100u})
      for (const bool dmi : {false, true}) {
        SCOPED_TRACE(std::string(name_of(s)) + ", quantum " + std::to_string(quantum) + " us" + (dmi ? ", DMI" : ""));
        EXPECT_TRUE(memory_after(s, sc_time(quantum, sc_core::SC_US), dmi) == memory);
      }
}

// Writes a pattern to half of the memory in one transaction by phases, and reads it back in another.
class burst_initiator : public test_initiator {
 public:
  burst_initiator(const sc_core::sc_module_name& name, const bus_machine& m) : test_initiator(name), m_(m) {
    SC_HAS_PROCESS(burst_initiator);
    SC_THREAD(run);
  }
  bool finished = false;

 private:
  void run() {
    test_access write;
    write.command = tlm::TLM_WRITE_COMMAND;
    write.address = m_.memory_begin() + 3;
    for (uint64_t k = 0; k < (m_.memory_end() - m_.memory_begin()) / 2; ++k)
      write.data.push_back(static_cast<unsigned char>(k * 7 >> 3));
    at_once(write);
    EXPECT_EQ(write.response, tlm::TLM_OK_RESPONSE);
    test_access read;
    read.address = write.address;
    read.data.resize(write.data.size());
    at_once(read);
    EXPECT_EQ(read.response, tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(read.data == write.data);
    finished = true;
  }
  const bus_machine& m_;
};

SIMULATION(random_initiators, a_burst_may_be_longer_than_the_queues) {
  checked_sockets sockets;
  bus_machine machine("machine", 1);
  burst_initiator initiator("initiator", machine);
  models::bind_sockets(initiator.socket, *machine.bus.from[0]);
  sc_core::sc_start();
  EXPECT_TRUE(initiator.finished);
  EXPECT_EQ(sockets.log.text(), "");
  // Each line once each way; an odd address touches one more.
  const models::dram_statistics& s = machine.gpu.memory.dram.statistics();
  EXPECT_EQ(s.writes, (1u << 19) / 64 + 1);
  EXPECT_EQ(s.reads, (1u << 19) / 64 + 1);
  EXPECT_EQ(machine.gpu.memory.dram.queued(), 0u);
}

}  // namespace
}  // namespace pws::test::random_initiators_test
