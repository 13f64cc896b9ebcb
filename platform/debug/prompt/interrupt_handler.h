// SPDX-License-Identifier: Apache-2.0
// SIGINT leads to a debugger's prompt.
#pragma once

#include <signal.h>

#include "platform/debug/debugger.h"

namespace pws::platform::debug {

// Stops the debugger's machine, for as long as this lives. One at a time.
class interrupt_handler {
 public:
  explicit interrupt_handler(debugger& d);
  ~interrupt_handler();
  interrupt_handler(const interrupt_handler&) = delete;
  interrupt_handler& operator=(const interrupt_handler&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace pws::platform::debug
