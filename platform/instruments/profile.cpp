// SPDX-License-Identifier: Apache-2.0
// --profile and --coverage: what source lines took, and which ran.
#include "platform/instruments/observers/profile.h"

#include <optional>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/instruments/observers/profile_recorder.h"
#include "platform/machine/virtual_platform.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class line_counts : public instrument {
 public:
  line_counts(models::gpu& gpu, const session_options& o)
      : gpu_(gpu), files_{o.files.of("profile"), o.files.of("coverage")}, unused_(o.unused) {}
  void attach(device_runtime& runtime) override {
    counted_.emplace(gpu_, runtime);
    counting_.emplace(gpu_, &*counted_);
  }
  bool launch_ended(const kernel_launch&, launch_report&) override {
    counted_->launch_ended();
    return true;
  }
  void note_code() override { counted_->note_objects(); }
  void close() override {
    profile p = counted_->result();
    if (unused_ != nullptr) unused_->add_to(p);
    output_problems problems;
    write_profiles(files_, p, problems);
    if (!problems.text().empty()) throw input_error(problems.text());
  }

 private:
  models::gpu& gpu_;
  const profile_files files_;
  const unused_code* const unused_;
  std::optional<profile_recorder> counted_;
  std::optional<attached_observer> counting_;
};

}  // namespace

std::unique_ptr<instrument> make_profile(virtual_platform& board, const session_options& o) {
  const bool wanted = !o.files.of("profile").empty() || !o.files.of("coverage").empty();
  return wanted ? std::make_unique<line_counts>(board.gpu, o) : nullptr;
}

}  // namespace pws::platform
