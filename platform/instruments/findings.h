// SPDX-License-Identifier: Apache-2.0
// What instruments have found, for reports.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "platform/instruments/check/described_finding.h"
#include "platform/instruments/check/machine_checks.h"
#include "platform/instruments/observers/branch_counter.h"
#include "platform/instruments/observers/reconvergence.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

struct findings {
  size_t counted_loops = 0;               // machine.check.loop_bounds: loops with a mark, summed over launches
  std::vector<kernel_branches> branches;  // machine.trace.branch_uniformity
  std::vector<reconvergence_totals> reconvergence;  // exec.reconvergence
  check_results found;                              // machine.check
};

class check_findings : public instrument {
 public:
  check_findings(models::gpu& gpu, finding_log::listener hears) : gpu_(gpu), hears_(std::move(hears)) {}
  machine_checks& on_machine() { return *found_; }

  void attach(device_runtime& runtime) override { found_.emplace(gpu_, runtime, hears_); }
  void launch_begins(const kernel_launch&, launch_report& r) override { found_->launch_begins(r.number); }
  bool launch_ended(const kernel_launch&, launch_report& r) override {
    return found_->launch_ended(r.completed, r.number);
  }
  void report(findings& f) override { f.found = found_->results(); }

 private:
  models::gpu& gpu_;
  const finding_log::listener hears_;
  std::optional<machine_checks> found_;
};

}  // namespace pws::platform
