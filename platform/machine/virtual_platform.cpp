// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/virtual_platform.h"

#include <cstdlib>
#include <iostream>

#include "base/error.h"
#include "models/bus/socket_binding.h"
#include "platform/machine/host_need.h"

// SystemC's library wants this symbol for its own main(), which no program here uses: the kernel is started with
// sc_start() from whatever main() there is. Weak: a simulation that has the machine as a module may have one of its
// own.
__attribute__((weak)) int sc_main(int, char**) {
  return 0;
}

namespace pws::platform {

namespace {
// Infos are of SystemC's own affairs: traces opened, time units chosen, names made unique.
// The exception is the kernel's own: any other one would not come out of a process, but end the program.
void report_handler(const sc_core::sc_report& r, const sc_core::sc_actions& actions) {
  if (r.get_severity() == sc_core::SC_INFO || actions == sc_core::SC_DO_NOTHING) return;
  if (r.get_severity() == sc_core::SC_FATAL || (actions & sc_core::SC_THROW) != 0) throw r;
  std::cerr << (r.get_severity() == sc_core::SC_WARNING ? "warning: " : "error: ") << r.get_msg_type() << ": "
            << r.get_msg() << '\n';
  if ((actions & sc_core::SC_STOP) != 0) sc_core::sc_stop();
}

const models::machine_config& within_host(const models::machine_config& c) {
  refuse_beyond_host(c);
  if (c.memory.system.exists())
    throw input_error(
        "machine.memory.system.size_mib: this board has no system memory; it is for the GPU as a block of another "
        "platform (docs/embedding.md)");
  if (c.memory.local.is_outside())
    throw input_error(
        "machine.memory.local.at socket: this board has no memory for the socket; it is for the GPU as a block of "
        "another platform (docs/embedding.md)");
  return c;
}
}  // namespace

void quiet_systemc() {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  sc_core::sc_report_handler::set_handler(report_handler);
}

void new_simulation() {
  // The kernel has a module of its own in its first simulation, to the end of the process: simulations are not deleted.
  static std::vector<const sc_core::sc_simcontext*> over;
  over.push_back(sc_core::sc_get_curr_simcontext());
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = new sc_core::sc_simcontext;
  // The kernel knows the start that elaborates for one that may do nothing only in the first simulation of a process.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_NO_SC_START_ACTIVITY_, sc_core::SC_DO_NOTHING);
}

virtual_platform::virtual_platform(const sc_core::sc_module_name& name, const models::machine_config& c,
                                   const building_listener& while_building)
    : sc_module(name),
      gpu("gpu", within_host(c), while_building),
      cosim(gpu.cus, gpu.config,
            [&] {
              if (while_building) while_building(static_cast<uint32_t>(gpu.cus.size()));
            }),
      bus("bus", 1),
      host("host", window_base),
      interrupt("interrupt") {
  using addressing = models::system_bus::addressing;
  using models::bind_sockets;
  const models::dram& memory = gpu.memory.dram;
  bind_sockets(host.bus, *bus.from[0]);
  bind_sockets(bus.map("window", window_base, gpu.window.size(), addressing::relative), gpu.window.socket);
  bind_sockets(bus.map("memory", memory.base(), memory.size(), addressing::absolute), gpu.aperture);
  gpu.window.interrupt.bind(interrupt);
  host.interrupt.bind(interrupt);
}

}  // namespace pws::platform
