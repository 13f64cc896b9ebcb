// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/prompt/interrupt_handler.h"

#include <atomic>
#include <utility>

namespace pws::platform::debug {

namespace {

std::atomic<const std::vector<debugger*>*> to_interrupt{nullptr};
static_assert(std::atomic<const std::vector<debugger*>*>::is_always_lock_free);

void on_interrupt(int) {
  if (const std::vector<debugger*>* const all = to_interrupt)
    for (debugger* const d : *all) d->interrupt();
}

}  // namespace

interrupt_handler::interrupt_handler(std::vector<debugger*> all) : all_(std::move(all)) {
  to_interrupt = &all_;
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
