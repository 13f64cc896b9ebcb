// SPDX-License-Identifier: Apache-2.0
// The predictable memory system: the same TLM sockets as the caches have, time division behind them.
//
// Instructions lie in a locked instruction memory in each compute unit: a fetch takes constant time. Scalar and vector
// accesses bypass the caches. The DRAM's channels work in lockstep, each with its share of a line, and close the row
// after each line (closed page): activate, access, burst and precharge take a constant time, the memory slot. Every
// wavefront context of the machine has a slot of its own in each frame, taken or not; the parts of a split wavefront
// share it, in the order in which they ask. So a line's latency is a frame and constants, and a frame more for each
// line that its wavefront has asked for before.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/machine/time_division.h"
#include "models/memory/memory_statistics.h"
#include "models/memory/transaction.h"

namespace pws::models {

class tdm_memory : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::simple_target_socket_tagged<tdm_memory, bus_width>;
  // One of each per compute unit.
  std::vector<std::unique_ptr<target_socket>> vector, scalar, instruction;

  tdm_memory(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock);

  const tdm_statistics& statistics() const { return statistics_; }
  // Its state, saved or restored.
  void keep(state_archive& a) {
    slots_.keep(a);
    a(statistics_);
  }

 private:
  tlm::tlm_sync_enum fetch(int cu, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum access(int cu, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  const gpu_clock& clock_;
  const uint32_t places_per_cu_;
  const cycle_t fetch_latency_;  // locked instruction memory
  const line_slots lines_;
  slot_server slots_;
  tdm_statistics statistics_;
};

}  // namespace pws::models
