// SPDX-License-Identifier: Apache-2.0
// Address router between the initiators that move bytes without timing (host port, dispatcher) and their targets:
// device memory and the dispatcher's registers. Blocking, debug and DMI transport.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace pws::models {

class system_bus : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::simple_target_socket_tagged<system_bus>;
  using initiator_socket = tlm_utils::simple_initiator_socket<system_bus>;

  system_bus(const sc_core::sc_module_name& name, uint32_t n_initiators);

  std::vector<std::unique_ptr<target_socket>> from;  // one per initiator
  // A new target at [begin, begin + size). Addresses reach it unchanged if it is memory, relative to `begin` if it is a
  // device.
  enum class addressing : uint8_t { absolute, relative };
  // The socket to bind to the target. `name` is for messages.
  initiator_socket& map(const std::string& name, uint64_t begin, uint64_t size, addressing a);

 private:
  struct region {
    uint64_t begin, size;
    addressing how;
    std::unique_ptr<initiator_socket> socket;
  };
  region* route(tlm::tlm_generic_payload& t);
  void b_transport(int from_port, tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  unsigned transport_dbg(int from_port, tlm::tlm_generic_payload& t);
  bool get_direct_mem_ptr(int from_port, tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);

  std::vector<region> regions_;
};

}  // namespace pws::models
