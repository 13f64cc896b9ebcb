// SPDX-License-Identifier: Apache-2.0
#include "models/bus/system_bus.h"

namespace pws::models {

system_bus::system_bus(const sc_core::sc_module_name& name, uint32_t n_initiators) : sc_module(name) {
  for (uint32_t i = 0; i < n_initiators; ++i) {
    from.push_back(std::make_unique<target_socket>(("from" + std::to_string(i)).c_str()));
    const auto tag = static_cast<int>(i);
    from.back()->register_b_transport(this, &system_bus::b_transport, tag);
    from.back()->register_transport_dbg(this, &system_bus::transport_dbg, tag);
    from.back()->register_get_direct_mem_ptr(this, &system_bus::get_direct_mem_ptr, tag);
  }
}

system_bus::initiator_socket& system_bus::map(const std::string& name, uint64_t begin, uint64_t size, addressing a) {
  regions_.push_back({begin, size, a, std::make_unique<initiator_socket>(("to_" + name).c_str())});
  return *regions_.back().socket;
}

system_bus::region* system_bus::route(tlm::tlm_generic_payload& t) {
  for (region& r : regions_)
    if (t.get_address() - r.begin < r.size) return &r;
  t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return nullptr;
}

void system_bus::b_transport(int, tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  region* r = route(t);
  if (r == nullptr) return;
  const uint64_t address = t.get_address();
  if (r->how == addressing::relative) t.set_address(address - r->begin);
  (*r->socket)->b_transport(t, delay);
  t.set_address(address);
}

unsigned system_bus::transport_dbg(int, tlm::tlm_generic_payload& t) {
  region* r = route(t);
  if (r == nullptr) return 0;
  const uint64_t address = t.get_address();
  if (r->how == addressing::relative) t.set_address(address - r->begin);
  const unsigned n = (*r->socket)->transport_dbg(t);
  t.set_address(address);
  return n;
}

bool system_bus::get_direct_mem_ptr(int, tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
  region* r = route(t);
  // Only memory, which sees addresses as they are, grants DMI: nothing to translate back.
  return r != nullptr && r->how == addressing::absolute && (*r->socket)->get_direct_mem_ptr(t, dmi);
}

}  // namespace pws::models
