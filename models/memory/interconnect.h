// SPDX-License-Identifier: Apache-2.0
// Crossbar between the CUs' caches and the L2 banks: lines are interleaved over the banks, each direction takes a fixed
// latency, and a bank's response port moves a limited number of bytes per cycle. (A bank's request port is the bank's
// own.)
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/gpu_clock.h"
#include "models/memory/port_schedule.h"
#include "models/memory/transaction.h"

namespace pws::models {

class interconnect : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::simple_target_socket_tagged<interconnect>;
  using initiator_socket = tlm_utils::simple_initiator_socket_tagged<interconnect>;

  std::vector<std::unique_ptr<target_socket>> from_caches;  // one per cache above
  std::vector<std::unique_ptr<initiator_socket>> to_banks;  // one per L2 bank

  interconnect(const sc_core::sc_module_name& name, const interconnect_config& c, uint32_t n_caches, uint32_t n_banks,
               uint32_t line_bytes, const gpu_clock& clock);

 private:
  tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);

  interconnect_config config_;
  const gpu_clock& clock_;
  sc_core::sc_time latency_;
  uint32_t line_bytes_;
  std::vector<port_schedule> responses_;  // per bank
};

}  // namespace pws::models
