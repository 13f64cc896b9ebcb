// SPDX-License-Identifier: Apache-2.0
// A compute unit's way to memory: coalesces what an instruction touched into line requests and sends them through three
// TLM initiator sockets (instruction, scalar, vector). Completion is known at once for hits and by a response call
// otherwise.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <tlm>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/compute_unit/statistics.h"
#include "models/context/pending_operation.h"
#include "models/isa/wave_state.h"
#include "models/memory/transaction.h"

namespace pws::models {

// Told when the completion of something that was pending becomes known. May be called ahead of the cycle it is about.
class memory_client {
 public:
  virtual ~memory_client() = default;
  virtual void completed(ticket t, cycle_t at) = 0;
};

// Distinct lines that a set of lanes touches, in order of first touch.
class coalescer {
 public:
  // Accesses of `bytes_per_lane` at each active lane's address, and those of further texels.
  const std::vector<uint64_t>& lines(const isa::memory_access& a, uint32_t line_shift);

 private:
  void add(uint64_t line);
  void add_all(uint64_t lanes, const uint64_t* addresses, uint32_t bytes, uint32_t line_shift);
  std::vector<uint64_t> lines_;
  struct slot {
    uint64_t line = 0;
    uint64_t stamp = 0;
  };
  std::array<slot, 256> seen_{};
  uint64_t stamp_ = 0;
};

class memory_interface : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<memory_interface, bus_width> instruction;
  tlm_utils::simple_initiator_socket<memory_interface, bus_width> scalar;
  tlm_utils::simple_initiator_socket<memory_interface, bus_width> vector;

  memory_interface(const sc_core::sc_module_name& name, const memory_config& c, const gpu_clock& clock,
                   memory_client& client);

  // DMI window of device memory, for the transactions' data pointers.
  void set_window(unsigned char* storage, uint64_t base, uint64_t size);

  // Whoever asks names what it asks for by a ticket of its own: the client is told of that when a completion that is
  // not known on return becomes so.
  struct asked_access {
    pending_operation* operation = nullptr;  // for the counters of those who ask; nobody holds it yet
    cycle_t free_at = 0;                     // the unit can take the next instruction
  };
  // Asks for the aligned block of `bytes` at `address`. The cycle at which it is here, or `never`.
  cycle_t fetch(requester who, ticket t, uint64_t address, uint32_t bytes, cycle_t now);
  // Every set bit of a.mask is an access of its own.
  asked_access scalar_access(requester who, ticket t, const isa::memory_access& a, cycle_t now);
  // Addresses take `address_cycles`.
  asked_access vector_access(requester who, ticket t, const isa::memory_access& a, bool bypass_l1, cycle_t now,
                             cycle_t address_cycles);

  // The operations that the compute unit's contexts count as outstanding.
  operation_pool& operations() { return counted_; }
  size_t in_flight() const { return pool_.in_flight(); }
  // Nobody hears any more of what is under way.
  void forget();
  const memory_statistics& statistics() const { return statistics_; }
  // While nothing is in flight.
  void keep(state_archive& a) { a(statistics_); }

 private:
  // One instruction's requests.
  struct operation {
    operation* next_free = nullptr;
    requester who;
    ticket of = 0;
    uint32_t remaining = 0;
    pending_operation* counted = nullptr;  // by counters; nullptr: a fetch
    bool forgotten = false;
    cycle_t done = 0;
  };
  operation& acquire(requester who, ticket t, pending_operation* counted);
  void send(tlm_utils::simple_initiator_socket<memory_interface, bus_width>& socket, operation& op, access_kind kind,
            uint64_t address, uint32_t bytes, bool bypass_l1, cycle_t at);
  void settle(operation& op);  // all requests sent: records the completion if nothing is left to wait for
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  const gpu_clock& clock_;
  memory_client& client_;
  uint32_t line_bytes_;
  uint32_t line_shift_;
  unsigned char* storage_ = nullptr;
  uint64_t window_base_ = 0, window_size_ = 0;
  std::vector<unsigned char> outside_;  // what requests to addresses behind the window point to; nobody looks at it
  transaction_pool pool_;
  operation_pool counted_;
  std::vector<std::unique_ptr<operation>> operations_;
  operation* free_ = nullptr;
  coalescer coalescer_;
  memory_statistics statistics_;
};

}  // namespace pws::models
