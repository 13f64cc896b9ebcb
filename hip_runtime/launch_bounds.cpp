// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/launch_bounds.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platform/wcet/wcet_report.h"

namespace pws::hip {

namespace {

launch_bound_record& record_of(launch_report& r) {
  std::optional<launch_bound_record>& bound = static_cast<launch_record&>(r).bound;
  return bound ? *bound : bound.emplace();
}

// A launch without a bound runs all the same.
template <class F>
void noting_errors(launch_bound_record& record, F f) {
  try {
    f();
  } catch (const input_error& e) {
    record.error = e.what();
  } catch (const program_error& e) {
    record.error = e.what();
  } catch (const std::logic_error& e) {
    record.error = std::string("internal error: ") + e.what();
  }
}

}  // namespace

void launch_bounds::bound(const kernel_launch& l, const launch_report& r) {
  if (!static_cast<const launch_record&>(r).compute_units.empty())
    throw input_error("its stream may use some of the compute units alone; bounds are for all of them");
  analysis_ = std::make_unique<launch_analysis>(session_.gpu.config, session_.runtime().layout(), l, config_);
  log_.note_misplaced(analysis_->misplaced_bounds());
  if (!measures()) bounded_ = analysis_->take_result();
}

void launch_bounds::launch_begins(const kernel_launch& l, launch_report& r) {
  launch_bound_record& record = record_of(r);
  analysis_.reset();
  bounded_.reset();
  loops_ = nullptr;
  noting_errors(record, [&] { loops_ = marked_.of(l); });
  noting_errors(record, [&] { bound(l, r); });
  if (measures() && analysis_ && r.fidelity != models::fidelity::timing)
    record.error = "functional fidelity has no block times";
  if (analysis_)
    analysis_->launch_begins(session_.gpu);
  else
    counting_.emplace(session_.gpu, loops_);
}

bool launch_bounds::launch_ended(const kernel_launch&, launch_report& r) {
  launch_bound_record& record = record_of(r);
  counting_.reset();
  if (analysis_) {
    analysis_->launch_ended(r.completed, r.error, r.cycles);
    record.broken = analysis_->broken();
    if (measures() && r.fidelity == models::fidelity::timing)
      noting_errors(record, [&] { bounded_ = analysis_->take_result(); });
  } else if (loops_ != nullptr) {
    record.broken = loops_->broken();
  }
  if (!bounded_) return true;
  const scheme_bound* mine = bounded_->configured();
  if (mine == nullptr) {
    record.error = fmt::format("machine.divergence {} has no bound with static block times",
                               models::traits_of(session_.gpu.config.divergence).name);
    return true;
  }
  for (size_t k = 0; k < record.schemes.size(); ++k) {
    const scheme_bound& s = bounded_->schemes[k];
    record.schemes[k] = {
        s.wavefront.cycles,   s.d, s.g_parallel, s.d_s, s.e_kernel, parts_of(*bounded_, s.wavefront).memory,
        s.wavefront.splitting};
  }
  if (const measured_basis* m = bounded_->measured()) record.measured = *m;
  if (r.completed && r.cycles > mine->e_kernel) {
    r.completed = false;
    r.error = fmt::format("{} took {} cycles, longer than its bound {}", bounded_->kernel, r.cycles, mine->e_kernel);
    record.broken = r.error;
  }
  return true;
}

}  // namespace pws::hip
