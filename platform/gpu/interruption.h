// SIGINT and SIGTERM while a machine runs: it stops as it does on a fault, so that what it did so far gets written;
// one that comes a second or more after the first ends the process at once, also when the object is gone. Signals that
// are ignored, or that somebody else handles, stay so.
#pragma once

#include <semaphore.h>
#include <signal.h>

#include <cstdint>
#include <string>

#include "platform/gpu/virtual_platform.h"

namespace pws::platform {

class interruption {
 public:
  // What comes sooner after the first signal is the same wish once more.
  static constexpr int64_t patience_ns = 1'000'000'000;

  // The machine hears of signals until the object goes. `wake` is posted as well when one comes. One at a time.
  explicit interruption(virtual_platform& gpu, sem_t* wake = nullptr);
  // For work without a machine, which stops by itself when signal() says so, or for machines that are named later.
  explicit interruption(sem_t* wake = nullptr);
  // This machine stops too.
  void stop(virtual_platform& gpu);
  ~interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  int signal() const;  // that came; 0: none

 private:
  struct sigaction interrupt_ {
  }, terminate_{};  // as before
};

std::string signal_name(int signal);  // "SIGINT"

// What a command throws that has been interrupted and has nothing to report.
class interrupted_error : public std::runtime_error {
 public:
  explicit interrupted_error(int signal)
      : std::runtime_error("interrupted by " + signal_name(signal)), signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

}  // namespace pws::platform
