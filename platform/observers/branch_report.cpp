// SPDX-License-Identifier: Apache-2.0
#include "platform/observers/branch_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "base/enum_names.h"
#include "base/ratio.h"

namespace pws::platform {

namespace {

std::string offset_text(int64_t offset) {
  return offset < 0 ? fmt::format("-0x{:x}", -offset) : fmt::format("+0x{:x}", offset);
}

}  // namespace

std::string text(const branch_totals& t) {
  std::string s = fmt::format(
      "{} always uniform ({} of all proved so), {} divergent, {} never executed; {:.1f} % of {} executions uniform",
      t.always_uniform, t.proved_uniform, t.ever_divergent, t.never_executed(),
      100 * ratio(t.uniform_executions, t.executions()), t.executions());
  if (t.contradictions != 0) s += fmt::format("; {} DIVERGENT ALTHOUGH PROVED UNIFORM", t.contradictions);
  return s;
}

void print_branches(std::ostream& out, const kernel_branches& k) {
  fmt::print(out, "    {:<8}  {:<9}  {:>10} {:>10} {:>10} {:>10}  {:<7}  instruction\n", "branch", "kind", "all",
             "none", "divergent", "empty", "proved");
  if (!k.not_analysed.empty()) fmt::print(out, "    nothing is proved: {}\n", k.not_analysed);
  for (const branch_counts& b : k.branches)
    fmt::print(out, "    {:<8}  {:<9}  {:>10} {:>10} {:>10} {:>10}  {:<7}  {}{}\n", offset_text(b.offset),
               name_of(b.kind), b.all, b.none, b.divergent, b.empty, b.proved_uniform.value_or(false) ? "uniform" : "-",
               b.text, b.of_kernel ? "" : " (of a called function)");
}

namespace {

const report_part<branch_totals>& totals_part() {
  using b = branch_totals;
  static const report_part<b> all =
      report_part<b>()
          .value("branches", &b::branches, "branches in the code", "that can depend on work-items")
          .value("proved_uniform", &b::proved_uniform, "branches that are uniform in every run",
                 "by the analysis of the code")
          .value("contradictions", &b::contradictions, "branches proved uniform that were divergent", "must be 0")
          .value(
              "uniform", [](const b& t) { return ratio(t.always_uniform, t.branches); },
              "of the branches: executed and never divergent", "share")
          .value(
              "divergent", [](const b& t) { return ratio(t.ever_divergent, t.branches); },
              "of the branches: divergent at least once", "share")
          .value(
              "never_executed", [](const b& t) { return ratio(t.never_executed(), t.branches); }, "of the branches",
              "share that no path came to")
          .value("executions", &b::executions, "by paths with work-items", "of all branches")
          .value(
              "uniform_executions", [](const b& t) { return ratio(t.uniform_executions, t.executions()); },
              "of the executions", "share in which all work-items went the same way")
          .value(
              "divergent_executions", [](const b& t) { return ratio(t.divergent_executions, t.executions()); },
              "of the executions", "share in which they parted");
  return all;
}

report_part<branch_counts> each_branch() {
  using b = branch_counts;
  const auto skips = [](const b& of) { return of.skip_offset != 0; };
  return report_part<b>()
      .value("offset", &b::offset, "", "of the branch, bytes from the kernel's entry")
      .value("of_kernel", &b::of_kernel, "", "false: of a function that it calls")
      .value("kind", &b::kind, "", "what the branch looks at")
      .value("instruction", &b::text, "", "disassembled")
      .value("executions", &b::executed, "", "by paths with work-items")
      .value("all", &b::all, "", "executions in which all work-items took it")
      .value("none", &b::none, "", "in which none did")
      .value("divergent", &b::divergent, "", "in which some did")
      .value("empty", &b::empty, "", "by paths without work-items")
      .value("proved_uniform", &b::proved_uniform, "", "by the analysis of the code")
      .value("condition_from", &b::origin, "", "where the condition comes from")
      .where([](const b& of) { return of.proved_uniform.has_value(); })
      .value("skip_offset", &b::skip_offset, "",
             "of the branch that skips the divergent side where no work-item takes it")
      .where(skips)
      .value("skipped", &b::skipped, "", "how often it did")
      .where(skips);
}

}  // namespace

const report_part<kernel_branches>& branches_part() {
  using k = kernel_branches;
  static const report_part<k> all = report_part<k>()
                                        .part("", &k::totals, totals_part())
                                        .text("not_analysed", &k::not_analysed, "why nothing is proved of the kernel")
                                        .list("each", &k::branches, each_branch());
  return all;
}

const report_part<std::vector<kernel_branches>>& kernels_part() {
  using all_kernels = std::vector<kernel_branches>;
  const auto sum = [](const all_kernels& kernels) {
    branch_totals total;
    for (const kernel_branches& k : kernels) total += k.totals();
    return total;
  };
  static const report_part<all_kernels> all =
      report_part<all_kernels>()
          .list(
              "kernels", [](const all_kernels& kernels) -> const all_kernels& { return kernels; },
              report_part<kernel_branches>()
                  .value("kernel", &kernel_branches::kernel, "", "its name")
                  .group("", branches_part()))
          .part("totals", sum, totals_part());
  return all;
}

}  // namespace pws::platform
