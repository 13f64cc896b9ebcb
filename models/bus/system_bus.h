// SPDX-License-Identifier: Apache-2.0
// Address router between the initiators that move bytes (host port, dispatcher, modules of a simulation that has the
// machine in it) and their targets: device memory and registers. Blocking, non-blocking and debug transport, and DMI.
// It takes no time itself. (IEEE 1666-2011, clauses 11 and 15)
//
// An access belongs to the target in which it begins. If it reaches beyond that, transport is answered with
// TLM_ADDRESS_ERROR_RESPONSE, and a debug access stops there.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "models/bus/bus_width.h"

namespace pws::models {

class system_bus : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::simple_target_socket_tagged<system_bus, bus_width>;
  using initiator_socket = tlm_utils::simple_initiator_socket_tagged<system_bus, bus_width>;

  system_bus(const sc_core::sc_module_name& name, uint32_t n_initiators);

  std::vector<std::unique_ptr<target_socket>> from;  // one per initiator
  // A new target at [begin, begin + size). Addresses reach it unchanged if it is memory, relative to `begin` if it is a
  // device.
  enum class addressing : uint8_t { absolute, relative };
  // The socket to bind to the target. `name` is for messages.
  initiator_socket& map(const std::string& name, uint64_t begin, uint64_t size, addressing a);

 private:
  using payload = tlm::tlm_generic_payload;
  // A call that has to wait until the one before has ended, and the time that it is about.
  struct waiting {
    payload* trans;
    sc_core::sc_time at;
  };
  struct region {
    uint64_t begin, size;
    addressing how;
    std::unique_ptr<initiator_socket> socket;
    payload* request = nullptr;  // whose BEGIN_REQ the target has not answered
    std::deque<waiting> requests{};
    uint64_t local_begin() const { return how == addressing::absolute ? begin : 0; }
    uint64_t last() const { return begin + (size - 1); }
  };
  struct port {
    payload* response = nullptr;  // whose BEGIN_RESP the initiator has not answered
    std::deque<waiting> responses{};
  };
  // A transaction between BEGIN_REQ and its end.
  struct passage {
    size_t from, to;   // port, region
    uint64_t address;  // as the initiator has it
    bool at_target;    // which has not completed it
  };

  region* find(uint64_t address);
  region* route(payload& t);
  void b_transport(int from_port, payload& t, sc_core::sc_time& delay);
  unsigned transport_dbg(int from_port, payload& t);
  bool get_direct_mem_ptr(int from_port, payload& t, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(int region, sc_dt::uint64 begin, sc_dt::uint64 end);

  // By phases (system_bus_phases.cpp)
  tlm::tlm_sync_enum nb_transport_fw(int from_port, payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int region, payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin_request(payload& t, const passage& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin_response(payload& t, const passage& p, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void end_response(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void finish(payload& t);
  void send_waiting();
  void send_waiting_request(region& r);
  void send_waiting_response(port& p);

  std::vector<region> regions_;
  std::vector<port> ports_;
  std::unordered_map<const payload*, passage> passing_;
  sc_core::sc_event free_;  // a request or a response has ended for which others wait
};

}  // namespace pws::models
