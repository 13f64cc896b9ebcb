// SPDX-License-Identifier: Apache-2.0
// Code that a program brought and no machine ever loaded, because nothing in it was asked for: its kernels have run 0
// times.
#pragma once

#include <vector>

#include "platform/observers/profile.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// The functions and lines of a code object of a program.
profiled_object described(const loader::code_object& object, size_t index);

class unused_code {
 public:
  void note(const loader::program_image& program);
  // Puts it behind what was loaded. What has no line tables comes in only where nothing else is: it would make
  // warnings of libraries.
  void add_to(profile& p) const;

 private:
  std::vector<profiled_object> objects_;
};

}  // namespace pws::platform
