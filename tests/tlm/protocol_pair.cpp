// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/protocol_pair.h"

namespace pws::test {

tlm::tlm_generic_payload& payload_pool::make() {
  all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
  return *all_.back();
}

protocol_pair::protocol_pair(const sc_core::sc_module_name& name)
    : sc_module(name), checker("checker", "initiator -> target", log), initiator_("initiator"), target_("target") {
  initiator_.register_nb_transport_bw(this, &protocol_pair::nb_transport_bw);
  target_.register_b_transport(this, &protocol_pair::b_transport);
  target_.register_nb_transport_fw(this, &protocol_pair::nb_transport_fw);
  target_.register_transport_dbg(this, &protocol_pair::transport_dbg);
  target_.register_get_direct_mem_ptr(this, &protocol_pair::get_direct_mem_ptr);
  initiator_.bind(checker.from);
  checker.to.bind(target_);
  on_blocking = [](payload& t, sc_core::sc_time&) { t.set_response_status(tlm::TLM_OK_RESPONSE); };
  on_forward = [](payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; };
  on_backward = [](payload&, tlm::tlm_phase&, sc_core::sc_time&) { return tlm::TLM_ACCEPTED; };
  on_debug = [](payload& t) { return t.get_data_length(); };
  on_dmi = [this](payload&, tlm::tlm_dmi& d) {
    d.set_dmi_ptr(bytes.data());
    d.set_start_address(0);
    d.set_end_address(bytes.size() - 1);
    d.allow_read_write();
    return true;
  };
}

void protocol_pair::set_up(payload& t) {
  t.set_read();
  t.set_address(0x10);
  t.set_data_ptr(bytes.data());
  t.set_data_length(4);
  t.set_streaming_width(4);
}

protocol_pair::payload& protocol_pair::pooled() {
  payload& t = pool_.make();
  set_up(t);
  t.acquire();
  return t;
}

tlm::tlm_response_status protocol_pair::blocking(payload& t, sc_core::sc_time delay) {
  initiator_->b_transport(t, delay);
  return t.get_response_status();
}

tlm::tlm_sync_enum protocol_pair::forward(payload& t, tlm::tlm_phase phase, sc_core::sc_time delay) {
  return initiator_->nb_transport_fw(t, phase, delay);
}

tlm::tlm_sync_enum protocol_pair::backward(payload& t, tlm::tlm_phase phase, sc_core::sc_time delay) {
  if (phase == tlm::BEGIN_RESP && t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  return target_->nb_transport_bw(t, phase, delay);
}

}  // namespace pws::test
