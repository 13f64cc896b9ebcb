// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/split_isolation.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/vector/lane_reach.h"
#include "models/machine/ids.h"

namespace pws::models {

const wf_context* path_of_lane(unsigned lane, const wf_context& c) {
  const auto has = [&](const wf_context& path) {
    return path.status != wf_status::ended && (path.state.split_mask >> lane & 1) != 0;
  };
  const wf_context& root = *c.tree.root;
  if (has(root)) return &root;
  for (const wf_context* swf : c.group->swfs)
    if (swf->tree.root == &root && has(*swf)) return swf;
  return nullptr;
}

void refuse_broken_isolation(const isa::inst& i, const wf_context& c, const machine_config& config) {
  const uint64_t outside = isa::reached_lanes(i, c.state) & ~c.state.split_mask;
  if (outside == 0) return;
  const int lane = __builtin_ctzll(outside);
  const wf_context* path = path_of_lane(static_cast<unsigned>(lane), c);
  const std::string owner = path == nullptr ? ""
                                            : fmt::format(", in {} at pc {:#x}",
                                                          context_name(config, path->unit, path->slot), path->state.pc);
  const bool always = traits_of(config.divergence).forms_warps();
  throw program_error(
      fmt::format("reaches the vector registers of work-item {}, which belongs to another path of the wavefront{} ({})",
                  lane, owner,
                  always ? fmt::format("divergence {} never joins paths", traits_of(config.divergence).name)
                         : "check.split_isolation"),
      lane);
}

}  // namespace pws::models
