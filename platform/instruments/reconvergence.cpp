// SPDX-License-Identifier: Apache-2.0
// exec.reconvergence: what launches lose by meeting at immediate post-dominators (docs/reconvergence.md).
#include "platform/instruments/observers/reconvergence.h"

#include <algorithm>

#include "platform/instruments/findings.h"
#include "platform/machine/interruption.h"
#include "platform/machine/virtual_platform.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class reconvergence_of_launches : public instrument {
 public:
  reconvergence_of_launches(models::gpu& gpu, const reconvergence::study_options& options)
      : traces_(options), recording_(gpu, &traces_) {}

  void launch_begins(const kernel_launch& l, launch_report&) override { traces_.launching(l.grid, l.workgroup); }
  bool launch_ended(const kernel_launch&, launch_report& r) override {
    if (!r.completed) return true;
    const auto same = [&r](const reconvergence_totals& k) { return k.kernel == r.kernel; };
    auto at = std::find_if(kernels_.begin(), kernels_.end(), same);
    if (at == kernels_.end()) {
      kernels_.emplace_back();
      at = kernels_.end() - 1;
      at->kernel = r.kernel;
    }
    *at += study_of(traces_, [] { return interruption::signal() != 0; });
    return true;
  }
  void report(findings& f) override { f.reconvergence = kernels_; }

 private:
  trace_recorder traces_;
  const attached_observer recording_;
  std::vector<reconvergence_totals> kernels_;  // in the order of their first launches
};

}  // namespace

std::unique_ptr<instrument> make_reconvergence(virtual_platform& board, const session_options& options) {
  return options.reconvergence.work_items == 0
             ? nullptr
             : std::make_unique<reconvergence_of_launches>(board.gpu, options.reconvergence);
}

}  // namespace pws::platform
