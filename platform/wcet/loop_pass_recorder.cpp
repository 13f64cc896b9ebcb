// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/loop_pass_recorder.h"

#include <algorithm>

namespace pws::platform {

void loop_pass_recorder::wave_started(uint32_t, const models::wf_context& c, models::cycle_t) {
  positions_[&c] = {0, std::vector<uint64_t>(loops_.size(), 0)};
}

void loop_pass_recorder::issuing(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  position& p = positions_[&c];
  p.passes.resize(loops_.size(), 0);
  for (size_t l = 0; l < loops_.size(); ++l) {
    if (i.pc != loops_[l].header) continue;
    p.passes[l] = loops_[l].inside.count(p.last) != 0 ? p.passes[l] + 1 : 1;
    most_[l] = std::max(most_[l], p.passes[l]);
  }
  p.last = i.pc;
}

}  // namespace pws::platform
