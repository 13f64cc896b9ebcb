// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM for a program that does not handle them itself: the launch that runs stops, report and traces are
// written, and the process ends by the signal, as it would have.
#pragma once

#include <semaphore.h>

#include <memory>
#include <string>

#include "hip_runtime/failure.h"
#include "platform/machine/interruption.h"

namespace pws::hip {

class context;

// Lives as long as the process. Handlers may not write: the thread that is in the API does, or one of this class's own
// if none is.
class interrupt_watch {
 public:
  // Machines are used with the context's lock.
  explicit interrupt_watch(context& c);

  // With the lock held: writes everything and ends the process, if a signal has come. `meanwhile`: what it was at.
  void end_if_interrupted(const std::string& meanwhile = "");
  // The process has this machine too now.
  void watch(models::gpu& gpu) { signals_->stop(gpu); }

 private:
  [[noreturn]] void run();
  context& context_;
  sem_t wake_{};
  std::unique_ptr<interruption> signals_;
};

}  // namespace pws::hip
