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
    : sc_module(name), gpu("gpu", small_machine()), bus("bus", n_initiators) {
  using models::bind_sockets;
  using addressing = models::system_bus::addressing;
  bind_sockets(bus.map("memory", memory_begin(), gpu.memory.dram.size(), addressing::absolute), gpu.aperture);
  bind_sockets(bus.map("window", window, gpu.window.size(), addressing::relative), gpu.window.socket);
}

}  // namespace pws::test
