// SPDX-License-Identifier: Apache-2.0
// The board's memory. It grants direct access to all of its bytes, and heeds byte enables: the GPU writes lines back
// with all bytes disabled, which takes time and must change nothing.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

namespace parts {

class memory : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<memory, 64> socket{"socket"};

  memory(const sc_core::sc_module_name& name, uint64_t begin, uint64_t bytes, const sc_core::sc_time& latency)
      : sc_module(name), begin_(begin), latency_(latency), bytes_(bytes) {
    socket.register_b_transport(this, &memory::b_transport);
    socket.register_transport_dbg(this, &memory::transport_dbg);
    socket.register_get_direct_mem_ptr(this, &memory::get_direct_mem_ptr);
  }
  uint64_t begin() const { return begin_; }
  uint64_t size() const { return bytes_.size(); }

 private:
  bool move(tlm::tlm_generic_payload& t) {
    const uint64_t at = t.get_address() - begin_;
    const unsigned n = t.get_data_length();
    if (at >= size() || n > size() - at) return false;
    const unsigned char* const enabled = t.get_byte_enable_ptr();
    for (unsigned k = 0; k < n; ++k) {
      if (enabled != nullptr && enabled[k % t.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
      if (t.is_read()) t.get_data_ptr()[k] = bytes_[at + k];
      if (t.is_write()) bytes_[at + k] = t.get_data_ptr()[k];
    }
    return true;
  }
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    t.set_response_status(move(t) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    t.set_dmi_allowed(true);
    delay += latency_;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& t) { return move(t) ? t.get_data_length() : 0; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_dmi_ptr(bytes_.data());
    dmi.set_start_address(begin_);
    dmi.set_end_address(begin_ + size() - 1);
    dmi.set_read_latency(latency_);
    dmi.set_write_latency(latency_);
    dmi.allow_read_write();
    return true;
  }

  const uint64_t begin_;
  const sc_core::sc_time latency_;
  std::vector<unsigned char> bytes_;
};

}  // namespace parts
