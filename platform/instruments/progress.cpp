// SPDX-License-Identifier: Apache-2.0
// How far a long run is, on standard error.
#include "platform/machine/progress.h"

#include <chrono>
#include <optional>

#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class progress : public instrument {
 public:
  progress(models::gpu& gpu, const session_options& o) : gpu_(gpu), terminal_(o.terminal), every_(o.progress_every) {}
  // A log has a line now and then, however short the launches are.
  void launch_begins(const kernel_launch&, launch_report&) override {
    if (terminal_)
      line_.emplace(gpu_);
    else if (!line_)
      line_.emplace(gpu_, every_);
  }
  bool launch_ended(const kernel_launch&, launch_report&) override {
    line_->clear();
    return true;
  }

 private:
  models::gpu& gpu_;
  const bool terminal_;
  const std::chrono::seconds every_;
  std::optional<progress_line> line_;
};

}  // namespace

std::unique_ptr<instrument> make_progress(virtual_platform& board, const session_options& o) {
  return o.terminal || o.progress_every != 0 ? std::make_unique<progress>(board.gpu, o) : nullptr;
}

}  // namespace pws::platform
