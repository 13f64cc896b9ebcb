// SPDX-License-Identifier: Apache-2.0
#include "models/soc/task_marks.h"

namespace pws::models {

tlm::tlm_response_status task_marks::write(uint64_t offset, unsigned bytes, uint64_t value) {
  constexpr uint64_t name = 0x00, deadline = 0x08, end = 0x18;  // the bound is between these
  if (offset >= end) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (bytes != sizeof value) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (offset == name) {
    if (value != 0)
      ++open_;
    else if (open_ != 0)
      --open_;
    if (on_mark) on_mark(value);
    return tlm::TLM_OK_RESPONSE;
  }
  if (open_ == 0) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  const auto& listener = offset == deadline ? on_deadline : on_bound;
  if (listener) listener(value);
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace pws::models
