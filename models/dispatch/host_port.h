// SPDX-License-Identifier: Apache-2.0
// The host's side of the machine: a TLM initiator that moves bytes to and from device memory, writes AQL packets and
// rings doorbells as a driver would, and waits for completion interrupts.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/dispatch/kernel_in_service.h"
#include "models/isa/abi/aql.h"

namespace pws::models {

class host_port : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<host_port, bus_width> bus;
  sc_core::sc_in<bool> interrupt;

  // `window`: bus address of the GPU's device window.
  host_port(const sc_core::sc_module_name& name, uint64_t window);

  // Queue `number`, of the GPU's, is that from now on; not while it has packets.
  void set_queue(uint32_t number, const queue_registers& q);
  // Device memory, from host memory, by debug transport: takes no time, and may be called from anywhere.
  void write(uint64_t address, const void* data, size_t bytes);
  // Host memory, from device memory; in the same way.
  void read(uint64_t address, void* data, size_t bytes);

  // Hands packets to the machine, whose doorbells ring in this order in the next sc_start(). That returns when all
  // packets are complete, the machine has stopped on a fault, or nothing is left that could happen (deadlock): ask
  // dispatcher and done(). Fatal if the ring is full.
  void submit(const isa::kernel_dispatch_packet& packet, uint32_t queue = 0) { submit_bytes(queue, &packet); }
  // The same for a packet that waits for others.
  void submit(const isa::barrier_packet& packet, uint32_t queue = 0) { submit_bytes(queue, &packet); }
  // What a register of the GPU is now, read as a debugger does: takes no time, changes nothing.
  uint64_t peek_register(uint32_t row, uint32_t word = 0);
  // A fault has stopped the GPU.
  bool halted();
  // The record of a fault in the registers; the text as far as they have room for it.
  struct fault_record {
    std::optional<uint32_t> queue;  // that the packet is of
    std::string text;
    bool is_cut = false;  // the text is longer, or may be
  };
  // The record of the fault that has stopped the GPU; empty text without one.
  fault_record fault();
  // Packets that the queue's ring has room for.
  uint64_t room(uint32_t queue);
  // All packets are complete.
  bool done() const { return done_; }
  // sc_start() also returns when one packet is complete while others are not.
  void return_at_each(bool on) { at_each_ = on; }
  // Packets that it has written; no doorbell waits to ring. Its queues are the same.
  void keep(state_archive& a) {
    for (known_queue& q : queues_) a(q.written);
    a(done_);
  }

 private:
  void submit_bytes(uint32_t queue, const void* packet);
  void transfer(tlm::tlm_command command, uint64_t address, unsigned char* data, size_t bytes);
  // The threads: registers are written and read by b_transport.
  void ring_doorbells();
  void serve_interrupts();
  void interrupted();
  uint64_t read_register(uint32_t row);
  void write_register(uint32_t row, uint64_t value, uint32_t queue = 0, uint32_t word = 0);

  struct known_queue : queue_registers {
    uint64_t written = 0;
  };
  known_queue& at(uint32_t number);

  uint64_t window_;
  bool listens_ = false;             // the interrupt mask has been written
  std::vector<known_queue> queues_;  // by number
  std::vector<uint32_t> to_ring_;    // in the order of their packets
  bool done_ = true, at_each_ = false;
  sc_core::sc_event submitted_;
};

}  // namespace pws::models
