// SPDX-License-Identifier: Apache-2.0
// What a process prints while its standard output is a protocol's stream: kept, to be told in the protocol.
#pragma once

#include <cstdint>
#include <string>

namespace pws::platform::debug::dap {

// A file descriptor's output goes to memory for as long as this lives.
class captured_output {
 public:
  // Throws input_error if the system refuses.
  explicit captured_output(int descriptor);
  // Another process has begun with it, and lent it to this one: `before` is where it went there.
  captured_output(int descriptor, int before);
  ~captured_output();
  captured_output(const captured_output&) = delete;
  captured_output& operator=(const captured_output&) = delete;

  // Where it went before.
  int before() const { return before_; }
  // What has been printed since the latest call. One thread at a time.
  std::string take();
  // How much of it has been, in bytes. A copy of the process captures into the same memory, and goes on there.
  int64_t taken() const { return taken_; }
  void set_taken(int64_t bytes) { taken_ = bytes; }

 private:
  const int descriptor_;
  int before_ = -1, memory_ = -1;
  int64_t taken_ = 0;
};

}  // namespace pws::platform::debug::dap
