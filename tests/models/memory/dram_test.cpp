// SPDX-License-Identifier: Apache-2.0
// Times of accesses to rows, banks, channels, in what order a channel serves, and the untimed way in.
#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "base/error.h"
#include "tests/models/memory/dram_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::dram_test {
namespace {

using models::dram_config;
using models::dram_scheduling;
using models::page_policy;
using ::testing::ElementsAre;

constexpr cycle_t rcd = 11, rp = 7, cl = 5, burst = 3, extra = 20;
// From arrival to the data at the bank above.
constexpr cycle_t row_hit = cl + burst + extra, row_closed = rcd + row_hit, row_conflict = rp + row_closed;

// Line `column` of a row of a bank, in a DRAM of one channel and two banks.
uint64_t place(uint64_t row, uint64_t bank, uint64_t column) {
  return first_line + (row * 2 + bank) * 4 + column;
}

SIMULATION(dram, row_closed_hit_and_conflict) {
  dram_bench b(small_dram());
  b.above.ask({load(100, place(0, 0, 0)), load(200, place(0, 0, 3)), load(300, place(1, 0, 0))});
  b.above.ask({load(400, place(1, 0, 1)), load(500, place(0, 1, 0)), load(600, place(1, 0, 2))});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(100 + row_closed, 200 + row_hit, 300 + row_conflict, 400 + row_hit,
                                             500 + row_closed, 600 + row_hit));
  EXPECT_EQ(b.statistics().reads, 6u);
  EXPECT_EQ(b.statistics().writes, 0u);
  EXPECT_EQ(b.statistics().row_hits, 3u);
  EXPECT_EQ(b.statistics().row_conflicts, 1u);
  EXPECT_EQ(b.statistics().busy_cycles, 6 * burst);
  EXPECT_EQ(b.tested.queued(), 0u);
}

SIMULATION(dram, a_closed_page_costs_the_same_for_every_row) {
  dram_config c = small_dram();
  c.page = page_policy::closed;
  dram_bench b(c);
  b.above.ask({load(100, place(0, 0, 0)), load(200, place(0, 0, 1)), load(300, place(1, 0, 0))});
  // The next one of the bank waits until it is precharged, the next one of the other bank does not.
  b.above.ask({load(400, place(0, 0, 0)), load(410, place(0, 0, 1)), load(600, place(0, 0, 0))});
  b.above.ask(load(610, place(0, 1, 0)));
  sc_core::sc_start();
  const cycle_t precharged = 400 + rcd + cl + burst + rp;
  EXPECT_THAT(b.above.answers(), ElementsAre(100 + row_closed, 200 + row_closed, 300 + row_closed, 400 + row_closed,
                                             precharged + row_closed, 600 + row_closed, 610 + row_closed));
  EXPECT_EQ(b.statistics().row_hits, 0u);
  EXPECT_EQ(b.statistics().row_conflicts, 0u);
}

SIMULATION(dram, lines_of_an_open_row_follow_without_a_gap) {
  dram_bench b(small_dram());
  for (uint64_t n = 0; n < 4; ++n) b.above.ask(load(100, place(0, 0, n)));
  sc_core::sc_start();
  const cycle_t first = 100 + row_closed;
  EXPECT_THAT(b.above.answers(), ElementsAre(first, first + burst, first + 2 * burst, first + 3 * burst));
}

SIMULATION(dram, rows_of_one_bank_follow_one_after_the_other) {
  dram_bench b(small_dram());
  b.above.ask({load(100, place(0, 0, 0)), load(100, place(1, 0, 0))});
  sc_core::sc_start();
  const cycle_t column = 100 + rcd;
  EXPECT_THAT(b.above.answers(), ElementsAre(100 + row_closed, column + burst + row_conflict));
}

SIMULATION(dram, banks_work_at_the_same_time_and_share_the_bus) {
  dram_bench b(small_dram());
  b.above.ask({load(100, place(0, 0, 0)), load(100, place(0, 1, 0))});
  b.above.ask({load(200, place(0, 0, 0)), load(200, place(0, 1, 1))});
  b.above.ask({load(300, place(1, 0, 0)), load(301, place(0, 1, 2)), load(302, place(0, 1, 3))});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(),
              ElementsAre(100 + row_closed, 100 + row_closed + burst, 200 + row_hit, 200 + row_hit + burst,
                          300 + row_conflict, 300 + row_conflict + burst, 300 + row_conflict + 2 * burst));
}

SIMULATION(dram, a_row_shorter_than_a_line_is_refused) {
  dram_config c = small_dram();
  c.row_bytes = line_bytes / 2;
  try {
    dram_bench b(c);
    FAIL() << "it was made";
  } catch (const input_error& e) {
    EXPECT_STREQ(e.what(), "machine.memory.dram.row_bytes: 32 is less than a line of 64 bytes");
  }
}

SIMULATION(dram, lines_are_interleaved_over_the_channels) {
  dram_config c = small_dram();
  c.channels = 3;
  dram_bench b(c);
  // Each channel opens a row for its first line; four lines of a channel are a row.
  for (uint64_t n = 0; n < 4; ++n) b.above.ask(load(100, first_line + n));
  // 24 lines further: the channel's third row, which is the second one of its first bank.
  b.above.ask({load(500, first_line + 9), load(600, first_line + 12), load(700, first_line + 24)});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(),
              ElementsAre(100 + row_closed, 100 + row_closed, 100 + row_closed, 100 + row_closed + burst, 500 + row_hit,
                          600 + row_closed, 700 + row_conflict));
}

SIMULATION(dram, fcfs_serves_in_order_of_arrival_then_of_ports) {
  dram_bench b(small_dram(), 3);
  b.above.ask(load(10, place(0, 0, 0)));
  b.above.ask({load(110, place(0, 0, 1)).from(2).called_early(40), load(100, place(0, 0, 2)).from(1).called_early(1)});
  b.above.ask({load(100, place(0, 0, 3)).from(2).called_early(50), load(100, place(0, 0, 0)).from(0).called_early(1)});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(10 + row_closed, 110 + row_hit, 100 + burst + row_hit,
                                             100 + 2 * burst + row_hit, 100 + row_hit));
}

// A row conflict that came first and a hit in the open row behind it.
std::vector<cycle_t> conflict_then_hit(const dram_config& c, cycle_t hit_comes) {
  dram_bench b(c, 2);
  b.above.ask({load(10, place(0, 0, 0)), load(100, place(1, 0, 0)).called_early(1)});
  b.above.ask(load(hit_comes, place(0, 0, 1)).from(1).called_early(5));
  sc_core::sc_start();
  return b.above.answers();
}

SIMULATION(dram, fcfs_does_not_look_at_rows) {
  const cycle_t column = 100 + rp + rcd;
  EXPECT_THAT(conflict_then_hit(small_dram(), 100),
              ElementsAre(10 + row_closed, 100 + row_conflict, column + burst + row_conflict));
}
SIMULATION(dram, fr_fcfs_serves_the_open_row_first) {
  dram_config c = small_dram();
  c.scheduling = dram_scheduling::fr_fcfs;
  EXPECT_THAT(conflict_then_hit(c, 100), ElementsAre(10 + row_closed, 100 + burst + row_conflict, 100 + row_hit));
}
SIMULATION(dram, fr_fcfs_serves_what_has_arrived) {
  dram_config c = small_dram();
  c.scheduling = dram_scheduling::fr_fcfs;
  const cycle_t column = 100 + rp + rcd;
  EXPECT_THAT(conflict_then_hit(c, 101),
              ElementsAre(10 + row_closed, 100 + row_conflict, column + burst + row_conflict));
}
SIMULATION(dram, fr_fcfs_looks_at_as_many_as_the_queue_holds) {
  dram_config c = small_dram();
  c.scheduling = dram_scheduling::fr_fcfs;
  c.queue = 1;
  const cycle_t column = 100 + rp + rcd;
  EXPECT_THAT(conflict_then_hit(c, 100),
              ElementsAre(10 + row_closed, 100 + row_conflict, column + burst + row_conflict));
}

SIMULATION(dram, of_several_hits_the_first_one) {
  dram_config c = small_dram();
  c.scheduling = dram_scheduling::fr_fcfs;
  dram_bench b(c, 3);
  b.above.ask({load(10, place(0, 0, 0)), load(100, place(1, 0, 0))});
  b.above.ask({load(100, place(0, 0, 1)).from(2), load(100, place(0, 0, 2)).from(1)});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(),
              ElementsAre(10 + row_closed, 100 + 2 * burst + row_conflict, 100 + burst + row_hit, 100 + row_hit));
}

SIMULATION(dram, writebacks_are_taken_at_once_and_cost_time) {
  dram_bench b(small_dram());
  b.above.ask({writeback(100, place(0, 0, 0)), load(100, place(0, 0, 1)), load(200, place(0, 0, 2))});
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(100, 100 + row_closed + burst, 200 + row_hit));
  EXPECT_EQ(b.above.answered_in_call(), 1u);
  EXPECT_EQ(b.statistics().writes, 1u);
  EXPECT_EQ(b.statistics().reads, 2u);
  EXPECT_EQ(b.statistics().row_hits, 2u);
  EXPECT_EQ(b.statistics().busy_cycles, 3 * burst);
}

SIMULATION(dram, an_atomic_fetches) {
  dram_bench b(small_dram());
  b.above.ask(atomic(100, place(0, 0, 0)));
  sc_core::sc_start();
  EXPECT_THAT(b.above.answers(), ElementsAre(100 + row_closed));
  EXPECT_EQ(b.statistics().reads, 1u);
  EXPECT_EQ(b.statistics().writes, 0u);
}

SIMULATION(dram, what_is_queued) {
  dram_config c = small_dram();
  c.channels = 2;
  dram_bench b(c);
  for (uint64_t n = 0; n < 6; ++n) b.above.ask(load(100, first_line + n).called_early(50));
  size_t before = 0, behind_the_first = 0;
  b.times.at(60, [&] { before = b.tested.queued(); });
  b.times.at(101, [&] { behind_the_first = b.tested.queued(); });
  sc_core::sc_start();
  EXPECT_EQ(before, 6u);
  EXPECT_EQ(behind_the_first, 4u) << "one per channel is served";
  EXPECT_EQ(b.tested.queued(), 0u);
}

// ---- untimed access

tlm::tlm_response_status transfer(dram_bench& b, tlm::tlm_command command, uint64_t address, void* data, unsigned size,
                                  bool debug = false) {
  tlm::tlm_generic_payload t;
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(static_cast<unsigned char*>(data));
  t.set_data_length(size);
  t.set_streaming_width(size);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  if (debug) {
    const unsigned moved = (*b.above.sockets[0])->transport_dbg(t);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE) << "a debug access says by its length how it went";
    return moved == size ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  (*b.above.sockets[0])->b_transport(t, delay);
  EXPECT_EQ(b.clock.cycles_in(delay), t.is_response_ok() ? row_closed : 0);
  return t.get_response_status();
}

SIMULATION(dram, bytes_without_time) {
  dram_bench b(small_dram());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const uint64_t begin = models::device_memory_base, end = begin + b.tested.size();
  EXPECT_EQ(b.tested.size(), 1u << 20);
  for (const bool debug : {false, true})
    for (const uint64_t at : {begin, begin + 4093, end - 4}) {
      uint32_t written = 0x01020304 + static_cast<uint32_t>(at) + (debug ? 1 : 0), read = 0;
      EXPECT_EQ(transfer(b, tlm::TLM_WRITE_COMMAND, at, &written, 4, debug), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(transfer(b, tlm::TLM_READ_COMMAND, at, &read, 4, !debug), tlm::TLM_OK_RESPONSE);
      EXPECT_EQ(read, written);
    }
  for (const bool debug : {false, true})
    for (const uint64_t at : {uint64_t{0}, begin - 1, begin - 4, end - 3, end, ~uint64_t{0}, ~uint64_t{0} - 3}) {
      if (debug && at == end - 3) continue;  // it has a part
      uint32_t word = 7;
      EXPECT_EQ(transfer(b, tlm::TLM_READ_COMMAND, at, &word, 4, debug), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
      EXPECT_EQ(transfer(b, tlm::TLM_WRITE_COMMAND, at, &word, 4, debug), tlm::TLM_ADDRESS_ERROR_RESPONSE) << at;
      EXPECT_EQ(word, 7u);
    }
  uint32_t word = 7;
  EXPECT_EQ(transfer(b, tlm::TLM_READ_COMMAND, end, &word, 0), tlm::TLM_OK_RESPONSE) << "nothing, behind the last byte";
}

// This is the memory of the second of three machines whose memories lie side by side: the bus reaches its own part, DMI
// all of it.
SIMULATION(dram, beside_that_of_other_machines) {
  models::dram_config c = small_dram();
  c.place.machines = 3;
  c.place.storage = models::map_device_memory(c);
  c.place.machine = 1;
  dram_bench b(c);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const uint64_t size = 1u << 20, begin = models::device_memory_base + size, end = begin + size;
  EXPECT_EQ(b.tested.base(), begin);
  uint32_t written = 0xcafe, read = 0;
  for (const uint64_t at : {begin, end - 4})
    EXPECT_EQ(transfer(b, tlm::TLM_WRITE_COMMAND, at, &written, 4), tlm::TLM_OK_RESPONSE);
  for (const uint64_t at : {begin - 4, end})
    EXPECT_EQ(transfer(b, tlm::TLM_READ_COMMAND, at, &read, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  std::memcpy(&read, c.place.storage + size, 4);
  EXPECT_EQ(read, written);
  tlm::tlm_generic_payload t;
  t.set_address(begin);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE((*b.above.sockets[0])->get_direct_mem_ptr(t, dmi));
  EXPECT_EQ(dmi.get_dmi_ptr(), c.place.storage);
  EXPECT_EQ(dmi.get_start_address(), models::device_memory_base);
  EXPECT_EQ(dmi.get_end_address(), models::device_memory_base + 3 * size - 1);
}

// IEEE 1666-2011, 14.14 and 14.15: a byte enable is for every n-th byte, and with a streaming width the address begins
// anew.
SIMULATION(dram, byte_enables_and_streaming) {
  dram_bench b(small_dram());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  std::array<unsigned char, 3> enables{0xff, 0, 0xff};
  tlm::tlm_generic_payload t;
  const auto send = [&](unsigned width, unsigned n_enables) {
    t.set_address(models::device_memory_base);
    t.set_data_ptr(data.data());
    t.set_data_length(8);
    t.set_streaming_width(width);
    t.set_byte_enable_ptr(enables.data());
    t.set_byte_enable_length(n_enables);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*b.above.sockets[0])->b_transport(t, delay);
    t.set_byte_enable_ptr(nullptr);
    return t.get_response_status();
  };
  const auto memory = [&b] { return std::vector<int>(b.tested.storage(), b.tested.storage() + 8); };
  t.set_write();
  EXPECT_EQ(send(8, 3), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(memory(), ElementsAre(1, 0, 3, 4, 0, 6, 7, 0));
  EXPECT_EQ(send(4, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(memory(), ElementsAre(5, 6, 7, 8, 0, 6, 7, 0));
  t.set_read();
  data.fill(9);
  EXPECT_EQ(send(3, 3), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(data, ElementsAre(5, 9, 7, 5, 9, 7, 5, 9));
  // What no initiator may send.
  EXPECT_EQ(send(0, 3), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(send(8, 0), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_THAT(data, ElementsAre(5, 9, 7, 5, 9, 7, 5, 9));
  t.set_command(tlm::TLM_IGNORE_COMMAND);
  EXPECT_EQ(send(8, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(data, ElementsAre(5, 9, 7, 5, 9, 7, 5, 9));
}

// Streaming reaches no further than its width, so it may stand at the end.
SIMULATION(dram, streaming_at_the_end) {
  dram_bench b(small_dram());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  tlm::tlm_generic_payload t;
  t.set_write();
  t.set_data_ptr(data.data());
  t.set_data_length(8);
  t.set_streaming_width(4);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const uint64_t end = models::device_memory_base + b.tested.size();
  t.set_address(end - 4);
  (*b.above.sockets[0])->b_transport(t, delay);
  EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.tested.storage()[b.tested.size() - 1], 8);
  t.set_address(end - 3);
  (*b.above.sockets[0])->b_transport(t, delay);
  EXPECT_EQ(t.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// A debug access stops at the end and says how far it came. (11.3.4)
SIMULATION(dram, a_debug_access_at_the_end) {
  dram_bench b(small_dram());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  tlm::tlm_generic_payload t;
  t.set_write();
  t.set_address(models::device_memory_base + b.tested.size() - 3);
  t.set_data_ptr(data.data());
  t.set_data_length(8);
  EXPECT_EQ((*b.above.sockets[0])->transport_dbg(t), 3u);
  EXPECT_EQ(b.tested.storage()[b.tested.size() - 1], 3);
  t.set_read();
  data.fill(0);
  EXPECT_EQ((*b.above.sockets[0])->transport_dbg(t), 3u);
  EXPECT_THAT(data, ElementsAre(1, 2, 3, 0, 0, 0, 0, 0));
  for (const uint64_t outside : {models::device_memory_base - 1, models::device_memory_base + b.tested.size()}) {
    t.set_address(outside);
    EXPECT_EQ((*b.above.sockets[0])->transport_dbg(t), 0u);
  }
}

// What is granted is the memory, and takes the time of a blocking access; what is not is what lies around it.
SIMULATION(dram, dmi_has_a_range_and_a_latency) {
  dram_bench b(small_dram());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const uint64_t begin = models::device_memory_base, end = begin + b.tested.size();
  uint32_t word = 0;
  tlm::tlm_generic_payload t;
  t.set_read();
  t.set_address(begin);
  t.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  t.set_data_length(4);
  t.set_streaming_width(4);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  (*b.above.sockets[0])->b_transport(t, delay);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE((*b.above.sockets[0])->get_direct_mem_ptr(t, dmi));
  EXPECT_EQ(dmi.get_read_latency(), delay);
  EXPECT_EQ(dmi.get_write_latency(), delay);
  for (const uint64_t outside : {uint64_t{0}, begin - 1, end, ~uint64_t{0}}) {
    tlm::tlm_dmi none;
    t.set_address(outside);
    EXPECT_FALSE((*b.above.sockets[0])->get_direct_mem_ptr(t, none));
    EXPECT_EQ(none.get_start_address(), outside < begin ? 0 : end);
    EXPECT_EQ(none.get_end_address(), outside < begin ? begin - 1 : ~uint64_t{0});
  }
}

SIMULATION(dram, dmi_is_the_same_storage) {
  dram_bench b(small_dram());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm::tlm_generic_payload t;
  t.set_address(models::device_memory_base + 5000);
  tlm::tlm_dmi dmi;
  ASSERT_TRUE((*b.above.sockets[0])->get_direct_mem_ptr(t, dmi));
  EXPECT_TRUE(dmi.is_read_write_allowed());
  EXPECT_EQ(dmi.get_start_address(), models::device_memory_base);
  EXPECT_EQ(dmi.get_end_address(), models::device_memory_base + (1u << 20) - 1);
  const uint32_t written = 0xcafe;
  std::memcpy(dmi.get_dmi_ptr() + 5000, &written, 4);
  uint32_t read = 0;
  transfer(b, tlm::TLM_READ_COMMAND, models::device_memory_base + 5000, &read, 4);
  EXPECT_EQ(read, written);
}

}  // namespace
}  // namespace pws::test::dram_test
