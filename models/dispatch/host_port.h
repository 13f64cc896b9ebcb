// The host's side of the machine: a TLM initiator that moves bytes to and from device memory, writes AQL packets and
// rings the doorbell as a driver would, and waits for the completion interrupt.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <systemc>

#include "models/dispatch/dispatcher.h"
#include "models/isa/abi/aql.h"

namespace pws::models {

class host_port : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<host_port> bus;

  // `dispatcher_base`: bus address of the dispatcher's registers.
  host_port(const sc_core::sc_module_name& name, dispatcher& d, uint64_t dispatcher_base);

  // Queue of `packets` AQL packets at `ring`, and the amd_queue_t at `object`.
  void set_queue(uint64_t ring, uint64_t packets, uint64_t object);
  void write(uint64_t address, const void* data, size_t bytes);  // device memory, from host memory; takes no time
  void read(uint64_t address, void* data, size_t bytes);         // device memory, to host memory; takes no time

  // Hands a packet to the machine. It runs in the next sc_start(), which returns when the packet is complete, the
  // machine has stopped on a fault, or nothing is left that could happen (deadlock): ask dispatcher and done().
  void submit(const isa::kernel_dispatch_packet& packet);
  bool done() const { return done_; }

 private:
  void ring_doorbell();
  void interrupted();

  dispatcher& dispatcher_;
  uint64_t registers_;
  uint64_t ring_ = 0, packets_ = 1, written_ = 0;
  bool done_ = true;
  sc_core::sc_event submitted_;
};

}  // namespace pws::models
