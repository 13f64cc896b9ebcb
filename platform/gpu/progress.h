// A line on the terminal for long runs: cycles or instructions so far, workgroups done, time left at the present rate.
#pragma once

#include <chrono>
#include <systemc>

#include "platform/gpu/virtual_platform.h"

namespace pws::platform {

class progress_line {
 public:
  explicit progress_line(virtual_platform& gpu);
  // Wipes the line.
  void clear();

 private:
  void show();
  virtual_platform& gpu_;
  std::chrono::steady_clock::time_point began_, shown_;
  bool visible_ = false;
};

}  // namespace pws::platform
