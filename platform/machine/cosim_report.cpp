// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/cosim_report.h"

#include <fmt/format.h>

namespace pws::platform::cosim {

double summary::share() const {
  const uint64_t own = counts.executed() + counts.n_unsupported();
  return own == 0 ? 1.0 : static_cast<double>(counts.executed()) / static_cast<double>(own);
}

std::string text(const summary& s) {
  std::string t = fmt::format("{} in {} units: {} instructions by the RTL, {:.2f} % of their ALUs'", name_of(s.mode),
                              s.units, s.counts.executed(), 100 * s.share());
  if (s.mode == models::cosim_mode::lockstep) t += fmt::format("; {} results compared", s.counts.compared);
  if (!s.counts.unsupported.empty()) {
    t += "; by the model:";
    constexpr size_t shown = 4;
    size_t n = 0;
    for (const auto& [name, count] : s.counts.unsupported)
      if (n++ < shown) t += fmt::format(" {} {}", count, name);
    if (n > shown) t += fmt::format(" and {} others", n - shown);
  }
  return t;
}

const report_part<summary>& summary_part() {
  using s = summary;
  constexpr const char* instructions = "wavefront instructions";
  const auto counted = [](auto member) { return [member](const s& of) { return of.counts.*member; }; };
  using n = executor_statistics;
  static const report_part<s> all =
      report_part<s>()
          .value("mode", "machine.cosim.mode", &s::mode)
          .value("units", "units", "SpSIMD units, and SIMD units themselves, that run as RTL", &s::units)
          .value("scalar", instructions, "scalar, by the RTL", counted(&n::scalar))
          .value("vector", instructions, "vector, by the RTL", counted(&n::vector))
          .value("splits_and_merges", instructions, "by the RTL", counted(&n::splits_and_merges))
          .value("memory", instructions, "whose addresses and data the RTL gave", counted(&n::memory))
          .value("compared", "results", "of RTL and model, in lockstep", counted(&n::compared))
          .value("share_of_alu_instructions", "ratio", "of these units' that the RTL executed", &s::share)
          .map("by_the_model", instructions, "of this name, which the RTL does not have", counted(&n::unsupported));
  return all;
}

}  // namespace pws::platform::cosim
