// SPDX-License-Identifier: Apache-2.0
// Byte transfers over a TLM initiator socket, for models that read and write memory as software would.
#pragma once

#include <fmt/format.h>

#include <systemc>
#include <tlm>

namespace pws::models {

// Blocking transfer; returns the time it took. An error response is the caller's mistake in addressing: reported as
// fatal.
template <class Socket>
sc_core::sc_time bus_transfer(Socket& socket, tlm::tlm_command command, uint64_t address, void* data, size_t size) {
  tlm::tlm_generic_payload t;
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(static_cast<unsigned char*>(data));
  t.set_data_length(static_cast<unsigned>(size));
  t.set_streaming_width(static_cast<unsigned>(size));
  t.set_byte_enable_ptr(nullptr);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->b_transport(t, delay);
  if (t.is_response_error())
    SC_REPORT_FATAL(
        "bus", fmt::format("{} of {} bytes at {:#x}: {}", command == tlm::TLM_READ_COMMAND ? "read" : "write", size,
                           address, t.get_response_string())
                   .c_str());
  return delay;
}

// A value of T's size at a bus address.
template <class T, class Socket>
T bus_read(Socket& socket, uint64_t address) {
  T value;
  bus_transfer(socket, tlm::TLM_READ_COMMAND, address, &value, sizeof value);
  return value;
}

// Writes a value of T's size to a bus address.
template <class T, class Socket>
void bus_write(Socket& socket, uint64_t address, T value) {
  bus_transfer(socket, tlm::TLM_WRITE_COMMAND, address, &value, sizeof value);
}

}  // namespace pws::models
