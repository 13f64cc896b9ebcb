// SPDX-License-Identifier: Apache-2.0
// Everything behind a compute unit's memory sockets. Average-case (memory.arbitration: work_conserving): per compute
// unit a vector L1, a scalar and an instruction cache; a crossbar; L2 banks; then DRAM or ports to memory outside.
// Predictable (tdm): tdm_memory.h, and the DRAM's storage.
#pragma once

#include <memory>
#include <systemc>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/socket_binding.h"
#include "models/memory/cache.h"
#include "models/memory/dram.h"
#include "models/memory/interconnect.h"
#include "models/memory/memory_port.h"
#include "models/memory/tdm_memory.h"

namespace pws::models {

class memory_system : public sc_core::sc_module {
 public:
  memory_system(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock);

  event_sequencer sequencer;  // of DRAM channels and L2 banks
  // Per compute unit; none if predictable.
  std::vector<std::unique_ptr<cache>> vector_l1;
  std::vector<std::unique_ptr<cache>> scalar_cache;
  std::vector<std::unique_ptr<cache>> instruction_cache;
  models::interconnect crossbar;
  std::vector<std::unique_ptr<cache>> l2;  // one per bank
  models::dram dram;   // the addresses of device memory; its storage too, unless machine.memory.local.at is socket
  memory_port local;   // to device memory, if it is outside
  memory_port system;  // to system memory, if there is some
  std::unique_ptr<tdm_memory> predictable;  // nullptr: average-case

  // Binds a compute unit's sockets.
  void connect(uint32_t cu, tlm::tlm_initiator_socket<bus_width>& vector, tlm::tlm_initiator_socket<bus_width>& scalar,
               tlm::tlm_initiator_socket<bus_width>& instruction);
  // Device memory's port for untimed access by the host.
  any_target_socket& host_port();
  // Lines of device memory that have been read.
  uint64_t lines_read() const { return dram.statistics().reads + local.lines_read(); }

  // Nobody waits for memory. Lines that the L2 has written back may be on their way.
  bool is_quiet() const;
  // Caches and timing, while it is quiet. The bytes of device memory are kept elsewhere (memory_pages.h).
  void keep(state_archive& a);

  // Drops the caches above the L2: what a kernel's acquire does.
  void invalidate_l1(cycle_t at);
};

}  // namespace pws::models
