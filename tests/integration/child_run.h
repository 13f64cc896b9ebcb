// SPDX-License-Identifier: Apache-2.0
// A launch in a process of its own, because SystemC is one per process: what the integration tests run everything with.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "platform/run/kernel_run.h"
#include "tests/integration/reference/kernel_case.h"

namespace pws::test {

// The plain numbers of platform::run_report.
struct run_numbers : platform::machine_counters {
  bool completed = false;
  models::cycle_t cycles = 0;
};

struct child_report : run_numbers {
  std::string error;                            // what stopped the machine; "" if completed
  std::string report;                           // as `--report` writes it
  std::vector<std::vector<uint8_t>> arguments;  // a buffer's bytes after the launch, a scalar's as given

  nlohmann::ordered_json json() const;  // the report
};

// The code object of a kernel source or assembly file, compiled once and kept in the build directory.
// `source` is relative to the repository's root.
const loader::program_image& program_of(const std::string& source);

// The launch that a case describes. The program stays loaded for the life of the process.
platform::kernel_run launch_of(const reference::kernel_case& c, const models::machine_config& machine = {});

// Runs it in a child. `outputs.files.of("report")` is written too, as `pwsvp run` does. Throws input_error if the child
// did, and std::runtime_error with the child's output if it threw anything else, died, took longer than `seconds`, or
// printed a warning.
child_report run_in_child(platform::kernel_run run, const platform::session_options& outputs = {},
                          unsigned seconds = 600);

// A file of this test process in the temporary directory; removed with the object.
class temporary_file {
 public:
  explicit temporary_file(const std::string& suffix);
  ~temporary_file();
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  const std::string& path() const { return path_; }
  std::string contents() const;

 private:
  std::string path_;
};

// Where the first difference is and what is there, "" if all buffers hold what the case expects.
std::string memory_difference(const reference::kernel_case& c, const child_report& r);

}  // namespace pws::test
