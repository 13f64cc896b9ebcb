// SPDX-License-Identifier: Apache-2.0
// A hart with memory, interrupt controllers and a serial port, on which programs of tests/soc/programs run, with a
// protocol checker on every connection: whatever breaks the base protocol fails the test.
#pragma once

#include <optional>
#include <string>

namespace pws::test {

struct program_options {
  unsigned quantum_ns = 1000;
  uint32_t cycles_per_instruction = 3;
  std::string input;  // of the serial port, a byte each 10 us
  uint64_t most_instructions = 1'000'000;
};

struct rv64_result {
  std::optional<uint32_t> code;  // that the program has ended with: 0, or the check that failed
  std::string sent;              // over the serial port
  std::string failure;           // of the hart
  bool waits = false;            // it is in wfi
  uint64_t ns = 0;               // when the simulation ended
  uint64_t retired = 0;          // instructions
  std::string text;              // of all of it
};

// Runs programs/NAME.S in a simulation of its own.
rv64_result run_rv64_program(const std::string& name, const program_options& options = {});

}  // namespace pws::test
