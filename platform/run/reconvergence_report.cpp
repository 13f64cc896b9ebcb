// SPDX-License-Identifier: Apache-2.0
#include "platform/run/reconvergence_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>

#include "base/ratio.h"
#include "platform/machine/interruption.h"

namespace pws::platform {

namespace {

using reconvergence::warp_result;

bool two_traces_at_most(const warp_result& w) {
  return w.different <= 2;
}

// How sure it is that no order is better.
std::string exactness(const reconvergence_result& r) {
  const uint64_t warps = r.study.warps.size(), exact = r.warps_with([](const warp_result&w) { return w.exact; });
  if (exact == warps) return "optimal in all warps";
  return fmt::format("optimal in {} of {} warps; in the others traces are joined two at a time, which need not be",
                     exact, warps);
}

std::string offset_text(uint64_t offset) {
  return fmt::format("+0x{:x}", offset);
}

void print_times(std::ostream& out, const reconvergence_result& r) {
  fmt::print(out, "\n  {:<32}{:>12}{:>12}\n", "", "time", "lanes");
  const auto row = [&](const char* label, uint64_t time, const std::string& text) {
    const double lanes = 100 * ratio(r.executed, time * r.options.warp_size);
    fmt::print(out, "  {:<32}{:>12}{:>10.1f} %{}{}\n", label, time, lanes, text.empty() ? "" : "  ", text);
  };
  row("no reconvergence", r.times.never, "");
  row("immediate post-dominators", r.times.post_dominators, "");
  row("best order", r.times.best, fmt::format("{:.1f} % faster than post-dominators", 100 * (speedup(r.times) - 1)));
  row("longest traces", r.times.longest, "no order is shorter");
}

void print_branches(std::ostream& out, const reconvergence_result& r) {
  if (r.branches.empty()) {
    fmt::print(out, "\n  work-items of a warp never part\n");
    return;
  }
  fmt::print(out, "\n  {:<10}{:<26}{:>15}{:>12}{:>12}{:>12}\n", "branch", "", "post-dominator", "diverges",
             "best order", "met later");
  for (const reconvergence_result::branch& b : r.branches)
    fmt::print(out, "  {:<10}{:<26}{:>15}{:>12}{:>12}{:>12}\n", offset_text(b.offset), b.text,
               b.post_dominator ? offset_text(*b.post_dominator) : "none", b.result.stack.all, b.result.best.all,
               b.result.best.met_later);
}

constexpr const char* instructions = "instructions";
constexpr const char* offset_unit = "bytes from the kernel's entry";

report_part<reconvergence_result::branch> branch_part() {
  using b = reconvergence_result::branch;
  using reconvergence::divergences;
  const auto counts =
      report_part<divergences>()
          .value("divergences", "events", "at which work-items parted", &divergences::all)
          .value("met_later", "events", "whose work-items met behind the post-dominator", &divergences::met_later);
  return report_part<b>()
      .value("offset", offset_unit, "of the branch", &b::offset)
      .value("instruction", "disassembled", &b::text)
      .value("post_dominator", offset_unit, "where there is one", &b::post_dominator)
      .part("post_dominators", counts, [](auto& of) { return of.result.stack; })
      .part("best_order", counts, [](auto& of) { return of.result.best; });
}

report_part<warp_result> warp_part() {
  using w = warp_result;
  return report_part<w>()
      .value("work_items", "work-items", "of the warp", &w::work_items)
      .value("different_traces", "traces", "of its work-items", &w::different)
      .value("executed", instructions, "by its work-items", &w::executed)
      .part("times", warp_times_part(), &w::times)
      .value("optimal", "its best order is known to be the best", &w::exact)
      .value("order_of_post_dominators", "the best that is known is that of the post-dominators", &w::from_stack);
}

report_part<reconvergence_result> stopped_part() {
  using r = reconvergence_result;
  return report_part<r>()
      .value("signal", "that stopped the study; all else is of the warps studied until then",
             [](auto& of) { return signal_name(of.signal); })
      .value("not_studied", "warps", "that were left", &r::not_studied);
}

}  // namespace

void print(std::ostream& out, const reconvergence_result& r) {
  const auto row = [&](const char* label, const std::string& text) { fmt::print(out, "  {:<14}{}\n", label, text); };
  fmt::print(out, "{} ({}): limit study of reconvergence\n", r.kernel, r.source);
  const launch_config& l = r.launch;
  row("launch", fmt::format("{}x{}x{} work-items in workgroups of {}x{}x{}", l.grid[0], l.grid[1], l.grid[2],
                            l.workgroup[0], l.workgroup[1], l.workgroup[2]));
  row("traces", fmt::format("the first {} work-items: {} instructions, at most {} blocks each", r.work_items,
                            r.executed, r.longest));
  uint64_t most = 0;
  for (const warp_result& w : r.study.warps) most = std::max<uint64_t>(most, w.different);
  row("warps", fmt::format("{} of up to {} work-items; {} have two different traces at most, none more than {}",
                           r.study.warps.size(), r.options.warp_size, r.warps_with(two_traces_at_most), most));
  if (r.signal != 0)
    row("stopped", fmt::format("interrupted by {}: {} warps are not studied", signal_name(r.signal), r.not_studied));
  row("best order", exactness(r));
  if (const uint64_t n = r.warps_with([](const warp_result& w) { return w.from_stack; }); n != 0)
    row("", fmt::format("in {} of them the best that is known is that of the post-dominators", n));
  print_times(out, r);
  print_branches(out, r);
}

const report_part<reconvergence_result>& reconvergence_part() {
  using r = reconvergence_result;
  static const report_part<r> all =
      report_part<r>()
          .value("kernel", "its name", &r::kernel)
          .value("source", "the program", &r::source)
          .value("grid", "work-items", "x, y, z", [](auto& of) { return of.launch.grid; })
          .value("workgroup", "work-items", "x, y, z", [](auto& of) { return of.launch.workgroup; })
          .value("work_items", "work-items", "whose traces are compared", &r::work_items)
          .value("warp_size", "work-items", "of a warp", [](auto& of) { return of.options.warp_size; })
          .value("longest_trace", "blocks", "of a work-item", &r::longest)
          .value("executed", instructions, "by all of them", &r::executed)
          .value("optimal_warps", "warps", "whose best order is known to be the best",
                 [](auto& of) { return of.warps_with([](const warp_result& w) { return w.exact; }); })
          .part("times", warp_times_part(), &r::times)
          .list("warps", warp_part(), [](auto& of) { return of.study.warps; })
          .list("branches", branch_part(), &r::branches)
          .part("stopped", stopped_part(), [](auto& of) { return of.signal == 0 ? nullptr : &of; });
  return all;
}

}  // namespace pws::platform
