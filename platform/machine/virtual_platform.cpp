// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/virtual_platform.h"

#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

#include "models/machine/machine_config.h"
#include "platform/machine/host_need.h"

// SystemC's library wants this symbol for its own main(), which no program here uses: the kernel is started with
// sc_start() from whatever main() there is. Weak: a simulation that has the machine as a module may have one of its
// own.
__attribute__((weak)) int sc_main(int, char**) {
  return 0;
}

namespace pws::platform {

namespace {
constexpr uint32_t bus_initiators = 2;

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
  return c;
}

using compute_units = std::vector<std::unique_ptr<models::compute_unit>>;

void tell(const building_listener& while_building, const compute_units& cus) {
  if (while_building) while_building(static_cast<uint32_t>(cus.size()));
}

compute_units make_cus(const models::machine_config& c, const models::gpu_clock& clock,
                       const isa::global_memory& allocations, const building_listener& while_building) {
  compute_units cus;
  const auto listen = [&] { tell(while_building, cus); };
  for (uint32_t i = 0; i < c.n_cu; ++i)
    cus.push_back(std::make_unique<models::compute_unit>(("cu" + std::to_string(i)).c_str(), c, i, clock, allocations,
                                                         models::make_divergence_scheme, listen));
  return cus;
}

isa::global_memory::fault_policy lenience_of(models::memory_faults f) {
  using fault_policy = isa::global_memory::fault_policy;
  return f == models::memory_faults::page  ? fault_policy::page
         : f == models::memory_faults::off ? fault_policy::window
                                           : fault_policy::none;
}

std::vector<models::compute_unit*> pointers(const compute_units& cus) {
  std::vector<models::compute_unit*> p;
  for (const auto& cu : cus) p.push_back(cu.get());
  return p;
}
std::vector<const models::compute_unit*> readable(const compute_units& cus) {
  std::vector<const models::compute_unit*> p;
  for (const auto& cu : cus) p.push_back(cu.get());
  return p;
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
      provisioned_(models::provisioned(within_host(c))),
      clock(c.clock_mhz),
      memory("memory", config, clock),
      cus(make_cus(config, clock, allocations, while_building)),
      dispatcher("dispatcher", config, clock, pointers(cus)),
      debug("debug", readable(cus), config.n_simd),
      bus("bus", bus_initiators),
      host("host", dispatcher, dispatcher_base),
      cosim(cus, config, [&] { tell(while_building, cus); }) {
  tolerated_.say = [](const std::string& text) { std::cerr << "warning: " << text << '\n'; };
  for (const auto& cu : cus) cu->messages().set_tolerated_accesses(tolerated_);
  allocations.set_fault_policy(lenience_of(config.memory.faults));
  bind();
}

void virtual_platform::bind() {
  dispatcher.on_acquire = [this] { memory.invalidate_l1(clock.now()); };
  host.bus.bind(*bus.from[0]);
  dispatcher.memory.bind(*bus.from[1]);
  using models::system_bus;
  bus.map("memory", memory.dram.base(), memory.dram.size(), system_bus::addressing::absolute).bind(memory.host_port());
  bus.map("dispatcher", dispatcher_base, models::dispatcher_register::size, system_bus::addressing::relative)
      .bind(dispatcher.registers);
  bus.map("debug", debug_base, debug.size(), system_bus::addressing::relative).bind(debug.registers);
  for (uint32_t i = 0; i < config.n_cu; ++i) {
    models::compute_unit& cu = *cus[i];
    memory.connect(i, cu.mif.vector, cu.mif.scalar, cu.mif.instruction);
    if (!memory.predictable)
      cu.bind_caches(*memory.vector_l1[i], *memory.scalar_cache[i], *memory.instruction_cache[i]);
  }
}

void virtual_platform::end_of_elaboration() {
  // Instruction semantics read and write device memory through the DRAM's DMI grant (see models/memory/transaction.h).
  tlm::tlm_generic_payload t;
  t.set_address(memory.dram.base());
  tlm::tlm_dmi dmi;
  if (!host.bus->get_direct_mem_ptr(t, dmi)) SC_REPORT_FATAL("gpu", "device memory grants no DMI");
  const uint64_t size = dmi.get_end_address() - dmi.get_start_address() + 1;
  allocations.set_window(dmi.get_dmi_ptr(), dmi.get_start_address(), size);
  for (const auto& cu : cus) cu->mif.set_window(dmi.get_dmi_ptr(), dmi.get_start_address(), size);
}

}  // namespace pws::platform
