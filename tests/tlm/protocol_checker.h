// SPDX-License-Identifier: Apache-2.0
// A module between an initiator and a target that passes everything on, both ways, and holds what it sees against the
// rules of protocol_rules.h. It changes neither payloads nor times; while a non-blocking call is being made it holds
// the payload, so that it can look at it afterwards.
//
// The data of a write are compared before and after each call, not from the request to the response: the machine's
// transactions point at device memory itself, which other accesses may change meanwhile.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "models/bus/bus_width.h"
#include "tests/tlm/protocol_rules.h"

namespace pws::test {

class protocol_checker : public sc_core::sc_module,
                         public tlm::tlm_fw_transport_if<>,
                         public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_target_socket<models::bus_width> from;   // for the initiator
  tlm::tlm_initiator_socket<models::bus_width> to;  // for the target

  // `where` names the connection in messages.
  protocol_checker(const sc_core::sc_module_name& name, std::string where, protocol_log& log);

  // A number that stands for the target's state, which a debug access must not change. May be empty.
  std::function<uint64_t()> state_of_target;
  const protocol_log::calls& calls() const { return calls_; }
  const std::string& where() const { return where_; }

 private:
  using payload = tlm::tlm_generic_payload;

  // What must be the same when a call returns.
  struct attributes {
    explicit attributes(const payload& t);
    tlm::tlm_command command;
    uint64_t address;
    const unsigned char *data, *byte_enables;
    unsigned length, byte_enable_length, streaming_width;
    tlm::tlm_gp_option option;
    bool managed;
    std::vector<const tlm::tlm_extension_base*> extensions;  // without a memory manager
  };
  // A transaction between its BEGIN_REQ and its end.
  struct transaction {
    attributes sent;
    tlm::tlm_phase_enum phase = tlm::BEGIN_REQ;
    sc_core::sc_time at;
  };
  // The bytes that a call must not change.
  struct contents {
    explicit contents(const attributes& a);
    size_t data = 0, byte_enables = 0;  // hashes
  };

  tlm::tlm_sync_enum nb_transport_fw(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_bw(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(payload& t, sc_core::sc_time& delay) override;
  unsigned transport_dbg(payload& t) override;
  bool get_direct_mem_ptr(payload& t, tlm::tlm_dmi& dmi) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) override;

  // One step of the protocol each; they say what is wrong and go on.
  void violated(protocol_rule rule, const std::string& what);
  void violated(protocol_rule rule, const payload& t, const std::string& what);
  void require_initial(const payload& t);
  void require_kept(const payload& t, const attributes& before);
  void require_kept(const payload& t, const attributes& before, const contents& bytes);
  void require_address(const payload& t, const attributes& before);
  void require_held(const payload& t);
  void note_call(const payload& t);
  void begin_request(payload& t);
  void go_back(payload& t, const tlm::tlm_phase& phase);  // END_REQ or BEGIN_RESP
  void end_response(payload& t);
  void response_comes(payload& t);  // at the place that it takes on its way back
  void forget(payload& t);
  void at_time(payload& t, const sc_core::sc_time& delay);
  void note_hint(const payload& t);
  transaction* find(const payload& t);

  const std::string where_;
  protocol_log& log_;
  protocol_log::calls calls_;
  std::unordered_map<const payload*, transaction> in_flight_;  // by nb_transport
  std::unordered_map<const payload*, unsigned> blocking_;      // by b_transport
  const payload *request_ = nullptr, *response_ = nullptr;     // that occupy the sockets
  std::optional<uint64_t> hinted_;  // address of the last access whose response had the DMI hint
};

}  // namespace pws::test
