// SPDX-License-Identifier: Apache-2.0
// What watches a session (session.h): a waveform, a check, a count. An instrument is one class in one file
// (platform/instruments); what it needs of the machine is in platform/config.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "platform/config/outputs.h"
#include "platform/machine/device_runtime.h"
#include "platform/report/launch_report.h"
#include "sw/reconvergence/trace.h"

namespace pws::platform {

class unused_code;
struct described_finding;  // platform/instruments/check/described_finding.h
struct findings;           // platform/instruments/findings.h

// All functions may throw input_error.
class instrument {
 public:
  instrument() = default;
  virtual ~instrument() = default;
  instrument(const instrument&) = delete;
  instrument& operator=(const instrument&) = delete;

  // The machine is elaborated; nothing is in its memory but what the runtime itself needs.
  virtual void attach(device_runtime&) {}
  // Before the machine is given a launch, whose arguments are in device memory.
  virtual void launch_begins(const kernel_launch&, launch_report&) {}
  // When it is complete, or the machine has stopped. May say that it has failed. False: no further launch is wanted.
  virtual bool launch_ended(const kernel_launch&, launch_report&) { return true; }
  // Traced launches begin to run, and none runs any more. What runs beside them is seen too.
  virtual void tracing_begins() {}
  virtual void tracing_ends() {}
  // Code is about to be unloaded.
  virtual void note_code() {}
  // What it has found, for the report.
  virtual void report(findings&) {}
  // Ends its files.
  virtual void close() {}
};

// What a session is asked for.
struct session_options {
  outputs files;
  std::string command;                             // that started it, for whoever wants to run it again
  bool chosen_launches = false;                    // only those that are `traced` are in waveform and timeline
  bool terminal = false;                           // standard error is one
  unsigned progress_every = 0;                     // seconds between two lines on standard error that is none; 0: none
  bool callable_host = false;                      // device code may call functions of this process
  const unused_code* unused = nullptr;             // code that was never loaded
  models::execution_observer* observer = nullptr;  // hears of the launches too
  reconvergence::study_options reconvergence{0};   // no work-items: it is not asked for
  std::function<bool()> is_repeating;              // what device code prints has been printed before. May be empty
  std::function<void(const described_finding&)> found;  // as finding_log::listener (platform/instruments/check)
  // Makes one more, which is attached last. May be empty.
  std::function<std::unique_ptr<instrument>(virtual_platform& board)> one_more;
};

// Makes an instrument before the machine is elaborated; nullptr: it is not asked for.
using instrument_maker = std::unique_ptr<instrument> (*)(virtual_platform& board, const session_options& options);

}  // namespace pws::platform
