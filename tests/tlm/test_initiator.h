// SPDX-License-Identifier: Apache-2.0
// An initiator for tests that can do all of it: blocking transport with temporal decoupling, non-blocking transport
// with several transactions at a time, direct memory access and debug transport.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <deque>
#include <memory>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/bus_width.h"

namespace pws::test {

// An access and its payload, which points at the vectors.
struct test_access {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  uint64_t address = 0;
  std::vector<unsigned char> data;
  unsigned streaming_width = 0;             // 0: as long as the data
  std::vector<unsigned char> byte_enables;  // empty: none
  size_t tag = 0;                           // the test's own
  tlm::tlm_response_status response = tlm::TLM_INCOMPLETE_RESPONSE;
};

class test_initiator : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<test_initiator, models::bus_width> socket;
  explicit test_initiator(const sc_core::sc_module_name& name, uint64_t seed = 1);

  // The following are for the initiator's own thread.

  // By b_transport. The thread runs ahead of SystemC's time by up to the quantum.
  void blocking(test_access& a);
  // By nb_transport: returns when the next request may begin. `a` lives until completed() has it.
  void begin(test_access& a);
  // By nb_transport, and waits for the response.
  void at_once(test_access& a);
  // By the pointer that was granted, or by one that it asks for; false: none is granted.
  bool direct(test_access& a);
  unsigned debug(test_access& a);
  // Local time that passes.
  void compute(const sc_core::sc_time& t);
  void synchronise() { keeper_.sync(); }

  uint64_t direct_accesses() const { return direct_; }
  uint64_t invalidations() const { return invalidations_; }

 protected:
  // A transaction of begin() has its response.
  virtual void completed(test_access&) {}

 private:
  using payload = tlm::tlm_generic_payload;
  struct link : tlm::tlm_extension<link> {
    explicit link(test_access& a) : access(a) {}
    test_access& access;
    tlm_extension_base* clone() const override { return new link(*this); }
    void copy_from(const tlm_extension_base&) override {}
  };
  static void fill(payload& t, test_access& a);
  void free(payload* t) override;
  payload& acquire(test_access& a);
  tlm::tlm_sync_enum nb_transport_bw(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void invalidate(sc_dt::uint64 begin, sc_dt::uint64 end);
  void request_ended(payload& t);
  void finish(payload& t);
  void end_later(payload& t, const sc_core::sc_time& delay);
  void end_responses();

  tlm_utils::tlm_quantumkeeper keeper_;
  std::mt19937_64 ways_;  // which of the legal ways it goes
  std::vector<std::unique_ptr<payload>> all_;
  std::vector<payload*> free_;
  payload* request_ = nullptr;  // has not ended
  std::deque<payload*> to_end_;
  sc_core::sc_event request_ended_, done_, to_end_event_;
  tlm::tlm_dmi granted_;
  bool has_grant_ = false;
  uint64_t direct_ = 0, invalidations_ = 0;
};

}  // namespace pws::test
