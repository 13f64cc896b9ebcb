// SPDX-License-Identifier: Apache-2.0
#include "models/soc/finisher.h"

#include <algorithm>

namespace pws::models {

tlm::tlm_response_status finisher::read(uint64_t offset, unsigned bytes, uint64_t& value) {
  if (offset >= 4) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes != 4) return tlm::TLM_BURST_ERROR_RESPONSE;
  value = 0;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status finisher::write(uint64_t offset, unsigned bytes, uint64_t value) {
  if (offset >= 4) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes != 4) return tlm::TLM_BURST_ERROR_RESPONSE;
  const auto status = static_cast<uint32_t>(value & 0xffff), given = static_cast<uint32_t>(value >> 16);
  if (code_ || (status != pass && status != fail)) return tlm::TLM_OK_RESPONSE;
  code_ = status == pass ? 0 : std::max(given, 1U);
  sc_core::sc_pause();
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace pws::models
