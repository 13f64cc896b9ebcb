// SPDX-License-Identifier: Apache-2.0
// An initiator and a target that do what a test says, with a protocol checker between them.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "models/bus/bus_width.h"
#include "tests/tlm/protocol_checker.h"

namespace pws::test {

// Payloads with a memory manager, which live as long as this.
class payload_pool : public tlm::tlm_mm_interface {
 public:
  tlm::tlm_generic_payload& make();
  void free(tlm::tlm_generic_payload* t) override { t->reset(); }

 private:
  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
};

class protocol_pair : public sc_core::sc_module {
 public:
  using payload = tlm::tlm_generic_payload;
  explicit protocol_pair(const sc_core::sc_module_name& name);

  protocol_log log;
  protocol_checker checker;

  // A right read of four bytes: of its own, or of a pool and held.
  struct plain_payload : payload {
    explicit plain_payload(protocol_pair& p) { p.set_up(*this); }
  };
  plain_payload plain() { return plain_payload(*this); }
  payload& pooled();
  void free(payload& t) { t.release(); }

  // What the initiator does.
  tlm::tlm_response_status blocking(payload& t, sc_core::sc_time delay = sc_core::SC_ZERO_TIME);
  tlm::tlm_sync_enum forward(payload& t, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME);
  unsigned debug(payload& t) { return initiator_->transport_dbg(t); }
  bool dmi(payload& t, tlm::tlm_dmi grant = {}) { return initiator_->get_direct_mem_ptr(t, grant); }
  // What the target does of its own accord.
  tlm::tlm_sync_enum backward(payload& t, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME);
  void invalidate(uint64_t begin, uint64_t end) { target_->invalidate_direct_mem_ptr(begin, end); }

  // What the target and the initiator do when they are called; right answers, unless a test sets others.
  std::function<void(payload&, sc_core::sc_time&)> on_blocking;
  std::function<tlm::tlm_sync_enum(payload&, tlm::tlm_phase&, sc_core::sc_time&)> on_forward, on_backward;
  std::function<unsigned(payload&)> on_debug;
  std::function<bool(payload&, tlm::tlm_dmi&)> on_dmi;

  std::array<unsigned char, 64> bytes{};

 private:
  void b_transport(payload& t, sc_core::sc_time& d) { on_blocking(t, d); }
  tlm::tlm_sync_enum nb_transport_fw(payload& t, tlm::tlm_phase& p, sc_core::sc_time& d) { return on_forward(t, p, d); }
  tlm::tlm_sync_enum nb_transport_bw(payload& t, tlm::tlm_phase& p, sc_core::sc_time& d) {
    return on_backward(t, p, d);
  }
  unsigned transport_dbg(payload& t) { return on_debug(t); }
  bool get_direct_mem_ptr(payload& t, tlm::tlm_dmi& d) { return on_dmi(t, d); }
  void set_up(payload& t);

  tlm_utils::simple_initiator_socket<protocol_pair, models::bus_width> initiator_;
  tlm_utils::simple_target_socket<protocol_pair, models::bus_width> target_;
  payload_pool pool_;
};

}  // namespace pws::test
