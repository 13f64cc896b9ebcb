// SPDX-License-Identifier: Apache-2.0
#include "models/memory/tdm_memory.h"

#include <string>

#include "base/error.h"

namespace pws::models {

tdm_memory::tdm_memory(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock)
    : sc_module(name),
      clock_(clock),
      places_per_cu_(contexts_of_cu(c)),
      fetch_latency_(c.memory.instruction_cache.hit_latency),
      lines_(line_slots_of(c)),
      slots_(lines_.slot, static_cast<uint32_t>(lines_.places)) {
  statistics_.frame = slots_.frame();
  const auto add = [&](std::vector<std::unique_ptr<target_socket>>& to, const char* kind, uint32_t cu, auto handler) {
    to.push_back(std::make_unique<target_socket>((kind + std::to_string(cu)).c_str()));
    to.back()->register_nb_transport_fw(this, handler, static_cast<int>(cu));
  };
  for (uint32_t cu = 0; cu < c.n_cu; ++cu) {
    add(vector, "vector", cu, &tdm_memory::access);
    add(scalar, "scalar", cu, &tdm_memory::access);
    add(instruction, "instruction", cu, &tdm_memory::fetch);
  }
}

tlm::tlm_sync_enum tdm_memory::fetch(int, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (refuses(t)) return tlm::TLM_COMPLETED;
  delay += clock_.duration(fetch_latency_);
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum tdm_memory::access(int cu, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (refuses(t)) return tlm::TLM_COMPLETED;
  const transaction_info& i = info(t);
  const uint32_t place = static_cast<uint32_t>(cu) * places_per_cu_ + i.who.place;
  const cycle_t earliest = clock_.now() + lines_.way_there, arrival = earliest + clock_.cycles_in(delay);
  const cycle_t slot = slots_.serve(place, earliest, arrival, i.kind == access_kind::atomic ? atomic_slots : 1);
  ++statistics_.lines;
  statistics_.waited += slot - arrival;
  statistics_.longest_wait = std::max(statistics_.longest_wait, slot - arrival);
  delay = clock_.time_of(slot + lines_.way_back) - sc_core::sc_time_stamp();
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  return tlm::TLM_COMPLETED;
}

}  // namespace pws::models
