// SPDX-License-Identifier: Apache-2.0
#include "models/bus/system_bus.h"

#include <algorithm>

namespace pws::models {

system_bus::system_bus(const sc_core::sc_module_name& name, uint32_t n_initiators)
    : sc_module(name), ports_(n_initiators) {
  for (uint32_t i = 0; i < n_initiators; ++i) {
    from.push_back(std::make_unique<target_socket>(("from" + std::to_string(i)).c_str()));
    const auto tag = static_cast<int>(i);
    from.back()->register_b_transport(this, &system_bus::b_transport, tag);
    from.back()->register_nb_transport_fw(this, &system_bus::nb_transport_fw, tag);
    from.back()->register_transport_dbg(this, &system_bus::transport_dbg, tag);
    from.back()->register_get_direct_mem_ptr(this, &system_bus::get_direct_mem_ptr, tag);
  }
  SC_HAS_PROCESS(system_bus);
  SC_METHOD(send_waiting);
  sensitive << free_;
  dont_initialize();
}

system_bus::initiator_socket& system_bus::map(const std::string& name, uint64_t begin, uint64_t size, addressing a) {
  const auto tag = static_cast<int>(regions_.size());
  regions_.push_back({begin, size, a, std::make_unique<initiator_socket>(("to_" + name).c_str())});
  initiator_socket& socket = *regions_.back().socket;
  socket.register_nb_transport_bw(this, &system_bus::nb_transport_bw, tag);
  socket.register_invalidate_direct_mem_ptr(this, &system_bus::invalidate_direct_mem_ptr, tag);
  return socket;
}

system_bus::region* system_bus::find(uint64_t address) {
  for (region& r : regions_)
    if (address - r.begin < r.size) return &r;
  return nullptr;
}

// The target of a transport; nullptr: it has its response, there is none.
system_bus::region* system_bus::route(payload& t) {
  region* r = find(t.get_address());
  const uint64_t bytes = std::min(t.get_data_length(), t.get_streaming_width());
  if (r != nullptr && bytes <= r->size - (t.get_address() - r->begin)) return r;
  t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return nullptr;
}

void system_bus::b_transport(int, payload& t, sc_core::sc_time& delay) {
  region* r = route(t);
  if (r == nullptr) return;
  const uint64_t address = t.get_address();
  t.set_address(address - r->begin + r->local_begin());
  (*r->socket)->b_transport(t, delay);
  t.set_address(address);
}

unsigned system_bus::transport_dbg(int, payload& t) {
  region* r = find(t.get_address());
  if (r == nullptr) return 0;
  const uint64_t offset = t.get_address() - r->begin;
  const auto length = static_cast<unsigned>(std::min<uint64_t>(t.get_data_length(), r->size - offset));
  payload part;  // which may be shorter
  part.set_command(t.get_command());
  part.set_address(r->local_begin() + offset);
  part.set_data_ptr(t.get_data_ptr());
  part.set_data_length(length);
  part.set_streaming_width(length);
  return (*r->socket)->transport_dbg(part);
}

// What the target says of its own addresses, as far as they are mapped, in addresses of the bus.
bool system_bus::get_direct_mem_ptr(int, payload& t, tlm::tlm_dmi& dmi) {
  const uint64_t address = t.get_address();
  region* r = find(address);
  if (r == nullptr) {  // nor is there anything up to the next targets
    uint64_t begin = 0, end = ~uint64_t{0};
    for (const region& other : regions_) {
      if (other.last() < address) begin = std::max(begin, other.last() + 1);
      if (other.begin > address) end = std::min(end, other.begin - 1);
    }
    dmi.allow_read_write();
    dmi.set_start_address(begin);
    dmi.set_end_address(end);
    return false;
  }
  t.set_address(address - r->begin + r->local_begin());
  const bool granted = (*r->socket)->get_direct_mem_ptr(t, dmi);
  t.set_address(address);
  const uint64_t begin = std::max<uint64_t>(dmi.get_start_address(), r->local_begin());
  const uint64_t end = std::min<uint64_t>(dmi.get_end_address(), r->local_begin() + (r->size - 1));
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (begin - dmi.get_start_address()));
  dmi.set_start_address(begin - r->local_begin() + r->begin);
  dmi.set_end_address(end - r->local_begin() + r->begin);
  return granted;
}

void system_bus::invalidate_direct_mem_ptr(int to, sc_dt::uint64 begin, sc_dt::uint64 end) {
  const region& r = regions_[static_cast<size_t>(to)];
  const uint64_t first = std::max<uint64_t>(begin, r.local_begin());
  const uint64_t last = std::min<uint64_t>(end, r.local_begin() + (r.size - 1));
  if (first > last) return;  // of what is not mapped
  for (const auto& socket : from)
    (*socket)->invalidate_direct_mem_ptr(first - r.local_begin() + r.begin, last - r.local_begin() + r.begin);
}

}  // namespace pws::models
