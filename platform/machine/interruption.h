// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM while a machine runs: it stops as it does on a fault, so that what it did so far gets written;
// one that comes a second or more after the first ends the process at once, also when the object is gone. Signals that
// are ignored, or that somebody else handles, stay so.
#pragma once

#include <semaphore.h>
#include <signal.h>

#include <cstdint>
#include <string>

#include "models/gpu/gpu.h"

namespace pws::platform {

class interruption {
 public:
  // What comes sooner after the first signal is the same wish once more.
  static constexpr int64_t patience_ns = 1'000'000'000;

  // For machines that are named later, and for work without one, which stops by itself when signal() says so. `wake` is
  // posted as well when one comes. One at a time.
  explicit interruption(sem_t* wake = nullptr);
  // For a program that goes on: when the object goes, signals are handled as before, whatever has come. Objects that
  // are made meanwhile hear of what it has caught. `over_others`: SIGINT too where somebody else handles it.
  struct for_now {
    bool over_others;
  };
  explicit interruption(for_now how);
  // For machines that are built from now on: throws interrupted_error when a signal has come.
  static models::building_listener while_building(uint32_t cus);
  // This machine hears of signals until the object goes.
  void stop(models::gpu& gpu);
  ~interruption();
  interruption(const interruption&) = delete;
  interruption& operator=(const interruption&) = delete;

  // A copy of the process goes on in its place: signals are for the copy from now on, and none has come yet.
  static void move_here();

  static int signal();  // that the latest of these objects has caught; 0: none

 private:
  const bool for_now_ = false;
  struct sigaction interrupt_ {
  }, terminate_{};  // as before
};

std::string signal_name(int signal);  // "SIGINT"

// What a command throws that has been interrupted and has nothing to report, or not yet. `meanwhile`: what it was at.
class interrupted_error : public std::runtime_error {
 public:
  explicit interrupted_error(int signal, const std::string& meanwhile = "")
      : std::runtime_error("interrupted by " + signal_name(signal) + (meanwhile.empty() ? "" : " " + meanwhile)),
        signal_(signal),
        meanwhile_(meanwhile) {}
  int signal() const { return signal_; }
  const std::string& meanwhile() const { return meanwhile_; }

 private:
  int signal_;
  std::string meanwhile_;
};

}  // namespace pws::platform
