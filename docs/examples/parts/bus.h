// SPDX-License-Identifier: Apache-2.0
// The board's bus: passes each transaction to the target that has its address. It takes no time itself.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <deque>
#include <systemc>
#include <tlm>

namespace parts {

class bus : public sc_core::sc_module {
 public:
  explicit bus(const sc_core::sc_module_name& name) : sc_module(name) {}

  // Connects an initiator.
  template <class Socket>
  void from(Socket& initiator) {
    auto& s = from_.emplace_back(sc_core::sc_gen_unique_name("from"));
    s.register_b_transport(this, &bus::b_transport, 0);  // non-blocking calls come here too: the socket converts them
    s.register_transport_dbg(this, &bus::transport_dbg, 0);
    s.register_get_direct_mem_ptr(this, &bus::get_direct_mem_ptr, 0);
    initiator.bind(s);
  }
  // Connects a target at [begin, begin + size). A device has addresses from 0 on; memory has those of the bus.
  enum class kind { device, memory };
  template <class Socket>
  void to(Socket& target, uint64_t begin, uint64_t size, kind k) {
    auto& t = to_.emplace_back(begin, size, k == kind::device ? begin : 0);
    t.socket.register_invalidate_direct_mem_ptr(this, &bus::invalidate, 0);
    t.socket.bind(target);
  }

 private:
  struct place {
    place(uint64_t b, uint64_t s, uint64_t o) : begin(b), size(s), offset(o) {}
    uint64_t begin, size, offset;
    tlm_utils::simple_initiator_socket_tagged<bus, 64> socket{sc_core::sc_gen_unique_name("to")};
  };
  // The target that has all of the transaction; nullptr: none.
  place* find(const tlm::tlm_generic_payload& t) {
    for (place& p : to_) {
      const uint64_t at = t.get_address() - p.begin;
      if (at < p.size && t.get_data_length() <= p.size - at) return &p;
    }
    return nullptr;
  }
  void b_transport(int, tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    place* const p = find(t);
    if (p == nullptr) return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const uint64_t address = t.get_address();
    t.set_address(address - p->offset);
    p->socket->b_transport(t, delay);
    t.set_address(address);
  }
  unsigned transport_dbg(int, tlm::tlm_generic_payload& t) {
    place* const p = find(t);
    if (p == nullptr) return 0;
    const uint64_t address = t.get_address();
    t.set_address(address - p->offset);
    const unsigned bytes = p->socket->transport_dbg(t);
    t.set_address(address);
    return bytes;
  }
  // What a target grants or refuses is about its own addresses: at most all of its place on the bus.
  bool get_direct_mem_ptr(int, tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
    place* const p = find(t);
    if (p == nullptr || p->offset != 0) {  // devices have no memory
      dmi.allow_none();
      dmi.set_start_address(p == nullptr ? t.get_address() : p->begin);
      dmi.set_end_address(p == nullptr ? t.get_address() : p->begin + p->size - 1);
      return false;
    }
    const bool granted = p->socket->get_direct_mem_ptr(t, dmi);
    const uint64_t begin = std::max<uint64_t>(dmi.get_start_address(), p->begin);
    if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (begin - dmi.get_start_address()));
    dmi.set_start_address(begin);
    dmi.set_end_address(std::min<uint64_t>(dmi.get_end_address(), p->begin + p->size - 1));
    return granted;
  }
  void invalidate(int, sc_dt::uint64 begin, sc_dt::uint64 end) {
    for (auto& s : from_) s->invalidate_direct_mem_ptr(begin, end);
  }

  std::deque<tlm_utils::simple_target_socket_tagged<bus, 64>> from_;
  std::deque<place> to_;
};

}  // namespace parts
