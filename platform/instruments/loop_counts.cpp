// SPDX-License-Identifier: Apache-2.0
// machine.check.loop_bounds: marked loops that run more often than they may.
#include <optional>

#include "platform/instruments/findings.h"
#include "platform/machine/virtual_platform.h"
#include "platform/run/session/instrument.h"
#include "platform/wcet/loop_checks.h"

namespace pws::platform {

namespace {

class loop_counts : public instrument {
 public:
  explicit loop_counts(models::gpu& gpu) : gpu_(gpu) {}
  void attach(device_runtime& runtime) override { known_.emplace(gpu_, runtime); }
  void launch_begins(const kernel_launch& l, launch_report&) override {
    loop_bound_checker* const loops = known_->of(l);
    counting_.emplace(gpu_, loops);
    if (loops != nullptr) counted_ += loops->loops().size();
  }
  bool launch_ended(const kernel_launch&, launch_report&) override {
    counting_.reset();
    return true;
  }
  void report(findings& f) override { f.counted_loops = counted_; }

 private:
  models::gpu& gpu_;
  std::optional<loop_checks> known_;
  std::optional<attached_observer> counting_;
  size_t counted_ = 0;
};

}  // namespace

std::unique_ptr<instrument> make_loop_counts(virtual_platform& board, const session_options&) {
  return board.gpu.config.check.loop_bounds ? std::make_unique<loop_counts>(board.gpu) : nullptr;
}

}  // namespace pws::platform
