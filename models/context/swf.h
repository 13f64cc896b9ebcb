// SWFs begin and end: what schemes have in common.
#pragma once

#include "models/context/context_map.h"

namespace pws::models {

// Makes `child`, a context just taken, an SWF that goes on where `w` does: scalar registers with VCC, SCC, M0 and MODE,
// EM and PC are copied; vector registers, LDS and scratch are the wavefront's. Its SpM is the caller's to set.
inline void begin_swf(wf_context& child, const wf_context& w, swf_number parent) {
  child.state = w.state;
  child.state.access = nullptr;
  child.tree.parent = parent;
  child.tree.root = w.tree.root;
  child.group = w.group;
  child.wave_in_group = w.wave_in_group;
  child.code = w.code;
  child.front.next = nullptr;
  ++w.tree.root->tree.live;
}

// `w`, an SWF or its root, is no part of its wavefront any more. An SWF's registers are cleared for the next one.
inline void leave_wavefront(context_map& contexts, wf_context& w) {
  --w.tree.root->tree.live;
  if (!w.is_swf()) return;
  w.tree.parent = no_swf;
  contexts.of(w).set_split_mask(w, 0);
  contexts.of(w).child_stacks.clear(w.slot);
}

}  // namespace pws::models
