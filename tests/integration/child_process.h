// SPDX-License-Identifier: Apache-2.0
// A function in a forked child: its result bytes and what it printed come back to the parent.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pws::test {

struct child_result {
  int status = 0;                // as waitpid gives it
  std::vector<uint8_t> message;  // what the child sent
  std::string log;               // what it printed to stdout and stderr
};

// Writes to the parent.
using message_sink = std::function<void(const void* data, size_t bytes)>;

// Runs `body` in a child, which ends with its return value as exit status, or is killed after `seconds`
// of processor time. Throws
// std::runtime_error if no child can be made.
child_result in_child(const std::function<int(const message_sink&)>& body, unsigned seconds);

// The same for a program: exit status or 128 + signal, stdout and stderr.
struct program_result {
  int exit_code = 0;
  std::string out, err;
};
program_result run_program(const std::vector<std::string>& command, unsigned seconds = 600);

// "exit status 3", "killed by signal 11 (Segmentation fault)".
std::string describe_status(int status);

}  // namespace pws::test
