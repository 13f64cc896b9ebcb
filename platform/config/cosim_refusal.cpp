// SPDX-License-Identifier: Apache-2.0
#include "platform/config/cosim_refusal.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl/wrapper/rtl_library.h"

namespace pws::platform::cosim {

std::string refusal(const models::machine_config& c) {
  using unit = rtl::spsimd_rtl;
  if (std::string reason = rtl::why_there_is_no_rtl(); !reason.empty()) return reason;
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
  // A hand-over of scalar registers, which a split starts, and a merge at which an SWF goes on in its parent's place.
  const unsigned handover = unit::handover_cycles();
  require(needs(c.split_cycles < handover, "machine.split_cycles of at least", handover, c.split_cycles));
  require(needs(c.merge_cycles < handover, "machine.merge_cycles of at least", handover, c.merge_cycles));
  // A wavefront's registers are handed over before its first fetch.
  const std::vector<uint32_t>& numbers = c.cosim.spsimds;
  require(needs(std::count(numbers.begin(), numbers.end(), 1) != 0 && c.dispatch_latency <= handover,
                "machine.dispatch_latency of at least", handover + 1, c.dispatch_latency));
  // What a load brings is written before it can be read.
  require(needs(c.memory.scalar_cache.hit_latency < unit::load_cycles,
                "machine.memory.scalar_cache.hit_latency of at least", unit::load_cycles,
                c.memory.scalar_cache.hit_latency));
  require(needs(c.latency.salu != unit::scalar_latency, "machine.latency.salu", unit::scalar_latency, c.latency.salu));
  // An instruction is in the vector ALU for its passes, whatever the key says.
  const auto vector = [&](const char* key, uint32_t actual, unsigned cycles_of_a_pass) {
    const unsigned passes = cycles_of_a_pass * (64 / unit::lanes), latency = unit::vector_latency(cycles_of_a_pass);
    require(needs(std::max(actual, passes) != latency, key, latency, actual));
  };
  vector("machine.latency.valu", c.latency.valu, 1);
  vector("machine.latency.valu_f64", c.latency.valu_f64, 2);
  vector("machine.latency.valu_trans", c.latency.valu_trans, 4);
  return s;
}

}  // namespace pws::platform::cosim
