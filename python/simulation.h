// SPDX-License-Identifier: Apache-2.0
// What every call from Python that simulates goes through. A process has one SystemC kernel, so one call at a time
// simulates; calls of other threads wait for it. Python's other threads run meanwhile, and SIGINT stops the machine.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "platform/machine/interruption.h"

namespace pws::python {

namespace py = pybind11;

// What a program or its check failed by: the command line's exit code 1. `report` is a report as JSON, or empty.
class run_failed : public std::runtime_error {
 public:
  explicit run_failed(const std::string& what, std::string report = "")
      : std::runtime_error(what), report_(std::move(report)) {}
  const std::string& report() const { return report_; }

 private:
  std::string report_;
};

// This call's turn to use SystemC, until the object goes. Needs the GIL, which it gives up while it waits.
class turn {
 public:
  // What a wait does with a signal that comes meanwhile: it ends with the exception of Python's handler, or goes on.
  enum class signals : uint8_t { end_it, wait };
  // Throws input_error in a process that was forked while another thread simulated.
  explicit turn(signals s = signals::end_it);
  ~turn();
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
};

// For a further machine; needs the turn. Python code may not run between this and the making of the machine.
void next_simulation();

// While a machine runs: signals stop it. In the main thread SIGINT is kept from Python until pass_on().
class stopping_signals {
 public:
  stopping_signals();
  void stop(models::gpu& gpu) { heard_->stop(gpu); }  // that one
  // With the GIL, after the run: what has come does what it would have done before. Throws Python's exception
  // (KeyboardInterrupt); a handler that raises nothing lets the caller go on with what there is.
  void pass_on();

 private:
  std::optional<platform::interruption> heard_;
};

// Calls f(stopping_signals&) without the GIL; the machine that it names is stopped by SIGINT and SIGTERM, and a run
// looks for them itself. Needs the turn.
template <class F>
void simulate(F f) {
  stopping_signals signals;
  try {
    const pybind11::gil_scoped_release others_run;
    f(signals);
  } catch (const platform::interrupted_error& e) {
    signals.pass_on();
    throw run_failed(e.what());
  } catch (...) {
    signals.pass_on();
    throw;
  }
  signals.pass_on();
}

}  // namespace pws::python
