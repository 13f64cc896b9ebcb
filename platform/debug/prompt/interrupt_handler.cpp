// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/interrupt_handler.h"

#include <atomic>

namespace pws::platform::debug {

namespace {

std::atomic<debugger*> to_interrupt{nullptr};
static_assert(std::atomic<debugger*>::is_always_lock_free);

void on_interrupt(int) {
  if (debugger* const d = to_interrupt) d->interrupt();
}

}  // namespace

interrupt_handler::interrupt_handler(debugger& d) {
  to_interrupt = &d;
  struct sigaction ours {};
  ours.sa_handler = on_interrupt;
  ours.sa_flags = SA_RESTART;
  sigaction(SIGINT, &ours, &before_);
}

interrupt_handler::~interrupt_handler() {
  sigaction(SIGINT, &before_, nullptr);
  to_interrupt = nullptr;
}

}  // namespace pws::platform::debug
