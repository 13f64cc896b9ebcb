// SPDX-License-Identifier: Apache-2.0
// machine.trace.branch_uniformity: how often branches are uniform.
#include "platform/instruments/findings.h"
#include "platform/machine/virtual_platform.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class branch_counts_of_run : public instrument {
 public:
  explicit branch_counts_of_run(models::gpu& gpu) : counting_(gpu, &branches_) {}
  void launch_begins(const kernel_launch& l, launch_report&) override { branches_.launching(l.kernel); }
  void report(findings& f) override { f.branches = branches_.results(); }

 private:
  branch_counter branches_;
  const attached_observer counting_;
};

}  // namespace

std::unique_ptr<instrument> make_branch_counts(virtual_platform& board, const session_options&) {
  return board.gpu.config.trace.branch_uniformity ? std::make_unique<branch_counts_of_run>(board.gpu) : nullptr;
}

}  // namespace pws::platform
