// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gpu.h"

#include <iostream>

#include "base/error.h"
#include "models/bus/socket_binding.h"

namespace pws::models {

namespace {

using compute_units = std::vector<std::unique_ptr<compute_unit>>;

compute_units make_cus(const machine_config& c, const gpu_clock& clock, const isa::global_memory& allocations,
                       const building_listener& while_building) {
  compute_units cus;
  const auto listen = [&] {
    if (while_building) while_building(static_cast<uint32_t>(cus.size()));
  };
  for (uint32_t i = 0; i < c.n_cu; ++i)
    cus.push_back(std::make_unique<compute_unit>(("cu" + std::to_string(i)).c_str(), c, i, clock, allocations,
                                                 make_divergence_scheme, listen));
  return cus;
}

isa::global_memory::fault_policy lenience_of(memory_faults f) {
  using fault_policy = isa::global_memory::fault_policy;
  return f == memory_faults::page  ? fault_policy::page
         : f == memory_faults::off ? fault_policy::window
                                   : fault_policy::none;
}

const machine_config& with_own_memory(const machine_config& c) {
  const memory_place& shared = c.memory.dram.place;
  if (c.memory.local.is_outside() && (shared.machines > 1 || shared.storage != nullptr))
    throw input_error(
        "machine.memory.local.at socket: device memory that several machines of a process share is theirs, and not "
        "behind a socket");
  return c;
}

std::vector<compute_unit*> pointers(const compute_units& cus) {
  std::vector<compute_unit*> p;
  for (const auto& cu : cus) p.push_back(cu.get());
  return p;
}

}  // namespace

gpu::gpu(const sc_core::sc_module_name& name, const machine_config& c, const building_listener& while_building)
    : sc_module(name),
      provisioned_(provisioned(with_own_memory(c))),
      clock_(provisioned_.clock_mhz),
      memory("memory", config, clock),
      cus(make_cus(config, clock, allocations, while_building)),
      dispatcher("dispatcher", config, clock, pointers(cus)),
      window("window", {config, clock_, cus, memory, dispatcher}),
      fabric_("fabric", 2),
      aperture(*fabric_.from[0]),
      local(memory.local.socket),
      system(memory.system.socket) {
  tolerated_.say = [](const std::string& text) { std::cerr << "warning: " << text << '\n'; };
  for (const auto& cu : cus) cu->messages().set_tolerated_accesses(tolerated_);
  allocations.set_fault_policy(lenience_of(config.memory.faults));
  allocations.set_concurrent(config.threads > 1);
  bind();
}

void gpu::bind() {
  dispatcher.on_acquire = [this] { memory.invalidate_l1(clock.now()); };
  bind_sockets(dispatcher.memory, *fabric_.from[1]);
  using addressing = system_bus::addressing;
  bind_sockets(fabric_.map("memory", memory.dram.base(), memory.dram.size(), addressing::absolute), memory.host_port());
  if (config.memory.system.exists())
    bind_sockets(fabric_.map("system", config.memory.system.base, config.memory.system.bytes(), addressing::absolute),
                 memory.system.untimed);
  for (uint32_t i = 0; i < config.n_cu; ++i) {
    compute_unit& cu = *cus[i];
    memory.connect(i, cu.mif.vector, cu.mif.scalar, cu.mif.instruction);
    if (!memory.predictable)
      cu.bind_caches(*memory.vector_l1[i], *memory.scalar_cache[i], *memory.instruction_cache[i]);
  }
}

void gpu::require_bound(const memory_port& port, const char* why) {
  if (port.socket.size() == 0) SC_REPORT_FATAL(name(), why);
}

void gpu::end_of_elaboration() {
  if (config.memory.local.is_outside()) {
    require_bound(memory.local, "memory.local.at is socket, and nothing is bound to the socket local");
    allocations.set_window(memory.local, memory.dram.base(), memory.dram.size());
  } else {
    set_window_of_dram();
  }
  // Until a runtime keeps account of what is where, all of it may be accessed.
  allocations.add(memory.dram.base(), memory.dram.size(), "device memory", isa::memory_use::open);
  if (config.memory.system.exists()) {
    require_bound(memory.system, "memory.system has a size, and nothing is bound to the socket system");
    allocations.set_outside(&memory.system);
  }
}

// Instruction semantics read and write device memory through the DRAM's DMI grant (models/memory/transaction.h), which
// may have the memory of several machines; on the bus is only this one's.
void gpu::set_window_of_dram() {
  const tlm::tlm_dmi dmi = memory.dram.grant();
  const uint64_t size = dmi.get_end_address() - dmi.get_start_address() + 1;
  allocations.set_window(dmi.get_dmi_ptr(), dmi.get_start_address(), size);
  for (const auto& cu : cus) cu->mif.set_window(dmi.get_dmi_ptr(), dmi.get_start_address(), size);
}

std::string gpu::why_not_kept() const {
  if (config.memory.local.is_outside() || config.memory.system.exists()) return "some of its memory is outside";
  if (dispatcher.noted()) return "it has stopped on a fault";
  if (dispatcher.in_reset()) return "a reset is under way";
  if (dispatcher.waits_at_grid_barrier()) return "wavefronts wait at a barrier of their grid";
  const bool idle = std::all_of(cus.begin(), cus.end(), [](const auto& cu) { return cu->idle() && cu->quiet(); });
  if (config.fidelity == fidelity::timing && !(idle && memory.is_quiet()))
    return "a launch is under way in timing fidelity";
  return {};
}

void gpu::keep(state_archive& a) {
  a.section("gpu");
  memory.keep(a);
  dispatcher.keep(a);
  window.keep(a);
}

void gpu::pause_at(pause_point* p) {
  for (const auto& cu : cus) cu->pause_at(p);
}

}  // namespace pws::models
