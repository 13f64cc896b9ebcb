#include "platform/uniformity/branch_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "platform/json/quantity.h"

namespace pws::platform {

namespace {

double share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string offset_text(int64_t offset) {
  return offset < 0 ? fmt::format("-0x{:x}", -offset) : fmt::format("+0x{:x}", offset);
}

}  // namespace

std::string text(const branch_totals& t) {
  std::string s = fmt::format(
      "{} always uniform ({} of all proved so), {} divergent, {} never executed; {:.1f} % of {} executions uniform",
      t.always_uniform, t.proved_uniform, t.ever_divergent, t.never_executed(),
      100 * share(t.uniform_executions, t.executions()), t.executions());
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

nlohmann::ordered_json to_json(const branch_totals& t) {
  return {{"branches", quantity(t.branches, "branches in the code")},
          {"proved_uniform", quantity(t.proved_uniform, "branches that are uniform in every run")},
          {"contradictions", quantity(t.contradictions, "branches proved uniform that were divergent")},
          {"uniform", quantity(share(t.always_uniform, t.branches), "of the branches: executed and never divergent")},
          {"divergent", quantity(share(t.ever_divergent, t.branches), "of the branches: divergent at least once")},
          {"never_executed", quantity(share(t.never_executed(), t.branches), "of the branches")},
          {"executions", quantity(t.executions(), "by paths with work-items")},
          {"uniform_executions", quantity(share(t.uniform_executions, t.executions()), "of the executions")},
          {"divergent_executions", quantity(share(t.divergent_executions, t.executions()), "of the executions")}};
}

nlohmann::ordered_json to_json(const kernel_branches& k) {
  nlohmann::ordered_json j = to_json(k.totals());
  if (!k.not_analysed.empty()) j["not_analysed"] = k.not_analysed;
  j["each"] = nlohmann::ordered_json::array();
  for (const branch_counts& b : k.branches) {
    nlohmann::ordered_json one = {{"offset", b.offset},    {"of_kernel", b.of_kernel},   {"kind", name_of(b.kind)},
                                  {"instruction", b.text}, {"executions", b.executed()}, {"all", b.all},
                                  {"none", b.none},        {"divergent", b.divergent},   {"empty", b.empty}};
    if (b.proved_uniform) {
      one["proved_uniform"] = *b.proved_uniform;
      one["condition_from"] = name_of(b.origin);
    }
    if (b.skip_offset != 0) {
      one["skip_offset"] = b.skip_offset;
      one["skipped"] = b.skipped;
    }
    j["each"].push_back(std::move(one));
  }
  return j;
}

nlohmann::ordered_json to_json(const std::vector<kernel_branches>& kernels) {
  branch_totals total;
  nlohmann::ordered_json j = {{"kernels", nlohmann::ordered_json::array()}};
  for (const kernel_branches& k : kernels) {
    total += k.totals();
    j["kernels"].push_back({{"kernel", k.kernel}});
    j["kernels"].back().update(to_json(k));
  }
  j["totals"] = to_json(total);
  return j;
}

}  // namespace pws::platform
