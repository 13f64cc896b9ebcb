#include "platform/cosim/cosim_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"

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

nlohmann::ordered_json to_json(const summary& s) {
  constexpr const char* instructions = "wavefront instructions";
  nlohmann::ordered_json j = {{"mode", name_of(s.mode)},
                              {"units", quantity(s.units, "units")},
                              {"scalar", quantity(s.counts.scalar, instructions)},
                              {"vector", quantity(s.counts.vector, instructions)},
                              {"splits_and_merges", quantity(s.counts.splits_and_merges, instructions)},
                              {"memory", quantity(s.counts.memory, instructions)},
                              {"compared", quantity(s.counts.compared, "results")},
                              {"share_of_alu_instructions", quantity(s.share(), "ratio")}};
  for (const auto& [name, count] : s.counts.unsupported) j["by_the_model"][name] = quantity(count, instructions);
  return j;
}

}  // namespace pws::platform::cosim
