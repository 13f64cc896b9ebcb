// SPDX-License-Identifier: Apache-2.0
// A device whose registers are accessed over a TLM target socket.
//
// Accesses have 1, 2, 4 or 8 bytes at a multiple of that, all bytes enabled; others get TLM's error response for what
// is wrong with them, and the device never sees them. Values are little-endian. A register is accessed as a whole or
// not at all: the device says which sizes it takes where.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/bus/bus_width.h"

namespace pws::models {

class device : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<device, bus_width> socket;

 protected:
  explicit device(const sc_core::sc_module_name& name);

  // TLM_OK_RESPONSE; TLM_ADDRESS_ERROR_RESPONSE where there is no register; TLM_BURST_ERROR_RESPONSE where the register
  // has another size; TLM_COMMAND_ERROR_RESPONSE where it may not be read, or written. `offset`: in the device's
  // window.
  virtual tlm::tlm_response_status read(uint64_t offset, unsigned bytes, uint64_t& value) = 0;
  virtual tlm::tlm_response_status write(uint64_t offset, unsigned bytes, uint64_t value) = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
};

// A part of a 64-bit register: 4 bytes of either half, or all of it. `low` is 0 or 4.
uint64_t part_of(uint64_t value, uint64_t low, unsigned bytes);
uint64_t with_part(uint64_t value, uint64_t low, unsigned bytes, uint64_t part);

}  // namespace pws::models
