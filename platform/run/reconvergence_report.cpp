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
using reconvergence::warp_times;

// How many times as fast as on the stack.
double speedup(const warp_times& t) {
  return t.best == 0 ? 1 : ratio(t.post_dominators, t.best);
}

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

report_part<warp_times> times_part() {
  using t = warp_times;
  return report_part<t>()
      .value("no_reconvergence", &t::never, instructions, "paths never meet again")
      .value("post_dominators", &t::post_dominators, instructions, "they meet at immediate post-dominators")
      .value("best_order", &t::best, instructions, "in the best order that is known")
      .value("longest_trace", &t::longest, instructions, "of the longest work-item: no order is shorter")
      .value("speedup_of_best_order", speedup, "post-dominators' time / its own", "at least 1");
}

report_part<reconvergence_result::branch> branch_part() {
  using b = reconvergence_result::branch;
  using reconvergence::divergences;
  const auto counts =
      report_part<divergences>()
          .value("divergences", &divergences::all, "events", "at which work-items parted")
          .value("met_later", &divergences::met_later, "events", "whose work-items met behind the post-dominator");
  return report_part<b>()
      .value("offset", &b::offset, offset_unit, "of the branch")
      .value("instruction", &b::text, "", "disassembled")
      .value("post_dominator", &b::post_dominator, offset_unit, "where there is one")
      .part(
          "post_dominators", [](const b& of) { return of.result.stack; }, counts)
      .part(
          "best_order", [](const b& of) { return of.result.best; }, counts);
}

report_part<warp_result> warp_part() {
  using w = warp_result;
  return report_part<w>()
      .value("work_items", &w::work_items, "work-items", "of the warp")
      .value("different_traces", &w::different, "traces", "of its work-items")
      .value("executed", &w::executed, instructions, "by its work-items")
      .part("times", &w::times, times_part())
      .value("optimal", &w::exact, "", "its best order is known to be the best")
      .value("order_of_post_dominators", &w::from_stack, "", "the best that is known is that of the post-dominators");
}

report_part<reconvergence_result> stopped_part() {
  using r = reconvergence_result;
  return report_part<r>()
      .value(
          "signal", [](const r& of) { return signal_name(of.signal); }, "",
          "that stopped the study; all else is of the warps studied until then")
      .value("not_studied", &r::not_studied, "warps", "that were left");
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
          .value("kernel", &r::kernel, "", "its name")
          .value("source", &r::source, "", "the program")
          .value(
              "grid", [](const r& of) { return of.launch.grid; }, "work-items", "x, y, z")
          .value(
              "workgroup", [](const r& of) { return of.launch.workgroup; }, "work-items", "x, y, z")
          .value("work_items", &r::work_items, "work-items", "whose traces are compared")
          .value(
              "warp_size", [](const r& of) { return of.options.warp_size; }, "work-items", "of a warp")
          .value("longest_trace", &r::longest, "blocks", "of a work-item")
          .value("executed", &r::executed, instructions, "by all of them")
          .value(
              "optimal_warps", [](const r& of) { return of.warps_with([](const warp_result& w) { return w.exact; }); },
              "warps", "whose best order is known to be the best")
          .part("times", &r::times, times_part())
          .list(
              "warps", [](const r& of) { return of.study.warps; }, warp_part())
          .list("branches", &r::branches, branch_part())
          .part(
              "stopped", [](const r& of) { return of.signal == 0 ? nullptr : &of; }, stopped_part());
  return all;
}

}  // namespace pws::platform
