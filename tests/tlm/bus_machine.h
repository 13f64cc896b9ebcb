// SPDX-License-Identifier: Apache-2.0
// The machine's bus with all that is on it, and further ports for the initiators of a test.
#pragma once

#include <systemc>

#include "models/bus/system_bus.h"
#include "models/compute_unit/compute_unit.h"
#include "models/dispatch/debug_window.h"
#include "models/dispatch/dispatcher.h"
#include "models/isa/global_memory.h"
#include "models/memory/memory_system.h"

namespace pws::test {

class bus_machine : public sc_core::sc_module {
 public:
  static constexpr uint64_t dispatcher_base = 0x1000'0000, debug_base = 0x2000'0000;

  // `n_initiators` ports of the bus, from 0, are free.
  bus_machine(const sc_core::sc_module_name& name, uint32_t n_initiators);
  uint64_t memory_begin() const { return memory.dram.base(); }
  uint64_t memory_end() const { return memory.dram.base() + memory.dram.size(); }
  // What the first bytes of device memory are.
  unsigned char* storage() const { return memory.dram.storage(); }

 private:
  models::machine_config config_;

 public:
  const models::gpu_clock clock;
  models::memory_system memory;
  isa::global_memory allocations;
  models::compute_unit cu;
  models::dispatcher dispatcher;
  models::debug_window debug;
  models::system_bus bus;
};

}  // namespace pws::test
