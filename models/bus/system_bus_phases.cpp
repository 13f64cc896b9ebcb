// SPDX-License-Identifier: Apache-2.0
// Transactions that go through the bus by phases. A target takes a request when the one before has ended, and an
// initiator a response (IEEE 1666-2011, 15.2.6); what comes in between waits here, in order.
#include "models/bus/system_bus.h"

namespace pws::models {

namespace {
sc_core::sc_time time_of(const sc_core::sc_time& delay) {
  return sc_core::sc_time_stamp() + delay;
}

sc_core::sc_time delay_until(const sc_core::sc_time& at) {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  return at > now ? at - now : sc_core::SC_ZERO_TIME;
}
}  // namespace

tlm::tlm_sync_enum system_bus::nb_transport_fw(int from_port, payload& t, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    end_response(t, phase, delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (!t.has_mm()) {  // it could go before its response comes
    t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  region* r = route(t);
  if (r == nullptr) return tlm::TLM_COMPLETED;
  t.acquire();
  const passage p{static_cast<size_t>(from_port), static_cast<size_t>(r - regions_.data()), t.get_address(), true};
  passing_[&t] = p;
  if (r->request != nullptr || !r->requests.empty()) {
    r->requests.push_back({&t, time_of(delay)});
    return tlm::TLM_ACCEPTED;
  }
  const sc_core::sc_time given = delay;
  const tlm::tlm_sync_enum status = begin_request(t, p, phase, delay);
  if (status == tlm::TLM_COMPLETED) finish(t);
  if (status != tlm::TLM_UPDATED || phase != tlm::BEGIN_RESP) return status;
  port& above = ports_[p.from];
  if (above.response == nullptr && above.responses.empty()) {
    above.response = &t;
    return status;
  }
  above.responses.push_back({&t, time_of(delay)});
  phase = tlm::BEGIN_REQ;
  delay = given;
  return tlm::TLM_ACCEPTED;
}

// Sends the request down, and returns what the target does.
tlm::tlm_sync_enum system_bus::begin_request(payload& t, const passage& p, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  region& r = regions_[p.to];
  r.request = &t;
  t.set_address(p.address - r.begin + r.local_begin());
  const tlm::tlm_sync_enum status = (*r.socket)->nb_transport_fw(t, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return status;  // the target may have answered by a call
  r.request = nullptr;
  if (status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP) t.set_address(p.address);
  return status;
}

tlm::tlm_sync_enum system_bus::nb_transport_bw(int to, payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto known = passing_.find(&t);
  if (known == passing_.end()) return tlm::TLM_ACCEPTED;
  const passage p = known->second;
  region& r = regions_[static_cast<size_t>(to)];
  if (r.request == &t) {
    r.request = nullptr;
    if (!r.requests.empty()) free_.notify(sc_core::SC_ZERO_TIME);
  }
  if (phase != tlm::BEGIN_RESP) return (*from[p.from])->nb_transport_bw(t, phase, delay);
  t.set_address(p.address);
  port& above = ports_[p.from];
  if (above.response != nullptr || !above.responses.empty()) {
    above.responses.push_back({&t, time_of(delay)});
    return tlm::TLM_ACCEPTED;
  }
  const tlm::tlm_sync_enum status = begin_response(t, p, phase, delay);
  if (status != tlm::TLM_ACCEPTED) finish(t);
  return status;
}

tlm::tlm_sync_enum system_bus::begin_response(payload& t, const passage& p, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  ports_[p.from].response = &t;
  return (*from[p.from])->nb_transport_bw(t, phase, delay);
}

void system_bus::end_response(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto known = passing_.find(&t);
  if (known == passing_.end()) return;
  if (known->second.at_target) (*regions_[known->second.to].socket)->nb_transport_fw(t, phase, delay);
  finish(t);
}

void system_bus::finish(payload& t) {
  const auto known = passing_.find(&t);
  if (known == passing_.end()) return;
  port& above = ports_[known->second.from];
  const region& r = regions_[known->second.to];
  if (above.response == &t) above.response = nullptr;
  if (!above.responses.empty() || !r.requests.empty()) free_.notify(sc_core::SC_ZERO_TIME);
  passing_.erase(known);
  t.release();
}

void system_bus::send_waiting() {
  for (region& r : regions_)
    while (r.request == nullptr && !r.requests.empty()) send_waiting_request(r);
  for (port& p : ports_)
    while (p.response == nullptr && !p.responses.empty()) send_waiting_response(p);
}

// The initiator has TLM_ACCEPTED for it: what the target returns reaches it by a call.
void system_bus::send_waiting_request(region& r) {
  const waiting w = r.requests.front();
  r.requests.pop_front();
  payload& t = *w.trans;
  const passage p = passing_.at(&t);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = delay_until(w.at);
  const tlm::tlm_sync_enum status = begin_request(t, p, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
    (*from[p.from])->nb_transport_bw(t, phase, delay);
    return;
  }
  if (status == tlm::TLM_COMPLETED) passing_.at(&t).at_target = false;
  ports_[p.from].responses.push_back({&t, time_of(delay)});
}

void system_bus::send_waiting_response(port& above) {
  const waiting w = above.responses.front();
  above.responses.pop_front();
  payload& t = *w.trans;
  const passage p = passing_.at(&t);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = delay_until(w.at);
  if (begin_response(t, p, phase, delay) == tlm::TLM_ACCEPTED) return;
  // The target waits for the end of the response.
  phase = tlm::END_RESP;
  end_response(t, phase, delay);
}

}  // namespace pws::models
