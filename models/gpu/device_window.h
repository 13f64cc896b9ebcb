// SPDX-License-Identifier: Apache-2.0
// What the GPU shows on its bus: the registers of models/registers/gpu_registers.def, and behind them the registers of
// every wavefront context (models/dispatch/debug_window.h). Drives the interrupt line and follows the reset line.
//
// A wrong access gets a TLM error response and is counted (register bad_accesses). What was written to a queue that is
// wrong, such as a ring where no memory is, is a fault when its doorbell rings.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/dispatch/debug_window.h"
#include "models/dispatch/dispatcher.h"
#include "models/memory/memory_system.h"
#include "models/registers/gpu_register_map.h"
#include "models/registers/register_bank.h"

namespace pws::models {

class device_window : public sc_core::sc_module {
 public:
  // Offset of the contexts' registers.
  static constexpr uint64_t debug_offset = 0x0010'0000;

  tlm_utils::simple_target_socket<device_window, bus_width> socket;
  // Level: high while a bit of interrupt_status is set that interrupt_mask has too. Need not be bound.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt;
  // Level: high holds the GPU in reset. Need not be bound.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> reset;

  // The parts of a GPU that it shows and drives.
  struct parts {
    const machine_config& config;
    gpu_clock& clock;
    const std::vector<std::unique_ptr<compute_unit>>& cus;
    memory_system& memory;
    models::dispatcher& dispatcher;
  };
  device_window(const sc_core::sc_module_name& name, const parts& gpu);

  // Bytes from its first address to behind the last.
  uint64_t size() const { return debug_offset + debug_.size(); }
  // What it has noticed. Registers that drivers write are theirs to restore.
  void keep(state_archive& a) { a(packets_seen_); }

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& t);
  // The hooks of the registers.
  void show_machine();
  void show_counters();
  void show_fault();
  void write_queues();
  bool queue_written(const register_write& w);
  void restart();
  // What happens in the GPU, and on its lines.
  void notice();
  void drive_line();
  void follow_reset();

  // Since the machine was made.
  struct counts {
    cu_statistics cu;
    memory_statistics requests;
    cache_statistics l2;
    uint64_t lines_read = 0;  // of device memory
    uint64_t busy_cycles = 0, packets = 0, kernels = 0, workgroups = 0;
  };
  counts now() const;
  template <class F>
  void counter(uint32_t row, F value);

  const parts gpu_;
  register_bank bank_;
  debug_window debug_;
  counts at_reset_;
  uint64_t packets_seen_ = 0;
  bool fault_seen_ = false;
  sc_core::sc_event line_changes_;
};

}  // namespace pws::models
