// SPDX-License-Identifier: Apache-2.0
// The GPU as a block for any SystemC platform: compute units, dispatcher, caches and device memory. To the outside it
// has TLM-2.0 sockets of the base protocol (64 bits, memory-mapped). Nothing in it starts, pauses or stops the
// simulation.
//
//   window.socket      target: registers and debug window, from address 0 on (docs/registers.md)
//   window.interrupt   interrupt line
//   window.reset       reset line
//   aperture           target: device memory, as the device addresses it
//   local              initiator: to device memory, if machine.memory.local.at is socket
//   system             initiator: to system memory, if machine.memory.system has a size; packets, code, arguments,
//                      signals and buffers may lie there as in device memory
//
// Several may be in one simulation; give each a memory of its own (machine_config::memory.dram.place).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/bus/system_bus.h"
#include "models/compute_unit/compute_unit.h"
#include "models/dispatch/dispatcher.h"
#include "models/gpu/device_window.h"
#include "models/memory/memory_system.h"

namespace pws::models {

// Hears how many compute units there are while a machine is built, which may take seconds; what it throws ends that.
using building_listener = std::function<void(uint32_t cus)>;

class gpu : public sc_core::sc_module {
 public:
  // `c` has passed its rules, and the host has the memory for it. Throws what `while_building` throws, and input_error
  // where device memory is outside and shared with other machines of a place (memory_place).
  gpu(const sc_core::sc_module_name& name, const machine_config& c, const building_listener& while_building = {});

  // Who hears of accesses that memory.faults: page tolerates, once per place; at first a line on standard error.
  void on_tolerated_access(std::function<void(const std::string&)> say) { tolerated_.say = std::move(say); }
  // Fidelity of the launches to come; only between launches. Memory is the same whichever runs; caches stay warm.
  void set_fidelity(models::fidelity f) { provisioned_.fidelity = f; }

  // ---- Its state (docs/checkpoints.md), without the bytes of device memory, which are there already when it is
  // restored.
  // Why it cannot be kept now; empty: it can. In timing fidelity only between launches.
  std::string why_not_kept() const;
  // Its state, saved or restored.
  void keep(state_archive& a);
  // What has been restored goes on with the next sc_start().
  void go_on() { dispatcher.go_on(); }
  // A place of a launch in functional fidelity; before the launch. nullptr: none.
  void pause_at(pause_point* p);

 private:
  machine_config provisioned_;  // before what refers to it
  tolerated_accesses tolerated_;
  gpu_clock clock_;

 public:
  const machine_config& config = provisioned_;  // as provisioned
  const gpu_clock& clock = clock_;
  isa::global_memory allocations;  // what programs may access; kept by the runtime

  memory_system memory;
  std::vector<std::unique_ptr<compute_unit>> cus;
  models::dispatcher dispatcher;
  device_window window;

 private:
  void bind();
  void end_of_elaboration() override;
  void require_bound(const memory_port& port, const char* why);
  void set_window_of_dram();

  system_bus fabric_;  // from dispatcher and aperture to memory

 public:
  system_bus::target_socket& aperture;
  tlm_utils::simple_initiator_socket_optional<memory_port, bus_width>&local, &system;
};

// An observer on every compute unit of a GPU, for as long as this lives.
class attached_observer {
 public:
  // nullptr: none.
  attached_observer(const gpu& g, execution_observer* observer) : gpu_(g), observer_(observer) {
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
  const gpu& gpu_;
  execution_observer* observer_;
};

}  // namespace pws::models
