// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/test_initiator.h"

#include <cstring>

namespace pws::test {

using sc_core::sc_time;

test_initiator::test_initiator(const sc_core::sc_module_name& name, uint64_t seed)
    : sc_module(name), socket("socket"), ways_(seed) {
  socket.register_nb_transport_bw(this, &test_initiator::nb_transport_bw);
  socket.register_invalidate_direct_mem_ptr(this, &test_initiator::invalidate);
  keeper_.reset();
  SC_HAS_PROCESS(test_initiator);
  SC_METHOD(end_responses);
  sensitive << to_end_event_;
  dont_initialize();
}

void test_initiator::fill(payload& t, test_access& a) {
  t.set_command(a.command);
  t.set_address(a.address);
  t.set_data_ptr(a.data.data());
  t.set_data_length(static_cast<unsigned>(a.data.size()));
  t.set_streaming_width(a.streaming_width != 0 ? a.streaming_width : static_cast<unsigned>(a.data.size()));
  t.set_byte_enable_ptr(a.byte_enables.empty() ? nullptr : a.byte_enables.data());
  t.set_byte_enable_length(static_cast<unsigned>(a.byte_enables.size()));
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

// ---- blocking, debug and direct

void test_initiator::compute(const sc_time& t) {
  keeper_.inc(t);
  if (keeper_.need_sync()) keeper_.sync();
}

void test_initiator::blocking(test_access& a) {
  payload t;
  fill(t, a);
  sc_time delay = keeper_.get_local_time();
  socket->b_transport(t, delay);
  keeper_.set(delay);
  t.set_byte_enable_ptr(nullptr);
  a.response = t.get_response_status();
  if (keeper_.need_sync()) keeper_.sync();
}

unsigned test_initiator::debug(test_access& a) {
  payload t;
  fill(t, a);
  const unsigned n = socket->transport_dbg(t);
  t.set_byte_enable_ptr(nullptr);
  return n;
}

bool test_initiator::direct(test_access& a) {
  const auto inside = [&] {
    return has_grant_ && a.address >= granted_.get_start_address() &&
           a.address + (a.data.size() - 1) <= granted_.get_end_address();
  };
  if (!inside()) {
    payload t;
    fill(t, a);
    granted_.init();
    has_grant_ = socket->get_direct_mem_ptr(t, granted_) && granted_.is_read_write_allowed();
    t.set_byte_enable_ptr(nullptr);
  }
  if (!inside()) return false;
  unsigned char* bytes = granted_.get_dmi_ptr() + (a.address - granted_.get_start_address());
  const bool write = a.command == tlm::TLM_WRITE_COMMAND;
  if (write)
    std::memcpy(bytes, a.data.data(), a.data.size());
  else
    std::memcpy(a.data.data(), bytes, a.data.size());
  a.response = tlm::TLM_OK_RESPONSE;
  ++direct_;
  compute(write ? granted_.get_write_latency() : granted_.get_read_latency());
  return true;
}

void test_initiator::invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) {
  ++invalidations_;
  if (has_grant_ && begin <= granted_.get_end_address() && granted_.get_start_address() <= end) has_grant_ = false;
}

// ---- by phases

test_initiator::payload& test_initiator::acquire(test_access& a) {
  if (free_.empty()) {
    all_.push_back(std::make_unique<payload>(static_cast<tlm::tlm_mm_interface*>(this)));
    free_.push_back(all_.back().get());
  }
  payload& t = *free_.back();
  free_.pop_back();
  fill(t, a);
  t.set_auto_extension(new link(a));
  t.acquire();
  return t;
}

void test_initiator::free(payload* t) {
  t->set_byte_enable_ptr(nullptr);
  t->reset();
  free_.push_back(t);
}

void test_initiator::begin(test_access& a) {
  keeper_.sync();
  payload& t = acquire(a);
  while (request_ != nullptr) wait(request_ended_);
  request_ = &t;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay(static_cast<double>(ways_() % 5), sc_core::SC_NS);
  switch (socket->nb_transport_fw(t, phase, delay)) {
    case tlm::TLM_COMPLETED:
      request_ended(t);
      finish(t);
      break;
    case tlm::TLM_UPDATED:
      request_ended(t);
      if (phase == tlm::BEGIN_RESP) end_later(t, delay);
      break;
    case tlm::TLM_ACCEPTED:
      break;
  }
}

void test_initiator::at_once(test_access& a) {
  a.response = tlm::TLM_INCOMPLETE_RESPONSE;
  begin(a);
  while (a.response == tlm::TLM_INCOMPLETE_RESPONSE) wait(done_);
}

void test_initiator::request_ended(payload& t) {
  if (request_ != &t) return;
  request_ = nullptr;
  request_ended_.notify(sc_core::SC_ZERO_TIME);
}

// Every legal way to take a response.
tlm::tlm_sync_enum test_initiator::nb_transport_bw(payload& t, tlm::tlm_phase& phase, sc_time& delay) {
  request_ended(t);
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  switch (ways_() % 3) {
    case 0:
      end_later(t, delay);
      return tlm::TLM_ACCEPTED;
    case 1:
      phase = tlm::END_RESP;
      delay += sc_time(1, sc_core::SC_NS);
      finish(t);
      return tlm::TLM_UPDATED;
    default:
      finish(t);
      return tlm::TLM_COMPLETED;
  }
}

// Not before the response is here.
void test_initiator::end_later(payload& t, const sc_time& delay) {
  to_end_.push_back(&t);
  to_end_event_.notify(delay + sc_time(static_cast<double>(20 + ways_() % 30), sc_core::SC_NS));
}

void test_initiator::end_responses() {
  while (!to_end_.empty()) {
    payload& t = *to_end_.front();
    to_end_.pop_front();
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(t, phase, delay);
    finish(t);
  }
}

void test_initiator::finish(payload& t) {
  test_access& a = t.get_extension<link>()->access;
  a.response = t.get_response_status();
  t.release();
  done_.notify(sc_core::SC_ZERO_TIME);
  completed(a);
}

}  // namespace pws::test
