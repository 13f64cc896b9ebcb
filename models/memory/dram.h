// SPDX-License-Identifier: Apache-2.0
// Device memory: the storage of all bytes, and the timing of banked DRAM channels in front of it.
//
// Storage is one lazily committed host mapping, offered by DMI, with that of the process's other machines if there are
// such (memory_place); b_transport moves bytes in a time that is always the same, transport_dbg without time (host
// port, loader, debugger), both with byte enables and streaming as IEEE 1666-2011 has them (14.14, 14.15; debug
// accesses go without). nb_transport is the timed path: each channel has a queue, a scheduler (FCFS or FR-FCFS) and
// banks with open rows. A line's column access, activation and precharge follow t_cl, t_rcd, t_rp; the data bus moves
// one line in t_burst.
//
// The machine's transactions have a transaction_info and their bytes are where they belong already. One without is of
// an initiator that knows the base protocol alone: it may be of any length and place, is answered when the last of its
// lines is, and its bytes move then.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/machine/address_map.h"
#include "models/memory/event_sequencer.h"
#include "models/memory/memory_statistics.h"
#include "models/memory/transaction.h"

namespace pws::models {

// Bytes of `pattern`, little-endian, over and over from `at` on, which is a multiple of 4 and lies in a mapping of this
// process that may be read and written. Whole pages of a large piece are mapped anew, to a few pages of the host that
// all have the pattern; each becomes a page of its own when it is written to. A second mapping of the pages that were
// there before does not see the change.
void repeat_pattern(unsigned char* at, uint64_t bytes, uint32_t pattern);

// Host memory for the device memory of all machines of `c.place`: that of `file`, which has as many bytes; -1: all
// zeros, in no file. Shared, so that a part may be mapped a second time. Throws input_error.
unsigned char* map_device_memory(const dram_config& c, int file = -1);

class dram : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::simple_target_socket_tagged<dram, bus_width>;
  std::vector<std::unique_ptr<target_socket>> ports;  // one per L2 bank, and one more (the last) for the host

  // Without a port it has no storage either: device memory is somewhere else, and only its addresses are from here.
  dram(const sc_core::sc_module_name& name, const dram_config& c, uint32_t line_bytes, uint32_t n_ports,
       const gpu_clock& clock, event_sequencer& sequencer);
  ~dram() override;
  dram(const dram&) = delete;
  dram& operator=(const dram&) = delete;

  uint64_t base() const { return config_.base(); }  // first device address
  uint64_t size() const { return size_; }
  unsigned char* storage() const { return storage_; }  // of the first byte; nullptr: none
  // What get_direct_mem_ptr grants: the memory of all machines of the place. Not without storage.
  tlm::tlm_dmi grant() const;
  const dram_statistics& statistics() const { return statistics_; }
  size_t queued() const;
  // Nobody waits for a line. Lines that the L2 has written back may be in the queues.
  bool is_quiet() const;
  // While it is quiet. The bytes are kept elsewhere (memory_pages.h).
  void keep(state_archive& a);
  // The pattern's four bytes over and over, without timing, at the cost of what is written there later
  // (repeated_pages.h). `address`: a multiple of 4; all of it is device memory.
  void fill(uint64_t address, uint64_t bytes, uint32_t pattern);

 private:
  struct request {
    tlm::tlm_generic_payload* trans = nullptr;  // nullptr: a write-back, nobody waits for it
    uint64_t sequence = 0;
    int port = 0;
    uint32_t bank = 0;
    uint64_t row = 0;
    bool write = false;
    cycle_t arrival = 0;
    bool foreign = false;  // without transaction_info: its bytes move when it is served
  };
  struct bank_state {
    uint64_t open_row = no_row;
    cycle_t ready = 0;  // next command
  };
  struct channel : timed_component {
    explicit channel(dram& d) : of(d) {}
    void run(cycle_t now) override { of.schedule(*this, now); }
    dram& of;
    size_t sequence_number = 0;  // with the sequencer
    std::vector<request> queue;  // in order of arrival; of one cycle's arrivals in order of port
    std::vector<bank_state> banks;
    cycle_t bus_free = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void b_transport(int port, tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  unsigned transport_dbg(int port, tlm::tlm_generic_payload& t);
  bool get_direct_mem_ptr(int port, tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);
  bool copy(tlm::tlm_generic_payload& t);
  bool is_here(uint64_t address, uint64_t bytes) const;
  sc_core::sc_time untimed_latency() const;

  void enqueue(tlm::tlm_generic_payload* t, int port, uint64_t line, bool write, cycle_t arrival, bool foreign);
  tlm::tlm_sync_enum foreign_request(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  void foreign_line_done(const request& r, cycle_t done);
  void respond(int port, tlm::tlm_generic_payload& t, cycle_t at);
  void end_response(int port);

  void schedule(channel& c, cycle_t now);
  size_t pick(const channel& c, cycle_t now) const;
  void serve(channel& c, size_t index, cycle_t now);

  static constexpr uint64_t no_row = ~uint64_t{0};
  dram_config config_;
  uint32_t line_bytes_;
  const gpu_clock& clock_;
  uint64_t size_;
  bool owns_storage_;
  unsigned char* storage_ = nullptr;
  event_sequencer& sequencer_;
  std::vector<std::unique_ptr<channel>> channels_;
  uint64_t sequence_ = 0;
  struct response {
    tlm::tlm_generic_payload* trans;
    cycle_t at;
  };
  std::vector<std::deque<response>> responses_;  // by port: the one that is being taken, and those that wait for it
  dram_statistics statistics_;
};

}  // namespace pws::models
