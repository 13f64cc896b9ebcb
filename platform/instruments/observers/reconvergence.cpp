// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/reconvergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ratio.h"

namespace pws::platform {

namespace {

using reconvergence::warp_times;

constexpr const char* issued = "instructions";

warp_times& operator+=(warp_times& t, const warp_times& o) {
  t.never += o.never;
  t.post_dominators += o.post_dominators;
  t.best += o.best;
  t.longest += o.longest;
  return t;
}

std::vector<launch_reconvergence::branch> branches_of(const trace_recorder& traces,
                                                      const std::map<uint32_t, reconvergence::branch_result>& results) {
  std::vector<launch_reconvergence::branch> out;
  for (const auto& [block, result] : results) {
    const std::vector<cfg::code_table::block>& blocks = traces.code().blocks();
    const cfg::code_table::block& b = blocks[block];
    out.push_back({b.last - traces.entry(), traces.end_of_block(block), {}, result});
    if (b.post_dominator != cfg::code_table::none)
      out.back().post_dominator = blocks[b.post_dominator].begin - traces.entry();
  }
  return out;
}

report_part<reconvergence_totals> totals_of_launches_part() {
  using t = reconvergence_totals;
  return report_part<t>()
      .value("launches", "of which traces were recorded", &t::launches)
      .value("work_items", "work-items", "whose traces are compared", &t::work_items)
      .value("executed", issued, "by all of them", &t::executed)
      .value("warps", "warps", "of them", &t::warps)
      .value("optimal_warps", "warps", "whose best order is known to be the best", &t::optimal_warps)
      .value("not_studied", "warps", "that were left when a signal came", &t::not_studied)
      .where([](const t& of) { return of.not_studied != 0; })
      .part("times", warp_times_part(), &t::times);
}

}  // namespace

launch_reconvergence study_of(const trace_recorder& traces, const std::function<bool()>& stop) {
  launch_reconvergence r;
  const std::vector<reconvergence::warp> warps = traces.warps();
  if (warps.empty()) return r;
  for (const reconvergence::warp& w : warps)
    for (const reconvergence::trace& t : w) r.longest = std::max<uint64_t>(r.longest, t.passes.size());
  r.study = reconvergence::study_reconvergence(warps, traces.passes(), traces.code(), stop);
  r.not_studied = warps.size() - r.study.warps.size();
  for (const reconvergence::warp_result& w : r.study.warps) {
    r.work_items += w.work_items;
    r.executed += w.executed;
    r.times += w.times;
  }
  r.branches = branches_of(traces, r.study.branches);
  return r;
}

double speedup(const warp_times& t) {
  return t.best == 0 ? 1 : ratio(t.post_dominators, t.best);
}

reconvergence_totals& reconvergence_totals::operator+=(const launch_reconvergence& one) {
  ++launches;
  work_items += one.work_items;
  executed += one.executed;
  warps += one.study.warps.size();
  optimal_warps += one.warps_with([](const reconvergence::warp_result& w) { return w.exact; });
  not_studied += one.not_studied;
  times += one.times;
  return *this;
}

reconvergence_totals& reconvergence_totals::operator+=(const reconvergence_totals& o) {
  launches += o.launches;
  work_items += o.work_items;
  executed += o.executed;
  warps += o.warps;
  optimal_warps += o.optimal_warps;
  not_studied += o.not_studied;
  times += o.times;
  return *this;
}

reconvergence_totals sum_of(const std::vector<reconvergence_totals>& kernels) {
  reconvergence_totals all;
  for (const reconvergence_totals& k : kernels) all += k;
  return all;
}

std::string text(const reconvergence_totals& t) {
  return fmt::format(
      "{} launches, {} warps: never {}, post-dominators {}, best order {} ({:.1f} % faster), longest traces {} "
      "instructions{}",
      t.launches, t.warps, t.times.never, t.times.post_dominators, t.times.best, 100 * (speedup(t.times) - 1),
      t.times.longest, t.not_studied == 0 ? "" : fmt::format("; {} warps are not studied", t.not_studied));
}

const report_part<warp_times>& warp_times_part() {
  using t = warp_times;
  static const report_part<t> all =
      report_part<t>()
          .value("no_reconvergence", issued, "paths never meet again", &t::never)
          .value("post_dominators", issued, "they meet at immediate post-dominators", &t::post_dominators)
          .value("best_order", issued, "in the best order that is known", &t::best)
          .value("longest_trace", issued, "of the longest work-item: no order is shorter", &t::longest)
          .value("speedup_of_best_order", "post-dominators' time / its own", "at least 1", speedup);
  return all;
}

const report_part<std::vector<reconvergence_totals>>& kernels_reconvergence_part() {
  using all_kernels = std::vector<reconvergence_totals>;
  static const report_part<all_kernels> all = report_part<all_kernels>()
                                                  .list("kernels",
                                                        report_part<reconvergence_totals>()
                                                            .value("kernel", "its name", &reconvergence_totals::kernel)
                                                            .group("", totals_of_launches_part()),
                                                        [](auto& kernels) -> const all_kernels& { return kernels; })
                                                  .part("totals", totals_of_launches_part(), sum_of);
  return all;
}

}  // namespace pws::platform
