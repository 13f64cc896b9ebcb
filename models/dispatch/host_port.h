// SPDX-License-Identifier: Apache-2.0
// The host's side of the machine: a TLM initiator that moves bytes to and from device memory, writes AQL packets and
// rings doorbells as a driver would, and waits for completion interrupts.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>
#include <vector>

#include "models/dispatch/dispatcher.h"
#include "models/isa/abi/aql.h"

namespace pws::models {

// A queue as the dispatcher is told of it.
struct queue_registers {
  uint64_t ring = 0;      // device address
  uint64_t packets = 1;   // that fit in it
  uint64_t object = 0;    // device address of the amd_queue
  uint64_t priority = 0;  // larger ones go first
  cu_mask cus;            // that its workgroups may go to
};

class host_port : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<host_port> bus;

  // `dispatcher_base`: bus address of the dispatcher's registers.
  host_port(const sc_core::sc_module_name& name, dispatcher& d, uint64_t dispatcher_base);

  // Queue `number` (below dispatcher_register::queues) is that from now on; not while it has packets.
  void set_queue(uint32_t number, const queue_registers& q);
  void write(uint64_t address, const void* data, size_t bytes);  // device memory, from host memory; takes no time
  void read(uint64_t address, void* data, size_t bytes);         // device memory, to host memory; takes no time

  // Hands packets to the machine, whose doorbells ring in this order in the next sc_start(). That returns when all
  // packets are complete, the machine has stopped on a fault, or nothing is left that could happen (deadlock): ask
  // dispatcher and done(). Fatal if the ring is full.
  void submit(const isa::kernel_dispatch_packet& packet, uint32_t queue = 0) { submit_bytes(queue, &packet); }
  void submit(const isa::barrier_packet& packet, uint32_t queue = 0) { submit_bytes(queue, &packet); }  // likewise
  // Packets that the queue's ring has room for.
  uint64_t room(uint32_t queue);
  // All packets are complete.
  bool done() const { return done_; }
  // sc_start() also returns when one packet is complete while others are not.
  void return_at_each(bool on) { at_each_ = on; }

 private:
  void submit_bytes(uint32_t queue, const void* packet);
  void ring_doorbells();
  void interrupted();

  struct known_queue : queue_registers {
    uint64_t written = 0;
  };
  known_queue& at(uint32_t number);

  dispatcher& dispatcher_;
  uint64_t registers_;
  std::vector<known_queue> queues_;  // by number
  std::vector<uint32_t> to_ring_;    // in the order of their packets
  bool done_ = true, at_each_ = false;
  sc_core::sc_event submitted_;
};

}  // namespace pws::models
