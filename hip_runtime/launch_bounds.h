// SPDX-License-Identifier: Apache-2.0
// The bound of each launch's worst case (exec --wcet): the static one before the launch runs, one of measured block
// times after it. Loops are counted even where a launch has none.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "hip_runtime/failure.h"
#include "platform/run/launches/launch_log.h"
#include "platform/run/session/session.h"
#include "platform/wcet/launch_analysis.h"
#include "platform/wcet/loop_checks.h"

namespace pws::hip {

// Its launches' reports are launch_records.
class launch_bounds : public instrument {
 public:
  launch_bounds(session& s, const wcet_config& config, launch_log& log)
      : session_(s), config_(config), log_(log), marked_(s.gpu, s.runtime()) {}
  void launch_begins(const kernel_launch& l, launch_report& r) override;
  bool launch_ended(const kernel_launch& l, launch_report& r) override;

 private:
  bool measures() const { return config_.block_times == block_time_source::measured; }
  void bound(const kernel_launch& l, const launch_report& r);

  session& session_;
  const wcet_config& config_;
  launch_log& log_;
  loop_checks marked_;
  // What the launch that runs has:
  std::unique_ptr<launch_analysis> analysis_;
  std::unique_ptr<wcet_result> bounded_;
  loop_bound_checker* loops_ = nullptr;        // without an analysis
  std::optional<attached_observer> counting_;  // without an analysis, while loops_ counts
};

}  // namespace pws::hip
