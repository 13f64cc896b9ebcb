// SPDX-License-Identifier: Apache-2.0
// A cache with in-order tag pipeline, hit under miss and miss status registers: vector L1, scalar cache, instruction
// cache and L2 bank are this module with different policies. Tags and timing only (see transaction.h).
//
// What a request meets depends on its cycle alone and not on when calls are made, so that initiators may run ahead of
// SystemC time: a request is decided only when every line that can arrive before it has been announced, and waits for
// that otherwise.
//
// Timing is by reservation: a request's cycle is known when it is announced, so a hit completes in the announcing call
// (TLM_COMPLETED with the delay annotated) and costs no event. Only misses wait for a response call from below.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <systemc>
#include <tlm>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/memory/arrival_queue.h"
#include "models/memory/event_sequencer.h"
#include "models/memory/memory_statistics.h"
#include "models/memory/miss_table.h"
#include "models/memory/tag_array.h"

namespace pws::models {

// What a store does.
enum class write_policy {
  write_through,  // no allocation on a store; stores and atomics go on to the next level (vector L1)
  write_back      // stores allocate without fetching (byte masks), atomics are performed here (L2)
};

class cache : public sc_core::sc_module, private timed_component {
 public:
  // What kind of cache it is.
  struct parameters {
    cache_config tags;
    models::write_policy policy = write_policy::write_through;
    event_sequencer* sequencer = nullptr;  // set: several initiators, requests are put in order of arrival first
    uint32_t bytes_per_cycle = 64;         // of the request port
    bool port_per_initiator = false;       // requests of a cycle do not wait for one another
    uint32_t interleave = 1;               // sees every interleave-th line only
    cycle_t lookahead = 1;                 // the next level announces a line at least so many cycles before it arrives
    // Where device memory's bytes are, the address of the first, and how many: write-backs point at them. The command
    // of other write-backs is to be ignored.
    unsigned char* storage = nullptr;
    uint64_t storage_begin = 0, storage_bytes = 0;
  };

  tlm_utils::simple_target_socket<cache, bus_width> upstream;
  tlm_utils::simple_initiator_socket<cache, bus_width> downstream;

  cache(const sc_core::sc_module_name& name, const parameters& p, const gpu_clock& clock);

  // Drops every line at cycle `at` (buffer_wbinvl1, s_dcache_inv, s_icache_inv). Lines on their way still arrive.
  void invalidate(cycle_t at);
  const cache_statistics& statistics() const { return statistics_; }
  size_t misses_outstanding() const { return misses_.size(); }
  // ---- What a debugger sees of it now
  // Lines.
  struct line_counts {
    uint64_t here = 0, dirty = 0, on_their_way = 0, room = 0;
  };
  line_counts lines() const;  // all of them
  // Where the line of an address is.
  struct line_place {
    bool here = false, dirty = false, on_its_way = false;
  };
  line_place place_of(uint64_t address) const;  // that of the address
  // Nobody waits for a line. Lines that have arrived may not be in the tags yet, as they enter with the next request.
  bool is_quiet() const { return waiting_.empty() && arrivals_.empty() && misses_.size() == fills_.size(); }
  // While it is quiet.
  void keep(state_archive& a);

 private:
  struct outcome {
    bool known = false;  // completion cycle known now; otherwise a response follows
    cycle_t at = 0;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void run(cycle_t now) override;

  bool decidable(cycle_t start);
  outcome accept(tlm::tlm_generic_payload& t, cycle_t arrival);
  bool process(tlm::tlm_generic_payload& t, cycle_t& start, outcome& result);
  outcome read(tlm::tlm_generic_payload& t, cycle_t start, uint64_t line, tag_array::entry* hit);
  bool reserve_miss(cycle_t& start);
  void apply_fills(cycle_t upto);
  void add_fill(uint64_t line, cycle_t at);
  void fill(uint64_t line, bool dirty);
  outcome send_down(tlm::tlm_generic_payload& t, cycle_t at);
  void filled(uint64_t line, cycle_t at);
  void drain_waiting();
  void respond(tlm::tlm_generic_payload& t, cycle_t at);

  parameters parameters_;
  const gpu_clock& clock_;
  uint32_t line_shift_;
  tag_array tags_;
  miss_table misses_;
  struct pending_fill {
    cycle_t at;
    uint64_t line;
  };
  std::vector<pending_fill> fills_;  // arrived or announced lines; enter the tags when a request's cycle reaches them
  static constexpr cycle_t never_ = ~cycle_t{0};
  cycle_t next_fill_ = never_;  // the first of them
  struct waiting_request {
    tlm::tlm_generic_payload* trans;  // nullptr: an invalidation
    cycle_t arrival;
  };
  std::deque<waiting_request> waiting_;  // not decidable yet, and whatever came after it
  sc_core::sc_event retry_event_;
  cycle_t port_free_ = 0;
  arrival_queue arrivals_;
  size_t sequence_number_ = 0;  // with the sequencer
  transaction_pool writebacks_;
  cache_statistics statistics_;
};

}  // namespace pws::models
