// SPDX-License-Identifier: Apache-2.0
#include "tests/models/registers/register_model.h"

namespace pws::test {

using models::register_access;

register_model::register_model(const models::register_map& map) : wrong_at_(0) {
  for (uint32_t row = 0; row < map.rows.size(); ++row) {
    const models::register_row& r = map.rows[row];
    const models::register_block& b = map.blocks[r.block];
    uint64_t bits = 0;
    bool has_fields = false;
    for (const models::register_field& f : map.fields) {
      if (f.row != row) continue;
      has_fields = true;
      for (uint32_t k = f.lsb; k < f.lsb + f.width; ++k) bits |= uint64_t{1} << k;
    }
    if (!has_fields) bits = ~uint64_t{0};
    for (uint32_t instance = 0; instance < b.count; ++instance)
      for (uint32_t k = 0; k < r.words * 8; ++k)
        bytes_[b.base + instance * b.stride + r.offset + k] = {r.access, static_cast<unsigned char>(bits >> k % 8 * 8),
                                                               static_cast<unsigned char>(r.reset.value >> k % 8 * 8)};
    if (row == map.bad_accesses) wrong_at_ = b.base + r.offset;
  }
}

tlm::tlm_response_status register_model::judge(const register_access_request& r) const {
  if (r.command == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (r.byte_enables) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (r.streaming_width < r.bytes || (r.bytes != 4 && r.bytes != 8) || r.address % r.bytes != 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const auto at = bytes_.find(r.address);
  if (at == bytes_.end()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const register_access forbidden = r.command == tlm::TLM_READ_COMMAND ? register_access::wo : register_access::ro;
  return at->second.access == forbidden ? tlm::TLM_COMMAND_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status register_model::access(register_access_request& r) {
  const tlm::tlm_response_status status = judge(r);
  if (status != tlm::TLM_OK_RESPONSE) {
    ++wrong_;
    for (unsigned k = 0; k < 8; ++k) bytes_.at(wrong_at_ + k).value = static_cast<unsigned char>(wrong_ >> 8 * k);
    return status;
  }
  for (unsigned k = 0; k < r.bytes; ++k) {
    byte& b = bytes_.at(r.address + k);
    const auto data = static_cast<unsigned char>(r.data[k] & b.bits);
    if (r.command == tlm::TLM_READ_COMMAND)
      r.data[k] = b.value;
    else if (b.access == register_access::w1c)
      b.value = static_cast<unsigned char>(b.value & ~data);
    else if (b.access == register_access::w1s)
      b.value = static_cast<unsigned char>(b.value | data);
    else
      b.value = data;
  }
  return status;
}

unsigned register_model::peek(uint64_t address, unsigned bytes, std::vector<unsigned char>& data) const {
  for (unsigned k = 0; k < bytes; ++k) {
    const auto at = bytes_.find(address + k);
    if (at == bytes_.end()) return k;
    data[k] = at->second.value;
  }
  return bytes;
}

}  // namespace pws::test
