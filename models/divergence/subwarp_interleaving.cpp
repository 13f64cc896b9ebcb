// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/subwarp_interleaving.h"

#include <algorithm>

#include "models/divergence/path_storage.h"

namespace pws::models {

subwarp_interleaving::subwarp_interleaving(const machine_config& c, context_map& contexts)
    : path_turns(c, contexts, c.subwarps.entries.value_or(~uint32_t{0}), c.subwarps.switch_cycles),
      at_issue_(c.subwarps.switch_at == turn_end::issue) {}

bool subwarp_interleaving::stalls(wf_context& w, swf_scheduler& s) {
  wavefront& v = of(w);
  return v.paths.size() > 1 && pass_turn(v, w, place::stalled, s);
}

void subwarp_interleaving::data_is_here(wf_context& w, cycle_t now, swf_scheduler& s) {
  wavefront& v = of(w);
  turn_path& own = path_of(v, w);
  if (own.where != place::stalled) return;
  own.where = place::ready;
  const turn_path* const active = active_path(v);
  if (active == nullptr) return give_turn(own, s);
  wf_context& other = *active->context;
  // It had nobody to give its turn to.
  if (other.status == wf_status::waitcnt && other.front.ready_at > now) pass_turn(v, other, place::stalled, s);
}

void subwarp_interleaving::long_operation_issued(wf_context& w, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.paths.size() > 1) pass_turn(v, w, place::ready, s);
}

std::unique_ptr<divergence_scheme> make_subwarps(const machine_config& c, context_map& contexts) {
  return std::make_unique<subwarp_interleaving>(c, contexts);
}

// A path that has not begun has nothing under way.
scheme_storage storage_of_subwarps(const machine_config& c, uint32_t splits) {
  scheme_storage s = storage_beside(storage_of(c, splits, splits + 1));
  const uint64_t begun = std::min(c.subwarps.entries.value_or(splits + 1), splits + 1);
  s.scoreboards = storage_of_contexts(c, begun - 1).scoreboards;
  return s;
}

}  // namespace pws::models
