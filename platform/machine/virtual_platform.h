// SPDX-License-Identifier: Apache-2.0
// The machine as one SystemC module: host port, bus, dispatcher, compute units and memory system, bound together.
// SystemC's kernel is a singleton, but a simulation is an object of it: several machines in a process have one each,
// and so a time of their own (new_simulation, make_current).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/bus/gpu_clock.h"
#include "models/bus/system_bus.h"
#include "models/compute_unit/compute_unit.h"
#include "models/dispatch/debug_window.h"
#include "models/dispatch/dispatcher.h"
#include "models/dispatch/host_port.h"
#include "models/memory/memory_system.h"
#include "platform/machine/cosimulation.h"

namespace pws::platform {

// SystemC's warnings as a line on standard error, its errors and fatal errors as an exception (sc_core::sc_report, an
// std::exception), also where a process of another module reports or throws them: sc_start() throws them on. What
// sc_report_handler::set_actions() says of throwing and stopping holds. Once, before the machine is made.
void quiet_systemc();
// A new simulation, from time 0, for another machine; what is made from now on is of it. Those that there were stay,
// with what is in them: virtual_platform::make_current() goes back to one.
void new_simulation();

// Hears how many compute units there are while a machine is built, which may take seconds; what it throws ends that.
using building_listener = std::function<void(uint32_t cus)>;

class virtual_platform : public sc_core::sc_module {
 public:
  // Bus address of the dispatcher's registers (models/dispatch/dispatcher.h); device memory begins at
  // memory.dram.base().
  static constexpr uint64_t dispatcher_base = 0x1000'0000;
  // ... of the contexts' registers (models/dispatch/debug_window.h).
  static constexpr uint64_t debug_base = 0x2000'0000;

  // Throws input_error where the host's memory does not suffice, and what `while_building` throws.
  virtual_platform(const sc_core::sc_module_name& name, const models::machine_config& c,
                   const building_listener& while_building = {});

  // SystemC's functions (sc_start, sc_time_stamp) are about this machine's simulation from now on. Where there are
  // several, before anything that runs the machine or asks for its time, and before it goes.
  void make_current() const { sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = simcontext(); }
  // Who hears of accesses that memory.faults: page tolerates, once per place; at first a line on standard error.
  void on_tolerated_access(std::function<void(const std::string&)> say) { tolerated_.say = std::move(say); }
  // Fidelity of the launches to come; only between launches. Memory is the same whichever runs; caches stay warm.
  void set_fidelity(models::fidelity f) { provisioned_.fidelity = f; }

 private:
  models::machine_config provisioned_;  // before what refers to it
  models::tolerated_accesses tolerated_;

 public:
  const models::machine_config& config = provisioned_;  // as provisioned
  const models::gpu_clock clock;
  isa::global_memory allocations;  // what programs may access; kept by the runtime

  models::memory_system memory;
  std::vector<std::unique_ptr<models::compute_unit>> cus;
  models::dispatcher dispatcher;
  models::debug_window debug;
  models::system_bus bus;
  models::host_port host;
  cosim::cosimulation cosim;  // SpSIMD units that the configuration gives to their RTL

 private:
  void bind();
  void end_of_elaboration() override;
};

// An observer on every compute unit of a machine, for as long as this lives.
class attached_observer {
 public:
  // nullptr: none.
  attached_observer(const virtual_platform& gpu, models::execution_observer* observer)
      : gpu_(gpu), observer_(observer) {
    if (observer_ == nullptr) return;
    for (const auto& cu : gpu_.cus) cu->attach(*observer_);
  }
  ~attached_observer() {
    if (observer_ == nullptr) return;
    for (const auto& cu : gpu_.cus) cu->detach(*observer_);
  }
  attached_observer(const attached_observer&) = delete;
  attached_observer& operator=(const attached_observer&) = delete;

 private:
  const virtual_platform& gpu_;
  models::execution_observer* observer_;
};

}  // namespace pws::platform
