// SPDX-License-Identifier: Apache-2.0
// What schemes have in common that part a wavefront at branches on EXEC, for good.
#pragma once

#include "models/context/wavefront.h"
#include "models/divergence/divergence_scheme.h"
#include "models/isa/predicates.h"

namespace pws::models {

// Whether `i` tests EXEC where some, and not all, of the path's work-items are active.
inline bool parts_at(const wf_context& w, const isa::inst& i) {
  if (!tests_exec(i)) return false;
  const uint64_t work_items = w.state.split_mask & w.tree.root->tree.launched;
  const uint64_t active = w.state.active() & work_items;
  return active != 0 && active != work_items;
}

// The path in `w` has ended; with the last one its wavefront has.
inline void end_for_good(context_map& contexts, wf_context& w, swf_scheduler& s) {
  wf_context& root = *w.tree.root;
  w.become(wf_status::ended);
  leave_wavefront(contexts, w);
  if (w.is_swf()) s.leave(w);
  if (root.tree.live == 0) s.finish(root);
}

}  // namespace pws::models
