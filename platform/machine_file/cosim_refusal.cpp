#include "platform/machine_file/cosim_refusal.h"

#include <fmt/format.h>

#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::platform::cosim {

std::string refusal(const models::machine_config& c) {
  using unit = rtl::spsimd_rtl;
  const auto needs = [](bool wrong, const char* key, auto value, auto actual) {
    return wrong ? fmt::format("the RTL of the SpSIMD unit needs {}: {}, and it is {}", key, value, actual)
                 : std::string();
  };
  std::string s;
  const auto require = [&](std::string text) {
    if (s.empty()) s = std::move(text);
  };
  const models::scheme_traits& scheme = models::traits_of(c.divergence);
  if (!models::has_spsimds(c) || scheme.acts_at != models::divergence_points::split_and_merge)
    require("the RTL is of an SpSIMD unit that splits and merges: machine.divergence must be pws");
  if (c.spsimd_per_simd == 0) require("spsimd_per_simd is 0: there is no SpSIMD unit");
  if (c.fidelity != models::fidelity::timing) require("co-simulation is of cycles: machine.fidelity must be timing");
  if (c.schedule == models::schedule_policy::tdm)
    require(
        "the RTL's passes follow each other: machine.schedule tdm, which gives each a slot of its own, is the model's");
  if (c.scoreboard != models::path_scoreboard::drain)
    require("the RTL's paths begin with nothing under way: machine.scoreboard must be drain");
  require(needs(c.valu_lanes != unit::lanes, "machine.valu_lanes", unit::lanes, c.valu_lanes));
  require(needs(c.n_wfc > unit::contexts, "machine.n_wfc of at most", unit::contexts, c.n_wfc));
  require(
      needs(c.spsimd_per_simd > unit::spsimds, "machine.spsimd_per_simd of at most", unit::spsimds, c.spsimd_per_simd));
  require(needs(c.child_stack_entries > unit::stack_depth, "machine.child_stack_entries of at most", unit::stack_depth,
                c.child_stack_entries));
  require(needs(c.latency.salu != unit::scalar_latency, "machine.latency.salu", unit::scalar_latency, c.latency.salu));
  require(needs(c.latency.valu > unit::vector_latency, "machine.latency.valu of at most", unit::vector_latency,
                c.latency.valu));
  require(needs(c.latency.valu_f64 > unit::half_rate_latency, "machine.latency.valu_f64 of at most",
                unit::half_rate_latency, c.latency.valu_f64));
  require(needs(c.latency.valu_trans > unit::quarter_rate_latency, "machine.latency.valu_trans of at most",
                unit::quarter_rate_latency, c.latency.valu_trans));
  return s;
}

}  // namespace pws::platform::cosim
