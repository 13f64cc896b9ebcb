// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/wcet_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "platform/config/machine_loader.h"
#include "platform/machine/interruption.h"
#include "platform/run/program/scheme_use.h"
#include "platform/run/session/session.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

using analyses = std::vector<std::unique_ptr<launch_analysis>>;

// Holds each launch against what its analysis takes for granted, and measures it.
class observed_bounds : public instrument {
 public:
  observed_bounds(const models::gpu& gpu, analyses& all) : gpu_(gpu), all_(all) {}
  void launch_begins(const kernel_launch&, launch_report& r) override { all_[r.number - 1]->launch_begins(gpu_); }
  bool launch_ended(const kernel_launch&, launch_report& r) override {
    all_[r.number - 1]->launch_ended(r.completed, r.error, r.cycles);
    return true;
  }

 private:
  const models::gpu& gpu_;
  analyses& all_;
};

// A name of C++ in YAML.
std::string quoted_kernel(const std::string& name) {
  return name.find_first_of(" ,:{}[]<>&*()") == std::string::npos ? name : "'" + name + "'";
}

// The launches on their machine, each with its analysis.
class analysed_run {
 public:
  analysed_run(const run_config& config, const compiled_program& program)
      : config_(config), session_(in_timing(config.machine), {}, {}) {
    device_runtime& runtime = session_.runtime();
    runtime.load(program.image);
    laid_out_ = lay_out(config, runtime.layout());
    fill_buffers(config, laid_out_.buffers, 0, runtime);
    std::vector<std::vector<std::string>> misplaced;
    for (const kernel_launch& l : laid_out_.launches) {
      const kernel_launch placed = runtime.layout().prepare(l);
      all.push_back(std::make_unique<launch_analysis>(session_.gpu.config, runtime.layout(), placed, config.wcet));
      misplaced.push_back(all.back()->misplaced_bounds());
    }
    require_places(misplaced);
    session_.add(std::make_unique<observed_bounds>(session_.gpu, all));
  }

  // The signal that stopped the runs, or 0. The first launch that fails is the last one.
  int run(uint32_t runs) {
    // Only what runs has something to save: while bounds are computed a signal ends the process at once.
    std::optional<interruption> signals;
    if (runs != 0) signals.emplace().stop(session_.gpu);
    for (uint32_t n = 0; n < runs && error.empty(); ++n) {
      if (n != 0) fill_buffers(config_, laid_out_.buffers, n, session_.runtime());
      for (size_t k = 0; k < all.size() && error.empty(); ++k) {
        kernel_launch l = laid_out_.launches[k];
        launch_report r = session_.announce(l, k + 1, models::fidelity::timing);
        session_.prepare(l);
        session_.run(l, r);
        if (!r.completed) error = r.error.empty() ? "not completed" : r.error;
      }
    }
    return signals ? signals->signal() : 0;
  }

  analyses all;
  std::string error;  // of the last launch

 private:
  static models::machine_config in_timing(models::machine_config machine) {
    machine.fidelity = models::fidelity::timing;
    return machine;
  }
  const run_config& config_;
  session session_;
  laid_out_run laid_out_;
};

}  // namespace

wcet_program analyse_wcet(const run_config& config, const compiled_program& program, bool observe) {
  analysed_run run(config, program);
  analyses& all = run.all;
  const bool measured = config.wcet.block_times == block_time_source::measured;
  wcet_program out;
  out.signal = run.run(measured ? config.wcet.runs : observe ? 1 : 0);
  if (out.signal != 0 && measured) throw interrupted_error(out.signal);
  out.file = config.file;
  out.source = config.program.source;
  out.by_launch = program.placed.by_launch;
  out.warnings = warnings_of(config, program.image);
  const std::vector<std::string> idle = outputs_without_effect(config.effective, "wcet");
  out.warnings.insert(out.warnings.end(), idle.begin(), idle.end());
  out.inputs = {config.effective, input_files(config), {}};
  for (size_t k = 0; k < all.size(); ++k) {
    out.launches.push_back(all[k]->take_result());
    out.launches.back()->file = config.file;
    out.launches.back()->kernel = config.launches[k].kernel;
    observation& o = out.launches.back()->observed;
    if (out.signal != 0 && o.made && !o.completed) o.error = "interrupted by " + signal_name(out.signal);
  }
  return out;
}

std::vector<unbounded_loop> suggest_bounds(const run_config& config, const compiled_program& program) {
  analysed_run run(config, program);
  for (const auto& a : run.all) a->count_unbounded();
  if (const int signal = run.run(1); signal != 0) throw interrupted_error(signal);
  if (!run.error.empty()) throw program_error(run.error);
  std::vector<unbounded_loop> out;
  for (const auto& a : run.all)
    for (unbounded_loop& l : a->unbounded()) {
      const auto same = std::find_if(out.begin(), out.end(), [&](const unbounded_loop& o) {
        return o.kernel == l.kernel && o.offset == l.offset && o.place.line == l.place.line &&
               o.place.file == l.place.file;
      });
      if (same == out.end())
        out.push_back(std::move(l));
      else
        same->passes = std::max(same->passes, l.passes);
    }
  return out;
}

std::string suggestion_text(const std::vector<unbounded_loop>& loops) {
  if (loops.empty()) return "every loop has a bound\n";
  std::string entries, notes;
  for (const unbounded_loop& l : loops) {
    const std::string where = l.place.line != 0 ? fmt::format("{}:{}", l.place.file, l.place.line) : "";
    const std::string seen = l.passes == 0 ? "not reached in this run" : fmt::format("{} in this run", l.passes);
    if (l.offset)
      entries += fmt::format("  - {{kernel: {}, offset: {:#x}, bound: {}}}  # {}{}\n", quoted_kernel(l.kernel),
                             *l.offset, l.passes, where.empty() ? "" : where + ", ", seen);
    else
      notes += fmt::format(
          "# {}: {}: in a function that the kernel calls, so write PWS_LOOP_BOUND(n) first in the loop's body\n",
          where.empty() ? l.kernel : where, seen);
  }
  if (!entries.empty())
    entries = "wcet:\n  loops:  # passes each time the loop is entered: seen, not proven\n" + entries;
  return entries + notes;
}

}  // namespace pws::platform
