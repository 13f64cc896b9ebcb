// SPDX-License-Identifier: Apache-2.0
// Byte transfers over a TLM initiator socket, for models that read and write memory as software would.
#pragma once

#include <fmt/format.h>

#include <string>
#include <systemc>
#include <tlm>

namespace pws::models {

// A blocking transfer: what became of it, and the time that it took.
struct transfer_result {
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  sc_core::sc_time delay;
  bool is_ok() const { return status == tlm::TLM_OK_RESPONSE; }
  // "TLM_ADDRESS_ERROR_RESPONSE"
  std::string text() const {
    tlm::tlm_generic_payload t;
    t.set_response_status(status);
    return t.get_response_string();
  }
};

// Makes a payload a transfer of contiguous bytes.
inline void set_up(tlm::tlm_generic_payload& t, tlm::tlm_command command, uint64_t address, void* data, size_t size) {
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(static_cast<unsigned char*>(data));
  t.set_data_length(static_cast<unsigned>(size));
  t.set_streaming_width(static_cast<unsigned>(size));
  t.set_byte_enable_ptr(nullptr);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

// Makes a blocking transfer. `t`: of an initiator that makes many, one at a time.
template <class Socket>
transfer_result try_transfer(Socket& socket, tlm::tlm_generic_payload& t, tlm::tlm_command command, uint64_t address,
                             void* data, size_t size) {
  set_up(t, command, address, data, size);
  transfer_result r;
  socket->b_transport(t, r.delay);
  r.status = t.get_response_status();
  return r;
}

// The same with a payload of its own.
template <class Socket>
transfer_result try_transfer(Socket& socket, tlm::tlm_command command, uint64_t address, void* data, size_t size) {
  tlm::tlm_generic_payload t;
  return try_transfer(socket, t, command, address, data, size);
}

// Moves bytes without time and side effects. False: not all of it is there.
template <class Socket>
bool debug_transfer(Socket& socket, tlm::tlm_command command, uint64_t address, void* data, size_t size) {
  tlm::tlm_generic_payload t;
  set_up(t, command, address, data, size);
  return socket->transport_dbg(t) == size;
}

// Blocking transfer; returns the time it took. An error response is the caller's mistake in addressing: reported as
// fatal.
template <class Socket>
sc_core::sc_time bus_transfer(Socket& socket, tlm::tlm_command command, uint64_t address, void* data, size_t size) {
  const transfer_result r = try_transfer(socket, command, address, data, size);
  if (!r.is_ok())
    SC_REPORT_FATAL("bus", fmt::format("{} of {} bytes at {:#x}: {}",
                                       command == tlm::TLM_READ_COMMAND ? "read" : "write", size, address, r.text())
                               .c_str());
  return r.delay;
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
