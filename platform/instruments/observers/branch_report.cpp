// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/observers/branch_report.h"

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
          .value("branches", "branches in the code", "that can depend on work-items", &b::branches)
          .value("proved_uniform", "branches that are uniform in every run", "by the analysis of the code",
                 &b::proved_uniform)
          .value("contradictions", "branches proved uniform that were divergent", "must be 0", &b::contradictions)
          .value("uniform", "of the branches: executed and never divergent", "share",
                 [](auto& t) { return ratio(t.always_uniform, t.branches); })
          .value("divergent", "of the branches: divergent at least once", "share",
                 [](auto& t) { return ratio(t.ever_divergent, t.branches); })
          .value("never_executed", "of the branches", "share that no path came to",
                 [](auto& t) { return ratio(t.never_executed(), t.branches); })
          .value("executions", "by paths with work-items", "of all branches", &b::executions)
          .value("uniform_executions", "of the executions", "share in which all work-items went the same way",
                 [](auto& t) { return ratio(t.uniform_executions, t.executions()); })
          .value("divergent_executions", "of the executions", "share in which they parted",
                 [](auto& t) { return ratio(t.divergent_executions, t.executions()); });
  return all;
}

report_part<branch_counts> each_branch() {
  using b = branch_counts;
  const auto skips = [](const b& of) { return of.skip_offset != 0; };
  return report_part<b>()
      .value("offset", "of the branch, bytes from the kernel's entry", &b::offset)
      .value("of_kernel", "false: of a function that it calls", &b::of_kernel)
      .value("kind", "what the branch looks at", &b::kind)
      .value("instruction", "disassembled", &b::text)
      .value("executions", "by paths with work-items", &b::executed)
      .value("all", "executions in which all work-items took it", &b::all)
      .value("none", "in which none did", &b::none)
      .value("divergent", "in which some did", &b::divergent)
      .value("empty", "by paths without work-items", &b::empty)
      .value("proved_uniform", "by the analysis of the code", &b::proved_uniform)
      .value("condition_from", "where the condition comes from", &b::origin)
      .where([](const b& of) { return of.proved_uniform.has_value(); })
      .value("skip_offset", "of the branch that skips the divergent side where no work-item takes it", &b::skip_offset)
      .where(skips)
      .value("skipped", "how often it did", &b::skipped)
      .where(skips);
}

}  // namespace

const report_part<kernel_branches>& branches_part() {
  using k = kernel_branches;
  static const report_part<k> all = report_part<k>()
                                        .part("", totals_part(), &k::totals)
                                        .text("not_analysed", "why nothing is proved of the kernel", &k::not_analysed)
                                        .list("each", each_branch(), &k::branches);
  return all;
}

const report_part<std::vector<kernel_branches>>& kernels_part() {
  using all_kernels = std::vector<kernel_branches>;
  const auto sum = [](const all_kernels& kernels) {
    branch_totals total;
    for (const kernel_branches& k : kernels) total += k.totals();
    return total;
  };
  static const report_part<all_kernels> all = report_part<all_kernels>()
                                                  .list("kernels",
                                                        report_part<kernel_branches>()
                                                            .value("kernel", "its name", &kernel_branches::kernel)
                                                            .group("", branches_part()),
                                                        [](auto& kernels) -> const all_kernels& { return kernels; })
                                                  .part("totals", totals_part(), sum);
  return all;
}

}  // namespace pws::platform
