// SPDX-License-Identifier: Apache-2.0
// Memory on the bus: all bytes at one address range, with DMI and without timing. Zeros at first.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/bus/bus_width.h"

namespace pws::models {

class ram : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<ram, bus_width> socket;

  enum class access : uint8_t { read_write, read_only };  // over the bus
  // Transactions have bus addresses, from `begin` on. Throws input_error where the host has no such memory.
  ram(const sc_core::sc_module_name& name, uint64_t begin, uint64_t bytes, access a = access::read_write);
  ~ram() override;
  ram(const ram&) = delete;
  ram& operator=(const ram&) = delete;

  uint64_t begin() const { return begin_; }
  uint64_t size() const { return bytes_; }
  unsigned char* storage() const { return storage_; }  // of the first byte

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& t);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi);

  const uint64_t begin_, bytes_;
  const access access_;
  unsigned char* storage_;
};

}  // namespace pws::models
