#include "platform/reconvergence/reconvergence_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/ratio.h"
#include "platform/gpu/interruption.h"
#include "platform/json/quantity.h"

namespace pws::platform {

namespace {

using nlohmann::ordered_json;
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

ordered_json instructions(uint64_t n) {
  return quantity(n, "instructions");
}

ordered_json to_json(const warp_times& t) {
  return {{"no_reconvergence", instructions(t.never)},
          {"post_dominators", instructions(t.post_dominators)},
          {"best_order", instructions(t.best)},
          {"longest_trace", instructions(t.longest)},
          {"speedup_of_best_order", quantity(speedup(t), "post-dominators' time / its own")}};
}

ordered_json to_json(const reconvergence_result::branch& b) {
  const auto divergences = [](const reconvergence::divergences& d) {
    return ordered_json{{"divergences", quantity(d.all, "events")}, {"met_later", quantity(d.met_later, "events")}};
  };
  return {{"offset", quantity(b.offset, "bytes from the kernel's entry")},
          {"instruction", b.text},
          {"post_dominator", b.post_dominator ? quantity(*b.post_dominator, "bytes from the kernel's entry") : nullptr},
          {"post_dominators", divergences(b.result.stack)},
          {"best_order", divergences(b.result.best)}};
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

ordered_json to_json(const reconvergence_result& r) {
  ordered_json warps = ordered_json::array(), branches = ordered_json::array();
  for (const warp_result& w : r.study.warps)
    warps.push_back({{"work_items", quantity(w.work_items, "work-items")},
                     {"different_traces", quantity(w.different, "traces")},
                     {"executed", instructions(w.executed)},
                     {"times", to_json(w.times)},
                     {"optimal", w.exact},
                     {"order_of_post_dominators", w.from_stack}});
  for (const reconvergence_result::branch& b : r.branches) branches.push_back(to_json(b));
  ordered_json j = {{"kernel", r.kernel},
                    {"source", r.source},
                    {"grid", quantity(r.launch.grid, "work-items")},
                    {"workgroup", quantity(r.launch.workgroup, "work-items")},
                    {"work_items", quantity(r.work_items, "work-items")},
                    {"warp_size", quantity(r.options.warp_size, "work-items")},
                    {"longest_trace", quantity(r.longest, "blocks")},
                    {"executed", instructions(r.executed)},
                    {"optimal_warps", quantity(r.warps_with([](const warp_result& w) { return w.exact; }), "warps")},
                    {"times", to_json(r.times)},
                    {"warps", warps},
                    {"branches", branches}};
  if (r.signal != 0)
    j["stopped"] = {{"signal", signal_name(r.signal)}, {"not_studied", quantity(r.not_studied, "warps")}};
  return j;
}

}  // namespace pws::platform
