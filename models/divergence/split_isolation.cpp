#include "models/divergence/split_isolation.h"

#include <string>

#include "base/error.h"
#include "models/isa/vector/lane_reach.h"

namespace pws::models {

void refuse_broken_isolation(const isa::inst& i, const isa::wave_state& s) {
  const uint64_t outside = isa::reached_lanes(i, s) & ~s.split_mask;
  if (outside == 0) return;
  const int lane = __builtin_ctzll(outside);
  throw program_error("reaches the vector registers of work-item " + std::to_string(lane) +
                          ", which belongs to another path of the wavefront (check.split_isolation)",
                      lane);
}

}  // namespace pws::models
