// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/grid_barriers.h"

#include <algorithm>

#include "base/error.h"

namespace pws::models {

void grid_barriers::arrive(participant& unit, wf_context& c, uint32_t others, cycle_t at, cycle_t latency) {
  const dispatch* const launch = c.group->launch.of;
  if (launch->packet.cooperative == 0)
    throw program_error("a barrier of the grid in a launch that is not cooperative: workgroups need not be there");
  auto b = std::find_if(barriers_.begin(), barriers_.end(), [&](const barrier& x) { return x.launch == launch; });
  if (b == barriers_.end()) b = barriers_.insert(b, {launch, {}});
  b->here.push_back({&unit, &c, at});
  if (b->here.size() <= others) return;
  const std::vector<arrival> all = std::move(b->here);
  barriers_.erase(b);
  cycle_t last = 0;
  for (const arrival& a : all) last = std::max(last, a.at);
  for (const arrival& a : all) a.unit->grid_barrier_passed(*a.context, last + latency);
}

void grid_barriers::forget(const dispatch& launch) {
  barriers_.erase(
      std::remove_if(barriers_.begin(), barriers_.end(), [&](const barrier& b) { return b.launch == &launch; }),
      barriers_.end());
}

}  // namespace pws::models
