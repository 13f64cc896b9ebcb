// SPDX-License-Identifier: Apache-2.0
// SIGINT leads to the prompt of a debugger, or of several.
#pragma once

#include <signal.h>

#include <vector>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

// Stops the debuggers' machines, for as long as this lives. One at a time.
class interrupt_handler {
 public:
  explicit interrupt_handler(std::vector<debugger*> all);
  explicit interrupt_handler(debugger& d) : interrupt_handler(std::vector<debugger*>{&d}) {}
  ~interrupt_handler();
  interrupt_handler(const interrupt_handler&) = delete;
  interrupt_handler& operator=(const interrupt_handler&) = delete;

 private:
  const std::vector<debugger*> all_;
  struct sigaction before_ {};
};

}  // namespace pws::platform::debug
