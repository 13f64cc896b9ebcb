// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_system.h"

#include <algorithm>
#include <string>

#include "models/bus/bus_width.h"
#include "models/bus/socket_binding.h"

namespace pws::models {

namespace {
constexpr uint32_t caches_per_cu = 3;

// What an L2 bank decides in a cycle reaches a cache above no sooner than after its own latency and the crossbar's.
cache::parameters first_level(const machine_config& m, const cache_config& c) {
  cache::parameters p;
  p.tags = c;
  p.lookahead = m.memory.l2.bank.hit_latency + m.memory.interconnect.latency;
  return p;
}

// The L2 interleaves lines over its banks: a bank sees only its own share, so its set index must not use the bank bits.
cache::parameters second_level(const machine_config& c, event_sequencer& sequencer, const dram& d) {
  cache::parameters p;
  p.tags = c.memory.l2.bank;
  p.policy = write_policy::write_back;
  p.sequencer = &sequencer;
  p.bytes_per_cycle = c.memory.interconnect.bytes_per_cycle;
  p.interleave = c.memory.l2.banks;
  p.lookahead = c.memory.local.is_outside() ? c.memory.local.latency
                                            : c.memory.dram.t_cl + c.memory.dram.t_burst + c.memory.dram.extra_latency;
  if (c.memory.system.exists()) p.lookahead = std::min<cycle_t>(p.lookahead, c.memory.system.latency);
  p.storage = d.storage();
  p.storage_begin = d.base();
  p.storage_bytes = d.storage() != nullptr ? d.size() : 0;
  return p;
}

bool is_predictable(const machine_config& c) {
  return c.memory.arbitration == memory_arbitration::tdm;
}

// For the L2's banks, and for the host.
uint32_t dram_ports(const machine_config& c) {
  if (c.memory.local.is_outside()) return 0;
  return is_predictable(c) ? 1 : c.memory.l2.banks + 1;
}

memory_port::banks_above banks_above(const machine_config& c, bool ask, bool is_last) {
  return {ask && !is_predictable(c) ? c.memory.l2.banks : 0, c.memory.l2.bank.line_bytes, is_last};
}
}  // namespace

memory_system::memory_system(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock)
    : sc_module(name),
      sequencer("sequencer", clock),
      crossbar("crossbar", c.memory.interconnect, is_predictable(c) ? 0 : c.n_cu * caches_per_cu,
               is_predictable(c) ? 0 : c.memory.l2.banks, c.memory.l2.bank.line_bytes, clock),
      dram("dram", c.memory.dram, c.memory.l2.bank.line_bytes, dram_ports(c), clock, sequencer),
      local("local", {dram.base(), dram.size(), "local memory"}, c.memory.local,
            banks_above(c, c.memory.local.is_outside(), true), clock),
      system("system", {c.memory.system.base, c.memory.system.bytes(), "system memory"}, c.memory.system,
             banks_above(c, c.memory.system.exists(), false), clock) {
  if (is_predictable(c)) {
    predictable = std::make_unique<tdm_memory>("tdm", c, clock);
    return;
  }
  uint32_t port = 0;
  const auto add = [&](std::vector<std::unique_ptr<cache>>& to, const char* kind, uint32_t cu,
                       const cache::parameters& p) {
    to.push_back(std::make_unique<cache>((kind + std::to_string(cu)).c_str(), p, clock));
    bind_sockets(to.back()->downstream, *crossbar.from_caches[port++]);
  };
  for (uint32_t cu = 0; cu < c.n_cu; ++cu) {
    add(vector_l1, "vector_l1_", cu, first_level(c, c.memory.vector_l1));
    add(scalar_cache, "scalar_cache_", cu, first_level(c, c.memory.scalar_cache));
    // Each SIMD and SpSIMD unit has a fetch port of its own, at which it begins one fetch per cycle: siblings do not
    // wait for one another's instructions.
    cache::parameters instructions = first_level(c, c.memory.instruction_cache);
    instructions.port_per_initiator = true;
    add(instruction_cache, "instruction_cache_", cu, instructions);
  }
  for (uint32_t bank = 0; bank < c.memory.l2.banks; ++bank) {
    l2.push_back(
        std::make_unique<cache>(("l2_bank" + std::to_string(bank)).c_str(), second_level(c, sequencer, dram), clock));
    bind_sockets(*crossbar.to_banks[bank], l2.back()->upstream);
    any_target_socket& device_memory =
        dram.ports.empty() ? static_cast<any_target_socket&>(*local.from_banks[bank]) : *dram.ports[bank];
    if (c.memory.system.exists()) {
      bind_sockets(l2.back()->downstream, *system.from_banks[bank]);
      bind_sockets(*system.to_next[bank], device_memory);
    } else {
      bind_sockets(l2.back()->downstream, device_memory);
    }
  }
}

any_target_socket& memory_system::host_port() {
  if (dram.ports.empty()) return local.untimed;
  return *dram.ports.back();
}

void memory_system::connect(uint32_t cu, tlm::tlm_initiator_socket<bus_width>& vector,
                            tlm::tlm_initiator_socket<bus_width>& scalar,
                            tlm::tlm_initiator_socket<bus_width>& instruction) {
  if (predictable) {
    bind_sockets(vector, *predictable->vector[cu]);
    bind_sockets(scalar, *predictable->scalar[cu]);
    bind_sockets(instruction, *predictable->instruction[cu]);
  } else {
    bind_sockets(vector, vector_l1[cu]->upstream);
    bind_sockets(scalar, scalar_cache[cu]->upstream);
    bind_sockets(instruction, instruction_cache[cu]->upstream);
  }
}

void memory_system::invalidate_l1(cycle_t at) {
  for (auto* level : {&vector_l1, &scalar_cache, &instruction_cache})
    for (const auto& c : *level) c->invalidate(at);
}

bool memory_system::is_quiet() const {
  for (const auto* caches : {&vector_l1, &scalar_cache, &instruction_cache, &l2})
    for (const auto& c : *caches)
      if (!c->is_quiet()) return false;
  return dram.is_quiet();
}

void memory_system::keep(state_archive& a) {
  a.section("memory");
  sequencer.keep(a);
  for (auto* caches : {&vector_l1, &scalar_cache, &instruction_cache, &l2})
    for (const auto& c : *caches) c->keep(a);
  crossbar.keep(a);
  dram.keep(a);
  if (predictable != nullptr) predictable->keep(a);
}

}  // namespace pws::models
