// SPDX-License-Identifier: Apache-2.0
// One launch, or several in order, on a machine of its own: what `pwsvp run`, the benchmarks and the tests have in
// common. One per process, because SystemC is.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "platform/config/files/run_config.h"
#include "platform/report/run_report.h"
#include "platform/run/checkpoint/checkpoint_wishes.h"
#include "platform/run/session/instrument.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

struct launch_argument {
  std::string name;  // for messages
  bool is_buffer = false;
  std::vector<uint8_t> bytes;  // a scalar's value; a buffer's contents, before the launch and after it
  bool read_back = true;       // else a buffer is empty after the launch
  // A buffer without `bytes` is given by its size and the four bytes that it repeats: only what the kernel changes
  // takes host memory.
  uint64_t size = 0;
  uint32_t pattern = 0;
  std::vector<bytes_argument::pointer> pointers{};  // to buffers, in a structure
  bool unwritten = false;  // a buffer whose bytes are only what its memory happens to hold (init: none)
};

struct kernel_run {
  models::machine_config machine;
  const loader::program_image* program = nullptr;
  std::vector<run_launch> launches = std::vector<run_launch>(1);  // each begins when the one before it has ended
  std::vector<launch_argument> arguments;
  // What of a launch's expectations holds, once it has come to its end; `contents` gives what the buffer of an argument
  // holds then. May be empty.
  using buffer_contents = std::function<std::vector<uint8_t>(size_t argument)>;
  std::function<std::vector<check_outcome>(const run_launch& launch, const buffer_contents& contents)> check;
  checkpoint_wishes checkpoints;
};

// Builds the machine, launches the kernels and reads the buffers back. The report lacks file, source and checks, which
// the caller knows. Throws input_error for bad input; what goes wrong on the machine is in the report.
run_report execute(kernel_run& run, const session_options& options = {});

}  // namespace pws::platform
