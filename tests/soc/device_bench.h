// SPDX-License-Identifier: Apache-2.0
// A device on a bench: the test is its initiator, between calls of sc_start().
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <systemc>
#include <tlm>

#include "models/bus/bus_width.h"

namespace pws::test {

// What an access was answered with.
struct answer {
  tlm::tlm_response_status status;
  uint64_t value;
  friend bool operator==(const answer& a, const answer& b) { return a.status == b.status && a.value == b.value; }
  friend std::ostream& operator<<(std::ostream& out, const answer& a) {
    return out << "status " << a.status << ", value " << a.value;
  }
};
inline answer ok(uint64_t value = 0) {
  return {tlm::TLM_OK_RESPONSE, value};
}
inline answer refused(tlm::tlm_response_status status) {
  return {status, 0};
}

class bus_master : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<bus_master, models::bus_width> bus;
  unsigned revoked = 0;  // DMI, so many times

  explicit bus_master(const sc_core::sc_module_name& name) : sc_module(name), bus("bus") {
    bus.register_invalidate_direct_mem_ptr(this, &bus_master::revoke);
  }

  answer read(uint64_t address, unsigned bytes = 4) {
    uint64_t value = 0;
    const auto status = transfer(tlm::TLM_READ_COMMAND, address, value, bytes);
    return {status, status == tlm::TLM_OK_RESPONSE ? value : 0};
  }
  tlm::tlm_response_status write(uint64_t address, uint64_t value, unsigned bytes = 4) {
    return transfer(tlm::TLM_WRITE_COMMAND, address, value, bytes);
  }
  tlm::tlm_response_status transfer(tlm::tlm_command command, uint64_t address, uint64_t& value, unsigned bytes) {
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    t.set_data_length(bytes);
    t.set_streaming_width(bytes);
    return send(t);
  }
  tlm::tlm_response_status send(tlm::tlm_generic_payload& t) {
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    bus->b_transport(t, delay);
    return t.get_response_status();
  }

 private:
  void revoke(sc_dt::uint64, sc_dt::uint64) { ++revoked; }
};

// Lets what has been written take effect.
inline void settle() {
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_PS));
}

}  // namespace pws::test
