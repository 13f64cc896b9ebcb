// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/bus_machine.h"

#include "models/bus/socket_binding.h"

namespace pws::test {

namespace {
models::machine_config small_machine() {
  models::machine_config c;
  c.n_cu = 1;
  c.memory.dram.size_mib = 1;
  return c;
}
}  // namespace

bus_machine::bus_machine(const sc_core::sc_module_name& name, uint32_t n_initiators)
    : sc_module(name),
      config_(small_machine()),
      clock(config_.clock_mhz),
      memory("memory", config_, clock),
      cu("cu", config_, 0, clock, allocations),
      dispatcher("dispatcher", config_, clock, {&cu}),
      debug("debug", {&cu}, config_.n_simd),
      bus("bus", n_initiators + 1) {
  using models::bind_sockets;
  using models::system_bus;
  bind_sockets(dispatcher.memory, *bus.from[n_initiators]);
  bind_sockets(bus.map("memory", memory_begin(), memory.dram.size(), system_bus::addressing::absolute),
               memory.host_port());
  bind_sockets(
      bus.map("dispatcher", dispatcher_base, models::dispatcher_register::size, system_bus::addressing::relative),
      dispatcher.registers);
  bind_sockets(bus.map("debug", debug_base, debug.size(), system_bus::addressing::relative), debug.registers);
  memory.connect(0, cu.mif.vector, cu.mif.scalar, cu.mif.instruction);
  cu.bind_caches(*memory.vector_l1[0], *memory.scalar_cache[0], *memory.instruction_cache[0]);
}

}  // namespace pws::test
