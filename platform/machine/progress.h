// SPDX-License-Identifier: Apache-2.0
// For long runs, on standard error: workgroups done, cycles and instructions so far, and once a workgroup is done the
// time left at the present rate. On a terminal one line that changes; elsewhere a new line now and then, for whoever
// reads a log.
#pragma once

#include <chrono>
#include <systemc>

#include "models/gpu/gpu.h"

namespace pws::platform {

// On standard error.
class progress_line {
 public:
  explicit progress_line(models::gpu& gpu);  // on a terminal
  progress_line(models::gpu& gpu, std::chrono::seconds every);
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  // Wipes the line.
  void clear();

 private:
  progress_line(models::gpu& gpu, bool terminal, std::chrono::milliseconds first, std::chrono::milliseconds every);
  void show();
  models::gpu& gpu_;
  const bool terminal_;
  const std::chrono::milliseconds first_, every_;
  std::chrono::steady_clock::time_point began_, shown_;
  bool visible_ = false;
};

}  // namespace pws::platform
