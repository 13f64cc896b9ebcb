// SPDX-License-Identifier: Apache-2.0
// What the base protocol allows, in all its variants, breaks no rule of the checker.
#include <gmock/gmock.h>

#include <list>

#include "tests/models/simulation.h"
#include "tests/tlm/protocol_pair.h"

namespace pws::test::legal_protocol_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using payload = tlm::tlm_generic_payload;
using tlm::tlm_phase;

const sc_time ns(1, SC_NS);

SIMULATION(legal_protocol, every_legal_way_through_the_phases) {
  using sequence = std::function<void(protocol_pair&, payload&)>;
  const auto returning = [](tlm::tlm_sync_enum status, tlm::tlm_phase_enum to, const sc_time& later) {
    return [=](payload& t, tlm_phase& phase, sc_time& delay) {
      if (status == tlm::TLM_COMPLETED || to == tlm::BEGIN_RESP) t.set_response_status(tlm::TLM_OK_RESPONSE);
      if (status == tlm::TLM_UPDATED) phase = to;
      delay += later;
      return status;
    };
  };
  const auto first_then = [](auto first, auto second) {
    return [=, n = 0](payload& t, tlm_phase& phase, sc_time& delay) mutable {
      return n++ == 0 ? first(t, phase, delay) : second(t, phase, delay);
    };
  };
  const auto completed = returning(tlm::TLM_COMPLETED, tlm::END_RESP, 3 * ns);
  const std::vector<sequence> all{
      // All four phases by calls.
      [&](protocol_pair& p, payload& t) {
        p.forward(t, tlm::BEGIN_REQ, ns);
        p.backward(t, tlm::END_REQ, ns);
        p.backward(t, tlm::BEGIN_RESP, 2 * ns);
        p.forward(t, tlm::END_RESP, 2 * ns);
      },
      // END_REQ left out; END_RESP answered with TLM_COMPLETED.
      [&](protocol_pair& p, payload& t) {
        p.forward(t, tlm::BEGIN_REQ);
        p.backward(t, tlm::BEGIN_RESP);
        p.on_forward = completed;
        p.forward(t, tlm::END_RESP);
      },
      // Completed at once.
      [&](protocol_pair& p, payload& t) {
        p.on_forward = completed;
        p.forward(t, tlm::BEGIN_REQ);
      },
      // END_REQ in the return, END_RESP in the return.
      [&](protocol_pair& p, payload& t) {
        p.on_forward = returning(tlm::TLM_UPDATED, tlm::END_REQ, ns);
        p.forward(t, tlm::BEGIN_REQ);
        p.on_backward = returning(tlm::TLM_UPDATED, tlm::END_RESP, ns);
        p.backward(t, tlm::BEGIN_RESP, 2 * ns);
      },
      // BEGIN_RESP in the return.
      [&](protocol_pair& p, payload& t) {
        p.on_forward = first_then(returning(tlm::TLM_UPDATED, tlm::BEGIN_RESP, ns), completed);
        p.forward(t, tlm::BEGIN_REQ);
        p.forward(t, tlm::END_RESP, 2 * ns);
      },
      // The initiator completes the response.
      [&](protocol_pair& p, payload& t) {
        p.forward(t, tlm::BEGIN_REQ);
        p.on_backward = completed;
        p.backward(t, tlm::BEGIN_RESP);
      },
      // The response comes while the request is being made.
      [&](protocol_pair& p, payload& t) {
        p.on_backward = completed;
        p.on_forward = [&p](payload& u, tlm_phase&, sc_time&) {
          p.backward(u, tlm::BEGIN_RESP);
          return tlm::TLM_ACCEPTED;
        };
        p.forward(t, tlm::BEGIN_REQ);
      },
      // A transfer of nothing.
      [&](protocol_pair& p, payload& t) {
        t.set_command(tlm::TLM_IGNORE_COMMAND);
        t.set_data_ptr(nullptr);
        t.set_data_length(0);
        p.on_forward = completed;
        p.forward(t, tlm::BEGIN_REQ);
      },
  };
  std::list<protocol_pair> pairs;
  for (size_t k = 0; k < all.size(); ++k) pairs.emplace_back(sc_core::sc_gen_unique_name("pair"));
  sc_core::sc_start(SC_ZERO_TIME);
  size_t k = 0;
  for (protocol_pair& p : pairs) {
    payload& t = p.pooled();
    all[k](p, t);
    // The sockets are free again, and so is the payload.
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    p.on_forward = completed;
    p.forward(t, tlm::BEGIN_REQ);
    p.free(t);
    EXPECT_EQ(p.log.text(), "") << "sequence " << k;
    ++k;
  }
}

SIMULATION(legal_protocol, pipelined_requests_and_responses) {
  protocol_pair p("pair");
  sc_core::sc_start(SC_ZERO_TIME);
  payload &a = p.pooled(), &b = p.pooled(), &c = p.pooled();
  for (payload* t : {&a, &b, &c}) {
    p.forward(*t, tlm::BEGIN_REQ);
    p.backward(*t, tlm::END_REQ);
  }
  for (payload* t : {&b, &c, &a}) {  // in another order
    p.backward(*t, tlm::BEGIN_RESP);
    p.forward(*t, tlm::END_RESP);
  }
  EXPECT_EQ(p.log.text(), "");
}

SIMULATION(legal_protocol, right_blocking_debug_and_dmi) {
  protocol_pair p("pair");
  sc_core::sc_start(SC_ZERO_TIME);
  auto t = p.plain();
  p.blocking(t);
  EXPECT_TRUE(p.dmi(t));
  p.invalidate(0, ~uint64_t{0});
  EXPECT_EQ(p.debug(t), 4u);
  t.set_data_length(0);
  EXPECT_EQ(p.debug(t), 0u);
  p.on_dmi = [](payload&, tlm::tlm_dmi& d) {
    d.allow_read_write();
    return false;
  };
  EXPECT_FALSE(p.dmi(t));
  EXPECT_EQ(p.log.text(), "");
}

}  // namespace
}  // namespace pws::test::legal_protocol_test
