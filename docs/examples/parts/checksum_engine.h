// SPDX-License-Identifier: Apache-2.0
// A co-processor of the board: adds up the 32-bit words of a buffer in memory, 64 bytes at a time. Three registers of
// 64 bits:
//
//   0x00  address  where the buffer begins
//   0x08  bytes    of the buffer, a multiple of 4; writing it starts the engine
//   0x10  sum      modulo 2^32; reading it lowers the interrupt line
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstring>
#include <systemc>
#include <tlm>

#include "processor.h"

namespace parts {

class checksum_engine : public sc_core::sc_module {
 public:
  enum offset : uint64_t { address = 0x00, bytes = 0x08, sum = 0x10, size = 0x18 };
  tlm_utils::simple_target_socket<checksum_engine, 64> registers{"registers"};
  tlm_utils::simple_initiator_socket<checksum_engine, 64> memory{"memory"};
  sc_core::sc_out<bool> interrupt{"interrupt"};

  SC_HAS_PROCESS(checksum_engine);
  explicit checksum_engine(const sc_core::sc_module_name& name) : sc_module(name) {
    registers.register_b_transport(this, &checksum_engine::access);
    SC_THREAD(work);
    SC_METHOD(drive_line);
    sensitive << line_changes_;
  }

 private:
  void access(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
    if (t.get_address() % 8 != 0 || t.get_address() >= size)
      return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (t.get_data_length() != 8) return t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    uint64_t& value = held_[t.get_address() / 8];
    if (t.is_read()) std::memcpy(t.get_data_ptr(), &value, sizeof value);
    if (t.is_write()) std::memcpy(&value, t.get_data_ptr(), sizeof value);
    if (t.is_write() && t.get_address() == bytes) start_.notify(sc_core::SC_ZERO_TIME);
    if (t.is_read() && t.get_address() == sum) done_ = false;
    line_changes_.notify(sc_core::SC_ZERO_TIME);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void work() {
    for (;;) {
      wait(start_);
      uint32_t total = 0;
      for (uint64_t at = 0; at < held_[1]; at += 64) {
        uint32_t words[16] = {};
        tlm::tlm_generic_payload t;
        t.set_read();
        t.set_address(held_[0] + at);
        t.set_data_ptr(reinterpret_cast<unsigned char*>(words));
        t.set_data_length(static_cast<unsigned>(std::min<uint64_t>(64, held_[1] - at)));
        t.set_streaming_width(t.get_data_length());
        sc_core::sc_time delay;
        memory->b_transport(t, delay);
        wait(delay);
        if (t.is_response_error()) SC_REPORT_ERROR(name(), "there is no memory at the address");
        for (const uint32_t w : words) total += w;
      }
      held_[2] = total;
      done_ = true;
      line_changes_.notify(sc_core::SC_ZERO_TIME);
    }
  }
  void drive_line() { interrupt.write(done_); }

  uint64_t held_[3] = {};
  bool done_ = false;
  sc_core::sc_event start_, line_changes_;
};

// What a processor's program does to have a buffer added up: `registers` is where the engine is on the bus.
inline uint32_t checksum(processor& cpu, uint64_t registers, const sc_core::sc_signal<bool>& interrupt,
                         uint64_t address, uint64_t bytes) {
  cpu.write_register(registers + checksum_engine::address, address);
  cpu.write_register(registers + checksum_engine::bytes, bytes);
  cpu.wait_for(interrupt);
  return static_cast<uint32_t>(cpu.read_register(registers + checksum_engine::sum));
}

}  // namespace parts
