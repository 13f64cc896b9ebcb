// SPDX-License-Identifier: Apache-2.0
#include "platform/run/reconvergence_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/machine/interruption.h"
#include "platform/run/run_session.h"

namespace pws::platform {

namespace {

// The same run without splitting and without time.
run_config unsplit(run_config c) {
  c.program.split = pwscc::split_choice::none;
  models::machine_config& m = c.machine;
  m.fidelity = models::fidelity::functional;
  m.divergence = models::divergence_kind::none;
  m.force_mode_split = m.designate_spsimd = m.reuse_idle_spsimd = false;
  m.spsimd_per_simd = 0;
  m.cosim = {};
  return c;
}

void require_success(const run_report& report) {
  if (report.signal != 0) throw interrupted_error(report.signal);
  if (!report.completed) throw program_error(report.error);
  for (const check_outcome& c : report.all_checks())
    if (!c.pass) throw program_error(c.text);
}

}  // namespace

reconvergence_result study_reconvergence(const run_config& config, const reconvergence::study_options& options) {
  if (options.work_items > reconvergence::most_blocks / options.max_blocks)
    throw input_error(fmt::format("--work-items {} with --max-blocks {}: traces of {} blocks in all are the limit",
                                  options.work_items, options.max_blocks, reconvergence::most_blocks));
  if (config.launches.size() != 1)
    throw input_error(fmt::format("{}: {} launches; the limit study is of one", config.file, config.launches.size()));
  const run_launch& launch = config.launches.front();
  trace_recorder traces(options);
  traces.launching(launch.shape.grid, launch.shape.workgroup);
  session_options listening;
  listening.observer = &traces;
  const run_report report = run(unsplit(config), listening);
  if (traces.splits())
    throw input_error(config.file + ": the program has split instructions; traces are those of a program without");
  if (traces.too_long())
    throw input_error(fmt::format(
        "{}: work-item {} passes through more than {} blocks, the limit for one trace (--max-blocks); choose "
        "a smaller problem, or a higher limit: time grows with its square",
        config.file, *traces.too_long(), options.max_blocks));
  require_success(report);

  const interruption signals;
  reconvergence_result r;
  static_cast<launch_reconvergence&>(r) = study_of(traces, [&signals] { return signals.signal() != 0; });
  r.signal = signals.signal();
  r.file = config.file;
  r.source = config.program.source;
  r.kernel = launch.kernel;
  r.launch = launch.shape;
  r.options = options;
  return r;
}

}  // namespace pws::platform
