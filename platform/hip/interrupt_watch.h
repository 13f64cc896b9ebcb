// SIGINT and SIGTERM for a program that does not handle them itself: the launch that runs stops, report and traces are
// written, and the process ends by the signal, as it would have.
#pragma once

#include <semaphore.h>

#include <memory>
#include <mutex>

#include "platform/gpu/interruption.h"
#include "platform/hip/device.h"

namespace pws::platform::hip {

// Lives as long as the process. Handlers may not write: the thread that is in the API does, or one of this class's own
// if none is.
class interrupt_watch {
 public:
  // `one_at_a_time`: held while the machine is used.
  interrupt_watch(device& d, std::recursive_mutex& one_at_a_time);

  // With the lock held: writes everything and ends the process, if a signal has come.
  void end_if_interrupted();
  // The process has another machine now.
  void move_to(device& d);

 private:
  [[noreturn]] void run();
  device* device_;
  std::recursive_mutex& lock_;
  sem_t wake_{};
  std::unique_ptr<interruption> signals_;
};

}  // namespace pws::platform::hip
