// SPDX-License-Identifier: Apache-2.0
#include "platform/run/reconvergence_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/machine/interruption.h"
#include "platform/run/run_session.h"
#include "platform/run/trace_recorder.h"

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

std::vector<reconvergence_result::branch> branches_of(const trace_recorder& traces,
                                                      const std::map<uint32_t, reconvergence::branch_result>& results) {
  const std::vector<cfg::code_table::block>& blocks = traces.code().blocks();
  std::vector<reconvergence_result::branch> out;
  for (const auto& [block, result] : results) {
    const cfg::code_table::block& b = blocks[block];
    out.push_back({b.last - traces.entry(), traces.end_of_block(block), {}, result});
    if (b.post_dominator != cfg::code_table::none)
      out.back().post_dominator = blocks[b.post_dominator].begin - traces.entry();
  }
  return out;
}

}  // namespace

reconvergence_result study_reconvergence(const run_config& config, const reconvergence_options& options) {
  if (options.work_items > most_blocks / options.max_blocks)
    throw input_error(fmt::format("--work-items {} with --max-blocks {}: traces of {} blocks in all are the limit",
                                  options.work_items, options.max_blocks, most_blocks));
  if (config.launches.size() != 1)
    throw input_error(fmt::format("{}: {} launches; the limit study is of one", config.file, config.launches.size()));
  const run_launch& launch = config.launches.front();
  trace_recorder traces(launch.shape, options.work_items, options.max_blocks);
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

  reconvergence_result r;
  r.file = config.file;
  r.source = config.program.source;
  r.kernel = launch.kernel;
  r.launch = launch.shape;
  r.options = options;
  const std::vector<reconvergence::warp> warps = traces.warps(options.warp_size);
  for (const reconvergence::warp& w : warps)
    for (const reconvergence::trace& t : w) r.longest = std::max<uint64_t>(r.longest, t.passes.size());
  const interruption signals;
  r.study = reconvergence::study_reconvergence(warps, traces.passes(), traces.code(),
                                               [&signals] { return signals.signal() != 0; });
  r.signal = signals.signal();
  r.not_studied = warps.size() - r.study.warps.size();
  for (const reconvergence::warp_result& w : r.study.warps) {
    r.work_items += w.work_items;
    r.executed += w.executed;
    r.times.never += w.times.never;
    r.times.post_dominators += w.times.post_dominators;
    r.times.best += w.times.best;
    r.times.longest += w.times.longest;
  }
  r.branches = branches_of(traces, r.study.branches);
  return r;
}

}  // namespace pws::platform
