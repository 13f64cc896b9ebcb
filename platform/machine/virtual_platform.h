// SPDX-License-Identifier: Apache-2.0
// The board that pwsvp and the HIP runtime run programs on: a GPU, and a host that reaches its registers and its memory
// over a bus.
// SystemC's kernel is a singleton, but a simulation is an object of it: several machines in a process have one each,
// and so a time of their own (new_simulation, make_current).
#pragma once

#include <systemc>

#include "models/bus/system_bus.h"
#include "models/dispatch/host_port.h"
#include "models/gpu/gpu.h"
#include "platform/machine/cosimulation.h"

namespace pws::platform {

using models::attached_observer;
using models::building_listener;

// SystemC's warnings as a line on standard error, its errors and fatal errors as an exception (sc_core::sc_report, an
// std::exception), also where a process of another module reports or throws them: sc_start() throws them on. What
// sc_report_handler::set_actions() says of throwing and stopping holds. Once, before the machine is made.
void quiet_systemc();
// A new simulation, from time 0, for another machine; what is made from now on is of it. Those that there were stay,
// with what is in them: virtual_platform::make_current() goes back to one.
void new_simulation();

class virtual_platform : public sc_core::sc_module {
 public:
  // Bus address of the GPU's device window; its device memory begins at gpu.memory.dram.base().
  static constexpr uint64_t window_base = 0x1000'0000;

  // Throws input_error where the host's memory does not suffice, and what `while_building` throws.
  virtual_platform(const sc_core::sc_module_name& name, const models::machine_config& c,
                   const building_listener& while_building = {});

  // SystemC's functions (sc_start, sc_time_stamp) are about this machine's simulation from now on. Where there are
  // several, before anything that runs the machine or asks for its time, and before it goes.
  void make_current() const { sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = simcontext(); }

  models::gpu gpu;
  cosim::cosimulation cosim;  // SpSIMD units that the configuration gives to their RTL
  models::system_bus bus;
  models::host_port host;
  sc_core::sc_signal<bool> interrupt;  // from the GPU to the host
};

}  // namespace pws::platform
