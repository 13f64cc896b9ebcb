// SPDX-License-Identifier: Apache-2.0
#include "models/soc/device.h"

#include <cstring>

namespace pws::models {

namespace {

uint64_t ones(unsigned bytes) {
  return bytes < sizeof(uint64_t) ? (uint64_t{1} << 8 * bytes) - 1 : ~uint64_t{0};
}

tlm::tlm_response_status well_formed(const tlm::tlm_generic_payload& t) {
  const unsigned bytes = t.get_data_length();
  if (t.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (bytes == 0 || bytes > sizeof(uint64_t) || (bytes & (bytes - 1)) != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (t.get_streaming_width() < bytes || t.get_address() % bytes != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

device::device(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
  socket.register_b_transport(this, &device::b_transport);
}

void device::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
  tlm::tlm_response_status status = well_formed(t);
  const unsigned bytes = t.get_data_length();
  uint64_t value = 0;
  if (status == tlm::TLM_OK_RESPONSE && t.is_read()) {
    status = read(t.get_address(), bytes, value);
    if (status == tlm::TLM_OK_RESPONSE) std::memcpy(t.get_data_ptr(), &value, bytes);
  } else if (status == tlm::TLM_OK_RESPONSE && t.is_write()) {
    std::memcpy(&value, t.get_data_ptr(), bytes);
    status = write(t.get_address(), bytes, value);
  }
  t.set_response_status(status);
}

uint64_t part_of(uint64_t value, uint64_t low, unsigned bytes) {
  return value >> 8 * low & ones(bytes);
}

uint64_t with_part(uint64_t value, uint64_t low, unsigned bytes, uint64_t part) {
  const uint64_t mask = ones(bytes) << 8 * low;
  return (value & ~mask) | (part << 8 * low & mask);
}

}  // namespace pws::models
