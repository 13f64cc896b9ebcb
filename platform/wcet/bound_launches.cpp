// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/bound_launches.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "platform/machine/device_layout.h"
#include "platform/wcet/run_launch.h"
#include "sw/wcet/checked.h"

namespace pws::platform {

namespace {

// All that decides a launch's bound, the program aside.
std::string identity_of(const kernel_launch& l) {
  std::string bytes(sizeof l.packet, '\0');
  std::memcpy(bytes.data(), &l.packet, sizeof l.packet);
  bytes.append(l.kernarg.begin(), l.kernarg.end());
  return bytes;
}

}  // namespace

uint64_t sum_of_bounds(const run_config& config, const loader::program_image& program,
                       const models::machine_config& machine, wcet::scheme scheme) {
  wcet_config how = config.wcet;
  how.block_times = block_time_source::machine;
  device_layout layout(machine);
  layout.load(program);
  const laid_out_run run = lay_out(config, layout);
  std::map<std::string, uint64_t> bounds;  // the same launch many times is analysed once
  std::vector<std::vector<std::string>> misplaced;
  uint64_t sum = 0;
  for (const kernel_launch& l : run.launches) {
    const kernel_launch placed = layout.prepare(l);
    const auto [bound, is_new] = bounds.try_emplace(identity_of(placed));
    if (is_new) {
      const launch_analysis analysis(machine, layout, placed, how);
      misplaced.push_back(analysis.misplaced_bounds());
      bound->second = analysis.bound(scheme).e_kernel;
    }
    sum = wcet::checked_sum(sum, bound->second, "the sum of the launches' bounds");
  }
  require_places(misplaced);
  return sum;
}

}  // namespace pws::platform
