// SPDX-License-Identifier: Apache-2.0
// A GPU on a bus that has further ports, for the initiators of a test.
#pragma once

#include <systemc>

#include "models/bus/system_bus.h"
#include "models/gpu/gpu.h"

namespace pws::test {

class bus_machine : public sc_core::sc_module {
 public:
  static constexpr uint64_t window = 0x1000'0000;  // of the device

  // `n_initiators` ports of the bus are free.
  bus_machine(const sc_core::sc_module_name& name, uint32_t n_initiators);
  uint64_t memory_begin() const { return gpu.memory.dram.base(); }
  uint64_t memory_end() const { return gpu.memory.dram.base() + gpu.memory.dram.size(); }
  // What the first bytes of device memory are.
  unsigned char* storage() const { return gpu.memory.dram.storage(); }

  models::gpu gpu;
  models::system_bus bus;
};

}  // namespace pws::test
