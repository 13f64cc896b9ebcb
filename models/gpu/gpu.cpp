// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/gpu.h"

#include <iostream>

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

std::vector<compute_unit*> pointers(const compute_units& cus) {
  std::vector<compute_unit*> p;
  for (const auto& cu : cus) p.push_back(cu.get());
  return p;
}

}  // namespace

gpu::gpu(const sc_core::sc_module_name& name, const machine_config& c, const building_listener& while_building)
    : sc_module(name),
      provisioned_(provisioned(c)),
      clock_(provisioned_.clock_mhz),
      memory("memory", config, clock),
      cus(make_cus(config, clock, allocations, while_building)),
      dispatcher("dispatcher", config, clock, pointers(cus)),
      window("window", {config, clock_, cus, memory, dispatcher}),
      fabric_("fabric", 2),
      aperture(*fabric_.from[0]),
      system(memory.system.socket) {
  tolerated_.say = [](const std::string& text) { std::cerr << "warning: " << text << '\n'; };
  for (const auto& cu : cus) cu->messages().set_tolerated_accesses(tolerated_);
  allocations.set_fault_policy(lenience_of(config.memory.faults));
  bind();
}

void gpu::bind() {
  dispatcher.on_acquire = [this] { memory.invalidate_l1(clock.now()); };
  bind_sockets(dispatcher.memory, *fabric_.from[1]);
  using addressing = system_bus::addressing;
  bind_sockets(fabric_.map("memory", memory.dram.base(), memory.dram.size(), addressing::absolute), memory.host_port());
  if (config.memory.system.exists())
    fabric_.map("system", config.memory.system.base, config.memory.system.bytes(), addressing::absolute)
        .bind(memory.system.untimed);
  for (uint32_t i = 0; i < config.n_cu; ++i) {
    compute_unit& cu = *cus[i];
    memory.connect(i, cu.mif.vector, cu.mif.scalar, cu.mif.instruction);
    if (!memory.predictable)
      cu.bind_caches(*memory.vector_l1[i], *memory.scalar_cache[i], *memory.instruction_cache[i]);
  }
}

// Instruction semantics read and write device memory through the DRAM's DMI grant (models/memory/transaction.h), which
// may have the memory of several machines; on the bus is only this one's.
void gpu::end_of_elaboration() {
  const tlm::tlm_dmi dmi = memory.dram.grant();
  const uint64_t size = dmi.get_end_address() - dmi.get_start_address() + 1;
  allocations.set_window(dmi.get_dmi_ptr(), dmi.get_start_address(), size);
  // Until a runtime keeps account of what is where, all of it may be accessed.
  allocations.add(memory.dram.base(), memory.dram.size(), "device memory", isa::memory_use::open);
  if (config.memory.system.exists()) {
    if (system.size() == 0)
      SC_REPORT_FATAL(name(), "memory.system has a size, and nothing is bound to the socket system");
    allocations.set_outside(&memory.system);
  }
  for (const auto& cu : cus) cu->mif.set_window(dmi.get_dmi_ptr(), dmi.get_start_address(), size);
}

}  // namespace pws::models
