// SPDX-License-Identifier: Apache-2.0
// The board's processor: runs a C++ function as its program, which reads and writes over the bus. Its end ends the
// simulation.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <iostream>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>

namespace parts {

class processor : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<processor, 64> bus{"bus"};
  std::function<void()> program;  // what it throws ends it too
  std::string error;              // what that said

  SC_HAS_PROCESS(processor);
  explicit processor(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

  void read(uint64_t address, void* data, size_t bytes) { transfer(tlm::TLM_READ_COMMAND, address, data, bytes); }
  void write(uint64_t address, const void* data, size_t bytes) {
    transfer(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
  }
  uint64_t read_register(uint64_t address) {
    uint64_t value = 0;
    read(address, &value, sizeof value);
    return value;
  }
  void write_register(uint64_t address, uint64_t value) { write(address, &value, sizeof value); }
  // Until the line is high.
  void wait_for(const sc_core::sc_signal<bool>& line) {
    while (!line.read()) wait(line.value_changed_event());
  }

 private:
  void transfer(tlm::tlm_command command, uint64_t address, void* data, size_t bytes) {
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(static_cast<unsigned char*>(data));
    t.set_data_length(static_cast<unsigned>(bytes));
    t.set_streaming_width(static_cast<unsigned>(bytes));
    sc_core::sc_time delay;
    bus->b_transport(t, delay);
    wait(delay);
    if (t.is_response_error())
      throw std::runtime_error("access to address " + std::to_string(address) + ": " + t.get_response_string());
  }
  void run() {
    try {
      program();
    } catch (const std::exception& e) {
      error = e.what();
    }
    sc_core::sc_stop();
  }
};

// Simulates until the program has ended. The exit code of sc_main: 1 if it threw, which is said on standard error.
inline int simulate(processor& cpu, std::function<void()> program) {
  cpu.program = std::move(program);
  sc_core::sc_start();
  if (!cpu.error.empty()) std::cerr << cpu.error << '\n';
  return cpu.error.empty() ? 0 : 1;
}

}  // namespace parts
