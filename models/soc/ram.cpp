// SPDX-License-Identifier: Apache-2.0
#include "models/soc/ram.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/bus/payload_bytes.h"

namespace pws::models {

ram::ram(const sc_core::sc_module_name& name, uint64_t begin, uint64_t bytes, access a)
    : sc_module(name), socket("socket"), begin_(begin), bytes_(bytes), access_(a) {
  void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    throw input_error(fmt::format("{}: the host has no {} bytes of memory", this->name(), bytes));
  storage_ = static_cast<unsigned char*>(mapped);
  socket.register_b_transport(this, &ram::b_transport);
  socket.register_transport_dbg(this, &ram::transport_dbg);
  socket.register_get_direct_mem_ptr(this, &ram::get_direct_mem_ptr);
}

ram::~ram() {
  munmap(storage_, bytes_);
}

void ram::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
  const uint64_t offset = t.get_address() - begin_;
  const unsigned bytes = t.get_data_length();
  t.set_dmi_allowed(true);
  if (offset >= bytes_ || bytes > bytes_ - offset) return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (t.get_streaming_width() < bytes) return t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  if (t.is_write() && access_ == access::read_only) return t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
  if (t.get_byte_enable_ptr() != nullptr && t.get_byte_enable_length() == 0)
    return t.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  if (t.is_read() || t.is_write()) move_bytes(t, storage_ + offset, bytes);
  t.set_response_status(tlm::TLM_OK_RESPONSE);
}

// As many bytes as there are.
unsigned ram::transport_dbg(tlm::tlm_generic_payload& t) {
  const uint64_t offset = t.get_address() - begin_;
  if (offset >= bytes_) return 0;
  const auto bytes = static_cast<unsigned>(std::min<uint64_t>(t.get_data_length(), bytes_ - offset));
  if (t.is_read()) std::memcpy(t.get_data_ptr(), storage_ + offset, bytes);
  if (t.is_write()) std::memcpy(storage_ + offset, t.get_data_ptr(), bytes);
  return bytes;
}

bool ram::get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
  dmi.set_dmi_ptr(storage_);
  dmi.set_start_address(begin_);
  dmi.set_end_address(begin_ + (bytes_ - 1));
  dmi.set_read_latency(sc_core::SC_ZERO_TIME);
  dmi.set_write_latency(sc_core::SC_ZERO_TIME);
  if (access_ == access::read_only && t.is_write()) {  // all of it refuses that
    dmi.allow_write();
    return false;
  }
  if (access_ == access::read_only)
    dmi.allow_read();
  else
    dmi.allow_read_write();
  return true;
}

}  // namespace pws::models
