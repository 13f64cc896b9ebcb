// SPDX-License-Identifier: Apache-2.0
// A machine that Python has made: a session (platform/run/session) that launches kernels until it is closed.
#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/machine_loader.h"
#include "platform/run/session/session.h"
#include "python/program.h"

namespace pws::python {

// A parameter's value: its bytes, or the number of the array whose address it is.
struct parameter {
  std::string bytes;
  std::optional<size_t> array;
};
struct array {
  pybind11::object memory;  // has the buffer protocol, contiguous
  bool written = false;     // by the kernel, as far as is known
  std::string name;         // for messages
};

class machine {
 public:
  // Throws input_error, and Python's exception where a signal comes while the machine is being built.
  machine(const platform::yaml_source& from, const std::vector<std::string>& overrides, platform::outputs files);
  ~machine();
  machine(const machine&) = delete;
  machine& operator=(const machine&) = delete;

  // Copies the arrays in, runs the kernel, and copies those out that it may have written. `shape` is what a run file
  // has below `launch`, as YAML. The launch's report as JSON. Throws input_error, run_failed.
  std::string launch(const std::shared_ptr<program>& p, const std::string& kernel, const std::string& shape,
                     const std::vector<parameter>& parameters, const std::vector<array>& arrays);
  // What of the configuration and of the launch's shape does nothing with that code.
  std::vector<std::string> warnings(const program& p, const std::string& kernel, const std::string& shape) const;
  // Ends the files and the machine. Once more does nothing. Throws input_error for a file that cannot be written.
  void close();
  // Another machine in its place, as it was at the beginning. Throws input_error where files are written.
  void reset();
  bool is_closed() const { return !session_; }
  bool has_failed() const { return failed_; }

 private:
  struct placed;
  void build();
  void check_usable() const;
  platform::launch_config shape_of(const std::string& shape) const;
  platform::kernel_launch launch_of(const program& p, const std::string& kernel, const std::string& shape) const;
  std::vector<placed> place(const std::vector<array>& arrays);
  std::string finish(const platform::launch_report& r, bool goes_on, const std::vector<placed>& arrays);
  platform::device_runtime& runtime() { return session_->runtime(); }

  const platform::loaded_machine loaded_;
  const platform::outputs files_;
  pid_t owner_ = 0;  // the process
  std::vector<std::shared_ptr<program>> programs_;
  std::unique_ptr<platform::session> session_;
  bool failed_ = false;
  uint64_t launches_ = 0, found_ = 0;
};

}  // namespace pws::python
