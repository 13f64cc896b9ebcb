// SPDX-License-Identifier: Apache-2.0
#include "models/registers/register_transport.h"

namespace pws::models {

access_outcome form_of(const tlm::tlm_generic_payload& t) {
  if (!t.is_read() && !t.is_write()) return access_outcome::command_error;
  if (t.get_byte_enable_ptr() != nullptr) return access_outcome::byte_enable_error;
  if (t.get_streaming_width() < t.get_data_length() || t.get_data_ptr() == nullptr) return access_outcome::burst_error;
  return access_outcome::done;
}

namespace {

access_outcome access(register_bank& bank, tlm::tlm_generic_payload& t) {
  if (const access_outcome form = form_of(t); form != access_outcome::done) return bank.refuse(form);
  const unsigned bytes = t.get_data_length();
  return t.is_read() ? bank.read(t.get_address(), t.get_data_ptr(), bytes)
                     : bank.write(t.get_address(), t.get_data_ptr(), bytes);
}

}  // namespace

tlm::tlm_response_status response_of(access_outcome o) {
  switch (o) {
    case access_outcome::done:
      return tlm::TLM_OK_RESPONSE;
    case access_outcome::byte_enable_error:
      return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    case access_outcome::burst_error:
      return tlm::TLM_BURST_ERROR_RESPONSE;
    case access_outcome::address_error:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case access_outcome::command_error:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    case access_outcome::refused:
      break;
  }
  return tlm::TLM_GENERIC_ERROR_RESPONSE;
}

void access_registers(register_bank& bank, tlm::tlm_generic_payload& t) {
  t.set_dmi_allowed(false);
  t.set_response_status(response_of(access(bank, t)));
}

unsigned peek_registers(const register_bank& bank, tlm::tlm_generic_payload& t) {
  if (!t.is_read() || t.get_data_ptr() == nullptr) return 0;
  return static_cast<unsigned>(bank.peek(t.get_address(), t.get_data_ptr(), t.get_data_length()));
}

}  // namespace pws::models
